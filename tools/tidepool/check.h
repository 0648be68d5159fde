// The arrays of a finished run against the slow, plain version.
#pragma once

#include <optional>
#include <string>

#include "compare.h"
#include "tidepool/plan.h"

namespace tidepool::cli {

struct Fault {
  std::string array;  // "values" or "indices"
  std::string place;  // "n=0, c=1, h=2, w=3"
  Mismatch mismatch;
};

struct Verdict {
  bool exact = true;           // compared bit for bit; norms are compared within their rounding
  std::optional<Fault> fault;  // the first array that is wrong: values, then indices if the problem writes them
};

Verdict check_arrays(const Problem& problem, const RunArrays& arrays);

}  // namespace tidepool::cli
