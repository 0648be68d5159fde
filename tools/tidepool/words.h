// Lists in words.
#pragma once

#include <string>
#include <string_view>

namespace tidepool::cli {

// Adds an item to a list that may still be empty.
inline void join(std::string& list, std::string_view item, std::string_view separator = " ") {
  if (!list.empty()) list.append(separator);
  list.append(item);
}

}  // namespace tidepool::cli
