// Draws problems such as people bring, to see how the planner does on shapes that nobody tuned it for.
#pragma once

#include <cstdint>

#include "tidepool/problem.h"

namespace tidepool::cli {

// Number `number` of the problems of this seed: all ops, passes, dtypes, layouts and ranks, windows up to 128, 10^4 to 4 * 10^6 cells.
// The same seed and number give the same problem on every machine.
Problem draw_problem(uint64_t seed, uint64_t number);

}  // namespace tidepool::cli
