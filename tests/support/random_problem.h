// Problems drawn at random over every op, dtype, layout, pass and option.
#pragma once

#include <cstdint>
#include <optional>

#include "support/rng.h"
#include "tidepool/problem.h"

namespace tidepool::test {

struct ProblemSpace {
  int64_t max_width = 80;  // wide enough for a few vectors of any dtype
  int64_t max_channels = 70;
  int64_t max_work = 1 << 14;  // elements of the input, and an eighth of the taps of all windows together
  bool empty_batch = true;
  // Fixed when set, otherwise drawn.
  std::optional<Op> op = {};
  std::optional<Pass> pass = {};
  std::optional<DType> dtype = {};
};

// What became of the problems that were drawn. The others were returned.
struct Draws {
  int64_t drawn = 0;
  int64_t invalid = 0;     // the library refuses the windows
  int64_t unsuitable = 0;  // too large for the reference implementation, or an unpooling without an index
};

// Always valid. Sizes are small, with widths and channel counts often next to a multiple of the vector length. Draws again until a problem
// is usable, and adds to `draws` when given.
Problem random_problem(Rng& rng, const ProblemSpace& space = {}, Draws* draws = nullptr);

}  // namespace tidepool::test
