// Helpers for lists in texts and in JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::cli {

// Appends an item to a list, with a separator unless the list is empty.
inline void join(std::string& list, std::string_view item, std::string_view separator = " ") {
  if (!list.empty()) list.append(separator);
  list.append(item);
}

// The sizes as a vector, which the JSON library writes as an array.
inline std::vector<int64_t> sizes_of(const Dims& dims) { return {dims.span().begin(), dims.span().end()}; }

}  // namespace tidepool::cli
