// The error type. Internal functions return it in a Result<T>; public functions throw it.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <variant>

#include "tidepool/export.h"

namespace tidepool::inline v0_1 {

enum class ErrorCode {
  invalid_argument,  // a parameter breaks a rule of the op
  shape_mismatch,    // shapes or strides that do not match each other or the options
  dtype_mismatch,    // a dtype that the op does not support, or two dtypes that differ
  out_of_range,      // an index outside its plane or window
  overflow,          // sizes whose products do not fit 64 bits
  aliasing,          // an output that overlaps an input, or itself
  unsupported,       // valid, but not available in this build
  parse,             // text or a file that does not follow its format
  out_of_memory,
  io,  // a file that cannot be opened, read or written
};

TIDEPOOL_API const char* error_code_name(ErrorCode code) noexcept;

// A message reads "function: rule, got value (axis)", for example
// "max_pool2d: stride must be at least 1, got 0 (axis h)".
class TIDEPOOL_API Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  ErrorCode code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorCode code_;
  std::string message_;
};

namespace detail {
// Not inline, so that the headers compile with -fno-exceptions. A program that was compiled so cannot catch the error, and ends.
[[noreturn]] TIDEPOOL_API void throw_error(Error error);
}  // namespace detail

// A value, or the error that prevented it.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  const Error& error() const { return std::get<1>(state_); }

  // Only when ok().
  T& operator*() noexcept { return *std::get_if<0>(&state_); }
  const T& operator*() const noexcept { return *std::get_if<0>(&state_); }
  T* operator->() noexcept { return std::get_if<0>(&state_); }
  const T* operator->() const noexcept { return std::get_if<0>(&state_); }

  // Returns the value, or throws the error.
  T value() && {
    if (!ok()) detail::throw_error(std::get<1>(std::move(state_)));
    return std::get<0>(std::move(state_));
  }
  const T& value() const& {
    if (!ok()) detail::throw_error(error());
    return std::get<0>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

// Status is the result of functions that return no value.
struct Ok {};
using Status = Result<Ok>;

}  // namespace tidepool::inline v0_1
