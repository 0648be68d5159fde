// Compares the arrays of a finished run with the reference implementation.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "reference/compare.h"
#include "tidepool/plan.h"

namespace tidepool::cli {

struct Fault {
  std::string array;  // "values" or "indices"
  std::string place;  // "n=0, c=1, h=2, w=3"
  reference::Mismatch mismatch;
};

struct Verdict {
  bool exact = true;           // compared bit for bit; otherwise within the rounding error, as for lp
  std::optional<Fault> fault;  // the first array that is wrong: values, then indices if the problem writes them
};

// Another thread can read from `done` how many outputs have been computed again.
Verdict check_arrays(const Problem& problem, const RunArrays& arrays, std::atomic<int64_t>* done = nullptr);

}  // namespace tidepool::cli
