// A position in a text that is parsed from left to right. The headers of .npy and .safetensors files build on it.
#pragma once

#include <string>
#include <string_view>

#include "tidepool/error.h"

namespace tidepool::inline v0_1::io {

class TextCursor {
 public:
  // Error messages start with `what`, for example "w.safetensors: bad .safetensors header".
  TextCursor(std::string_view text, std::string what) : rest_(text), what_(std::move(what)) {}

  [[noreturn]] void fail(const std::string& why) const { throw Error(ErrorCode::parse, what_ + ": " + why); }

  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t' || rest_[0] == '\r')) rest_.remove_prefix(1);
  }
  // Skips white space, then `token` if it comes next. Returns whether it did.
  bool accept(std::string_view token) {
    skip_space();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail("expected '" + std::string(token) + "'");
  }
  bool at_end() {
    skip_space();
    return rest_.empty();
  }

 protected:
  std::string_view rest_;

 private:
  std::string what_;
};

}  // namespace tidepool::inline v0_1::io
