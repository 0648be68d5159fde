// Problems drawn at random over every op, dtype, layout, pass and option.
#pragma once

#include "support/rng.h"
#include "tidepool/problem.h"

namespace tidepool::test {

struct ProblemSpace {
  int64_t max_width = 80;  // wide enough for a few vectors of any dtype
  int64_t max_channels = 70;
  int64_t max_work = 1 << 14;  // cells of input, and cells visited by all windows together (times eight)
  bool empty_batch = true;
};

// Always valid. Sizes are small, with widths and channel counts that like to sit around lane multiples.
Problem random_problem(Rng& rng, const ProblemSpace& space = {});

// The same job in another pass or with another index base.
Problem with_pass(Problem problem, Pass pass, IndexBase base);

}  // namespace tidepool::test
