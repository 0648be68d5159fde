// What a Plan holds.
#pragma once

#include <vector>

#include "kernels/kernel.h"
#include "plan/caller_name.h"
#include "tidepool/plan.h"

namespace tidepool {

struct Plan::Impl {
  // An array without gaps, as most runs bring it.
  struct PlainArray {
    Dims shape, strides;
    DType dtype = DType::f32;
    int64_t bytes = 0;
  };

  Problem problem;
  const detail::KernelEntry* kernel = nullptr;
  std::string target;
  int64_t scratch_per_piece = 0;
  int64_t units = 0;
  int64_t grain = 1;
  bool groups_channels = false;  // see group_channels
  std::vector<Refusal> refusals;
  std::vector<int64_t> tap_offsets;
  detail::KernelArgs args;  // everything but pointers and strides
  bool has_plain_run = false;
  PlainArray plain_input, plain_output, plain_index;

  // How the units are cut for an executor: each piece has a scratch slot of its own.
  struct Cut {
    int64_t groups = 1;  // of channels
    int64_t units = 0;
    int64_t pieces = 1;
  };
  Cut cut(int concurrency) const noexcept;
};

namespace detail {

// Strides of a tensor of N, C, spatial… (or unbatched) as N, C, D, H, W; missing dims never move.
inline Strides5 five(const Dims& strides, const Geometry& g) noexcept {
  Strides5 s{};
  const int skip = g.batched() ? 0 : 1;
  if (g.batched()) s[dim_n] = strides[0];
  s[dim_c] = strides[1 - skip];
  for (int i = 0; i < g.rank(); ++i) s[static_cast<size_t>(5 - g.rank() + i)] = strides[2 - skip + i];
  return s;
}

// What is_plain_run compares with.
void expect_plain_run(Plan::Impl* plan);
// Arrays that are as expected need no further look; others may be right as well.
bool is_plain_run(const Plan::Impl& plan, const RunArrays& arrays) noexcept;

// Do arrays match the problem? Shapes, dtypes, strides the kernel relies on, overlap, index ranges.
Status check_arrays(const CallerName& caller, const Plan::Impl& plan, const RunArrays& arrays, Executor& executor);

// As try_make_plan.
Result<Plan> try_make_plan_for(const CallerName& caller, const Problem& problem, std::string_view kernel);

// Whether a run must say where its windows begin: fractional windows, unless only indices that count cells are read.
bool needs_starts(const Problem& problem) noexcept;

// Scratch of the calling thread, grown on demand, 64-byte aligned. Null when memory is short.
std::byte* thread_scratch(int64_t bytes);

}  // namespace detail
}  // namespace tidepool
