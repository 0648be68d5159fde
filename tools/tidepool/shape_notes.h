// What a shape does silently, said aloud.
#pragma once

#include <string>

#include "tidepool/geometry.h"

namespace tidepool::cli {

// "1 row and 1 column at the end are read by no window", or "" when all cells are read.
std::string dropped_note(const Geometry& geometry);

}  // namespace tidepool::cli
