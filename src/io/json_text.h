// The little JSON that headers of weights need: strings, whole numbers, and the marks between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tidepool::io {

class JsonText {
 public:
  // `what` starts the messages: "w.safetensors: bad header".
  JsonText(std::string_view text, std::string what) : rest_(text), what_(std::move(what)) {}

  [[noreturn]] void fail(const std::string& why) const;
  bool eat(char mark);  // and the space before it
  void need(char mark);
  bool at_end();
  std::string string();
  int64_t whole_number();  // zero or more

 private:
  void skip_space();
  void append_escape(std::string& text);
  uint32_t hex4();

  std::string_view rest_;
  std::string what_;
};

// In quotes, with everything escaped that JSON wants escaped.
std::string json_quoted(std::string_view text);

}  // namespace tidepool::io
