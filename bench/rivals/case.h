// A workload that is ready to run: its plan, its threads, and the arrays that all libraries share.
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
  Tensor pooled_input;  // only for problems that read indices: the array that they come from; rivals pool it to get theirs
  Tensor samples;       // only for fractional windows: the argument _random_samples of PyTorch

  const Problem& problem() const noexcept { return plan.problem(); }
};

// Throws Error if the problem cannot be parsed or memory is short.
std::unique_ptr<Case> make_case(const std::string& problem, int threads, uint64_t seed);

// Windows described by kernel, stride, dilation and padding along D, H, W, as other libraries expect them.
struct RegularWindows {
  std::array<int64_t, 3> kernel, stride, dilation, pad_before, pad_after;  // pad_after reaches to the end of the last window
  bool overhang = false;  // the last window reaches beyond the padding, because of ceil_mode
};

// Adaptive windows that divide the input evenly are also regular. Returns nothing for other adaptive and for fractional windows.
std::optional<RegularWindows> regular_windows(const Geometry& geometry);

// A description in JSON for rivals that are called from Python, with the addresses of the arrays.
std::string describe(const Case& c);

}  // namespace tidepool::bench
