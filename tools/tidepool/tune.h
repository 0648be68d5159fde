// Every kernel that fits a problem, measured, and how far the planner's choice is from the best of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tidepool/executor.h"
#include "tidepool/problem.h"

namespace tidepool::cli {

struct KernelTime {
  std::string kernel;
  double seconds = 0;  // best call
};

struct Tuning {
  Problem problem;
  std::string target;
  std::string chosen;
  std::vector<KernelTime> kernels;  // fastest first

  const KernelTime& best() const { return kernels.front(); }
  double ratio() const;  // the choice's time / the best time: 1 is best
};

// What the planner may lose before it is worth a look: measurements of the same code differ by as much.
inline constexpr double tuned_within = 1.05;

// Measures for about `seconds`. Kernels other than the choice that take several times as long as another are run once.
Tuning tune(const Problem& problem, Executor& executor, double seconds);

}  // namespace tidepool::cli
