// One error type. Inside the library it travels as a value in Result<T>; at the C++ face it is thrown.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <variant>

namespace tidepool {

enum class ErrorCode {
  invalid_argument,  // a parameter breaks a rule of the op
  shape_mismatch,    // tensors that do not fit each other or the options
  dtype_mismatch,    // an element type the op does not take, or two that differ
  out_of_range,      // an index outside the plane it points into
  overflow,          // sizes whose arithmetic leaves 64 bits
  aliasing,          // an output that overlaps an input, or itself
  unsupported,       // a valid request that this build cannot serve
  parse,             // text that is no problem, file or option
  out_of_memory,
  io,  // a file that cannot be opened, read or written
};

const char* error_code_name(ErrorCode code) noexcept;

// message reads "op: rule, got value (place)", for example
// "max_pool2d: stride must be at least 1, got 0 (axis h)".
class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  ErrorCode code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorCode code_;
  std::string message_;
};

// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  const Error& error() const { return std::get<1>(state_); }

  // Unchecked access, after ok().
  T& operator*() noexcept { return *std::get_if<0>(&state_); }
  const T& operator*() const noexcept { return *std::get_if<0>(&state_); }
  T* operator->() noexcept { return std::get_if<0>(&state_); }
  const T* operator->() const noexcept { return std::get_if<0>(&state_); }

  // The value, or throws the error: how results leave the library.
  T value() && {
    if (!ok()) throw std::get<1>(std::move(state_));
    return std::get<0>(std::move(state_));
  }
  const T& value() const& {
    if (!ok()) throw error();
    return std::get<0>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

// Result<void>'s place: nothing went wrong.
struct Ok {};
using Status = Result<Ok>;

}  // namespace tidepool
