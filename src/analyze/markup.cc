#include "analyze/markup.h"

#include <algorithm>
#include <cstdio>

#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

// The number of bytes of the character of UTF-8 that the text begins with; 0 if it is none, or none that XML allows.
size_t character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  unsigned code = first & (0xffu >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool too_long = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool forbidden = code < 0xa0 || code == 0xfffe || code == 0xffff || code > 0x10ffff;  // C1 controls and what XML excludes
  // These change the order in which the text around them is shown.
  const bool reorders = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return too_long || surrogate || forbidden || reorders ? 0 : size;
}

// The characters before the colon of "data:", "https:"; empty for a plain name of a file.
std::string_view scheme(std::string_view href) {
  const size_t colon = href.find(':');
  return colon == std::string_view::npos ? std::string_view() : href.substr(0, colon);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string valid;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    const size_t size = character(text.substr(at));
    if (c == '\t' || c == '\n' || c == '\r')
      valid += ' ';
    else
      valid += size == 0 ? replacement : text.substr(at, size);
    at += std::max<size_t>(size, 1);
  }
  return valid;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string pixel(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string shown = text;
  if (shown.ends_with(".0")) shown.resize(shown.size() - 2);
  return shown == "-0" ? "0" : shown;
}

std::string attribute(std::string_view name, std::string_view value) { return " " + std::string(name) + "=\"" + std::string(value) + "\""; }

std::string attribute(std::string_view name, double value) { return attribute(name, pixel(value)); }

double text_width(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) == 0x80) continue;  // the rest of a character
    width += c == 'm' || c == 'w' || c == 'M' || c == 'W' || static_cast<unsigned char>(c) >= 0xe0 ? 11 : 7.2;
  }
  return width;
}

std::string fitted(std::string_view text, double width) {
  if (text_width(text) <= width) return std::string(text);
  while (!text.empty() && text_width(text) + text_width("…") > width) {
    do text.remove_suffix(1);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80);
    // What is left may end with the first byte of the character; the loop has removed the others.
    if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xc0) text.remove_suffix(1);
  }
  return std::string(text) + "…";
}

void check_picture(std::string_view function, std::string_view href, bool files) {
  if (href.empty() || href.starts_with("data:image/")) return;
  // Anything with a scheme, and //host/file, may reach beyond the folder of the document.
  const bool beside = scheme(href).empty() && href[0] != '/' && href[0] != '\\';
  if (files && beside) return;
  detail::throw_error({ErrorCode::invalid_argument, std::string(function) + ": picture_href must be a data: URI of an image" +
                                                        (files ? " or the name of a file beside the picture" : "") + ", got '" +
                                                        std::string(href.substr(0, 40)) + "'"});
}

}  // namespace tidepool::inline v0_1::analyze
