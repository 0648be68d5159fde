#include "tidepool/error.h"

namespace tidepool::inline v0_1 {

const char* error_code_name(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::shape_mismatch:
      return "shape_mismatch";
    case ErrorCode::dtype_mismatch:
      return "dtype_mismatch";
    case ErrorCode::out_of_range:
      return "out_of_range";
    case ErrorCode::overflow:
      return "overflow";
    case ErrorCode::aliasing:
      return "aliasing";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::parse:
      return "parse";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::io:
      return "io";
  }
  return "unknown";
}

void detail::throw_error(Error error) { throw error; }

}  // namespace tidepool::inline v0_1
