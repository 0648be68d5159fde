// The part of JSON that .safetensors headers need: strings, whole numbers and punctuation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/text_cursor.h"

namespace tidepool::inline v0_1::io {

class JsonReader : public TextCursor {
 public:
  using TextCursor::TextCursor;

  std::string string();
  int64_t whole_number();  // zero or more

 private:
  void append_escape(std::string& text);
  uint32_t hex4();
};

// A JSON string literal with quotes and escapes.
std::string json_quoted(std::string_view text);

}  // namespace tidepool::inline v0_1::io
