// Checks dim arguments.
#pragma once

#include <string>

#include "tidepool/error.h"

namespace tidepool::inline v0_1::detail {

// The dim as a number from 0 on; negative dims count from the end. Throws Error with a message that begins with `op`.
inline int checked_dim(const char* op, int dim, int rank) {
  if (dim < -rank || dim >= rank)
    throw Error(ErrorCode::invalid_argument, std::string(op) + ": dim must be in [" + std::to_string(-rank) + ", " + std::to_string(rank) +
                                                 "), got " + std::to_string(dim));
  return dim < 0 ? dim + rank : dim;
}

}  // namespace tidepool::inline v0_1::detail
