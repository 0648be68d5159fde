#include "tidepool/options.h"

namespace tidepool::inline v0_1::detail {

void throw_given_twice(const char* function, const char* option) {
  throw Error(ErrorCode::invalid_argument, std::string(function) + ": " + option + " must be given once, got it twice");
}

}  // namespace tidepool::inline v0_1::detail
