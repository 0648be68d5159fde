#include "io/json_reader.h"

#include <charconv>
#include <cstdio>

namespace tidepool::inline v0_1::io {

namespace {

void append_utf8(std::string& text, uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
}

}  // namespace

uint32_t JsonReader::hex4() {
  uint32_t code = 0;
  const std::string digits(rest_.substr(0, 4));
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, code, 16);
  if (error != std::errc() || digits.size() < 4 || stop != end) fail("\\u needs four hexadecimal digits");
  rest_.remove_prefix(4);
  return code;
}

void JsonReader::append_escape(std::string& text) {
  static constexpr std::string_view marks = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  if (rest_.empty()) fail("a string that never ends");
  const char mark = rest_[0];
  rest_.remove_prefix(1);
  if (const size_t at = marks.find(mark); at != std::string_view::npos) {
    text += meanings[at];
    return;
  }
  if (mark != 'u') fail(std::string("unknown escape"));
  uint32_t code = hex4();
  if (code >= 0xd800 && code < 0xdc00) {  // the first half of a surrogate pair
    if (!rest_.starts_with("\\u")) fail("half a surrogate pair");
    rest_.remove_prefix(2);
    const uint32_t low = hex4();
    if (low < 0xdc00 || low > 0xdfff) fail("half a surrogate pair");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  } else if (code >= 0xdc00 && code < 0xe000) {
    fail("half a surrogate pair");
  }
  append_utf8(text, code);
}

std::string JsonReader::string() {
  expect("\"");
  std::string text;
  for (;;) {
    if (rest_.empty()) fail("a string that never ends");
    const char c = rest_[0];
    rest_.remove_prefix(1);
    if (c == '"') return text;
    if (static_cast<unsigned char>(c) < ' ') fail("a control character in a string");
    if (c == '\\') {
      append_escape(text);
    } else {
      text += c;
    }
  }
}

int64_t JsonReader::whole_number() {
  skip_space();
  int64_t value = 0;
  const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  if (error == std::errc::result_out_of_range) fail("a number that does not fit in 64 bits");
  if (error != std::errc()) fail("expected a whole number");
  if (value < 0) fail("expected zero or more, got " + std::to_string(value));
  rest_.remove_prefix(static_cast<size_t>(stop - rest_.data()));
  return value;
}

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace tidepool::inline v0_1::io
