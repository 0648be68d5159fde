// Measures every kernel that fits a problem, and compares the planner's choice with the fastest.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tidepool/executor.h"
#include "tidepool/problem.h"

namespace tidepool::cli {

struct KernelTime {
  std::string kernel;
  double seconds = 0;  // of the fastest call
};

struct Tuning {
  Problem problem;
  std::string target;
  std::string chosen;
  std::vector<KernelTime> kernels;  // fastest first

  const KernelTime& best() const { return kernels.front(); }
  double ratio() const;  // time of the choice / time of the fastest
};

// The ratio up to which a choice counts as good: measurements of the same code differ by as much.
inline constexpr double tuned_within = 1.05;

// Measures for about `seconds`. Kernels that take several times as long as the fastest are run once, except for the choice.
// Tells `report` the finished part of the work.
Tuning tune(const Problem& problem, Executor& executor, double seconds, const std::function<void(double)>& report = {});

}  // namespace tidepool::cli
