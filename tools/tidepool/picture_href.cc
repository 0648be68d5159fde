#include "picture_href.h"

#include <cstdint>
#include <string_view>

#include "open_input.h"
#include "tidepool/io/png.h"

namespace tidepool::cli {

namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t three = 0;
    for (size_t i = 0; i < 3; ++i) three = three << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (size_t i = 0; i < 4; ++i) text += at + i > bytes.size() ? '=' : digits[three >> (18 - 6 * i) & 63];
  }
  return text;
}

}  // namespace

std::string picture_href(const std::string& verb, const std::string& path) {
  if (path.empty()) return "";
  const std::string bytes = read_contents(verb, path);
  (void)io::read_png(io::InputFile(path, bytes));  // refuses other files and broken ones
  return "data:image/png;base64," + base64(bytes);
}

}  // namespace tidepool::cli
