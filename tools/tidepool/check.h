// The arrays of a finished run against the slow, plain version.
#pragma once

#include <optional>
#include <string>

#include "compare.h"
#include "tidepool/plan.h"

namespace tidepool::cli {

struct Verdict {
  std::string array;  // "values" or "indices"
  std::string place;  // "n=0, c=1, h=2, w=3"
  Mismatch mismatch;
};

// Nothing when values and, if the problem writes them, indices are right: to the bit, norms to their rounding.
std::optional<Verdict> check_arrays(const Problem& problem, const RunArrays& arrays);

}  // namespace tidepool::cli
