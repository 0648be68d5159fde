#include "analyze/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

namespace tidepool::inline v0_1::analyze {

namespace {

// The bytes of the character of UTF-8 at the beginning of the text, or 0 if there is none: broken, too long a form, a surrogate, or beyond
// U+10FFFF.
size_t character_bytes(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < count) return 0;
  for (size_t i = 1; i < count; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const unsigned char second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return 0;
  if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
  return count;
}

std::string control(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  return std::string("\\u00") + digits[code >> 4] + digits[code & 15];
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const char c = text.front();
    const size_t bytes = character_bytes(text);
    if (bytes == 0) {
      out += "\xef\xbf\xbd";
    } else if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : control(c);
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out + "\"";
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) out_ += level.row ? ", " : ",";
  if (!level.row) new_line();
  level.empty = false;
}

void JsonWriter::open(char bracket) {
  before_value();
  out_ += bracket;
  levels_.emplace_back();
}

void JsonWriter::begin_row(char bracket) {
  open(bracket);
  levels_.back().row = true;
}

void JsonWriter::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.row && !level.empty) new_line();
  out_ += bracket;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  out_ += json_string(name) + ": ";
  after_key_ = true;
  return *this;
}

void JsonWriter::string(std::string_view text) {
  before_value();
  out_ += json_string(text);
}

void JsonWriter::integer(int64_t number) {
  before_value();
  out_ += std::to_string(number);
}

void JsonWriter::number(double number) {
  if (!std::isfinite(number)) return null();
  before_value();
  std::array<char, 32> text{};
  out_.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

void JsonWriter::boolean(bool on) {
  before_value();
  out_ += on ? "true" : "false";
}

void JsonWriter::null() {
  before_value();
  out_ += "null";
}

void JsonWriter::strings(const std::vector<std::string>& texts) {
  begin_array();
  for (const std::string& text : texts) string(text);
  end_array();
}

}  // namespace tidepool::inline v0_1::analyze
