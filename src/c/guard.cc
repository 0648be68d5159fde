#include "c/guard.h"

#include <algorithm>
#include <cstring>

namespace tidepool::inline v0_1::c {
namespace {

// A fixed size, so that reporting an out-of-memory error does not allocate.
struct LastError {
  char text[1024] = "";
};
thread_local LastError last_error;

}  // namespace

tp_status fail(tp_status status, const char* text) noexcept {
  const size_t length = std::min(std::strlen(text), sizeof last_error.text - 1);
  std::memcpy(last_error.text, text, length);
  last_error.text[length] = '\0';
  return status;
}

tp_status fail(const Error& error) noexcept {
  static_assert(static_cast<int>(ErrorCode::out_of_memory) + 1 == TP_OUT_OF_MEMORY);
  return fail(static_cast<tp_status>(static_cast<int>(error.code()) + 1), error.what());
}

}  // namespace tidepool::inline v0_1::c

const char* tp_last_error(void) { return tidepool::c::last_error.text; }

size_t tp_last_error_copy(char* buffer, size_t capacity) {
  const char* text = tp_last_error();
  const size_t length = std::strlen(text);
  if (buffer != nullptr && capacity > 0) {
    const size_t kept = std::min(length, capacity - 1);
    std::memcpy(buffer, text, kept);
    buffer[kept] = '\0';
  }
  return length;
}

const char* tp_status_name(tp_status status) {
  int number;  // a C caller may pass any value; reading it as the enumeration would be undefined in C++
  static_assert(sizeof number == sizeof status);
  std::memcpy(&number, &status, sizeof number);
  if (number == TP_OK) return "ok";
  if (number < TP_OK || number >= TP_INTERNAL) return "internal";
  return tidepool::error_code_name(static_cast<tidepool::ErrorCode>(number - 1));
}
