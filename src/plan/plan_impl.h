// The members of a Plan, and the functions that check its runs.
#pragma once

#include <optional>
#include <vector>

#include "kernels/kernel.h"
#include "plan/caller_name.h"
#include "tidepool/plan.h"

namespace tidepool::inline v0_1 {

struct Plan::Impl {
  // An array as the fast path expects it: contiguous, in the layout of the problem.
  struct FastPathArray {
    Dims shape, strides;
    DType dtype = DType::f32;
    uintptr_t element_size = 1;
    uintptr_t bytes = 0;
  };

  Problem problem;
  const detail::KernelEntry* kernel = nullptr;
  std::string target;
  int64_t scratch_per_piece = 0;
  int64_t units = 0;
  int64_t grain = 1;
  bool may_group_channels = false;  // see group_channels
  std::optional<Plan> any_columns;  // where the kernel relies on adjacent columns, and the problem does not: for other arrays
  std::vector<Refusal> refusals;
  std::vector<int64_t> tap_offsets;
  detail::KernelArgs args;  // complete except for the pointers of a run's arrays, and their strides unless has_fast_path
  bool has_fast_path = false;
  FastPathArray fast_path_input, fast_path_output, fast_path_indices;

  // How a run's units of work are divided into pieces. Pieces run in parallel, and each has its own part of the scratch buffer.
  struct WorkSplit {
    int64_t channel_groups = 1;  // see group_channels
    int64_t units = 0;
    int64_t pieces = 1;
  };
  WorkSplit work_split(int concurrency) const noexcept;
};

namespace detail {

// The strides of a tensor with dimensions N, C, spatial… (or C, spatial…) as strides of N, C, D, H, W. Missing dimensions have stride 0.
inline Strides5 to_ncdhw_strides(const Dims& strides, const Geometry& g) noexcept {
  Strides5 s{};
  const int skip = g.batched() ? 0 : 1;
  if (g.batched()) s[dim_n] = strides[0];
  s[dim_c] = strides[1 - skip];
  for (int i = 0; i < g.rank(); ++i) s[static_cast<size_t>(5 - g.rank() + i)] = strides[2 - skip + i];
  return s;
}

// Computes the arrays that matches_fast_path compares with, and puts their strides into the plan's arguments.
void prepare_fast_path(Plan::Impl* plan);
// True when all arrays of the problem are valid and have the strides of the plan's arguments. When it is false they may still be valid:
// check_arrays makes the complete check.
bool matches_fast_path(const Plan::Impl& plan, const TensorView& input, const TensorSpan& output, const TensorSpan* indices_out) noexcept;

// Checks that arrays match the problem: shapes, dtypes, the strides that the kernel relies on, overlap, and the range of every index.
Status check_arrays(const CallerName& caller, const Plan::Impl& plan, const RunArrays& arrays, Executor& executor);

// try_make_plan for one of Highway's targets, with errors that begin with the name of the caller.
Result<Plan> try_make_plan_for(const CallerName& caller, const Problem& problem, std::string_view kernel, int64_t target);

// Whether the problem's kernels rely on adjacent columns or channels, as its layout says.
bool relies_on_layout(const Problem& p) noexcept;
// Whether arrays that have been checked must be left to plan.any_columns.
bool needs_any_columns(const Plan::Impl& plan, const RunArrays& arrays) noexcept;

// Whether a run needs RunArrays::starts: fractional windows, except for passes that read plane or tensor indices instead of the windows.
bool needs_starts(const Problem& problem) noexcept;

}  // namespace detail
}  // namespace tidepool::inline v0_1
