// What a Plan holds.
#pragma once

#include <vector>

#include "kernels/kernel.h"
#include "tidepool/plan.h"

namespace tidepool {

struct Plan::Impl {
  Problem problem;
  const detail::KernelEntry* kernel = nullptr;
  std::string target;
  int64_t scratch_per_piece = 0;
  int64_t units = 0;
  int64_t grain = 1;
  std::vector<Refusal> refusals;
  std::vector<int64_t> tap_offsets;
  detail::KernelArgs args;  // everything but pointers and strides

  // How the units are cut for an executor: each piece has a scratch slot of its own.
  int64_t pieces(int concurrency) const noexcept;
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

// Do arrays match the problem? Shapes, dtypes, strides the kernel relies on, overlap, index ranges.
Status check_arrays(const Plan::Impl& plan, const RunArrays& arrays);

// Whether a run must say where its windows begin: fractional windows, unless only indices that count cells are read.
bool needs_starts(const Problem& problem) noexcept;

// Scratch of the calling thread, grown on demand, 64-byte aligned. Null when memory is short.
std::byte* thread_scratch(int64_t bytes);

}  // namespace detail
}  // namespace tidepool
