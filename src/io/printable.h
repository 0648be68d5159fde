// Text from a file that is quoted in an error message.
#pragma once

#include <string>
#include <string_view>

namespace tidepool::inline v0_1::io {

// At most 40 characters, with every character outside printable ASCII replaced by '?', so that a file cannot send control sequences to the
// terminal or flood the message.
inline std::string printable(std::string_view text) {
  std::string safe;
  for (char c : text.substr(0, 40)) safe += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > 40 ? safe + "..." : safe;
}

}  // namespace tidepool::inline v0_1::io
