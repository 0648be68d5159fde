// Notes about shapes, for effects that are easy to miss.
#pragma once

#include <string>

#include "tidepool/geometry.h"

namespace tidepool::cli {

// "1 row and 1 column at the end are read by no window", or "" if every element is read.
std::string dropped_note(const Geometry& geometry);

}  // namespace tidepool::cli
