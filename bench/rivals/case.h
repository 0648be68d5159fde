// One workload, ready to run: its plan, its threads, and arrays that every contender shares.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "run_data.h"
#include "tidepool/executor.h"
#include "tidepool/plan.h"

namespace tidepool::bench {

struct Case {
  Plan plan;
  std::unique_ptr<Executor> executor;
  int threads = 1;
  cli::RunData data;
  Tensor pooled_input;  // where indices are read: the array they come from, which rivals pool again for theirs
  Tensor samples;       // of fractional windows: what PyTorch calls _random_samples

  const Problem& problem() const noexcept { return plan.problem(); }
};

// Throws Error for a problem that cannot be read, and when the machine has not enough memory.
std::unique_ptr<Case> make_case(const std::string& problem, int threads, uint64_t seed);

// What a rival is told: windows as kernel, stride, dilation and padding on D, H, W.
struct RegularWindows {
  std::array<int64_t, 3> kernel, stride, dilation, pad_before, pad_after;  // pad_after as far as the last window reaches
  bool overhang = false;                                                   // beyond the padding: ceil_mode
};

// Bins that divide the input evenly are regular windows too; nothing for other bins and for fractional windows.
std::optional<RegularWindows> regular_windows(const Geometry& geometry);

// Everything a rival in another language needs to know, addresses included, as JSON.
std::string describe(const Case& c);

}  // namespace tidepool::bench
