// Every file of kernels, in one list.
#include "kernels/forward/separable.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

// The tables, one per file of kernels. Files with vector code have one for each target. A line here and one below is all that a new file
// needs.
std::span<const KernelEntry> max_pool_separable_kernels(int64_t target);
std::span<const KernelEntry> max_pool_columns_kernels(int64_t target);
std::span<const KernelEntry> max_pool_lines_kernels(int64_t target);
std::span<const KernelEntry> max_pool_global_kernels(int64_t target);
std::span<const KernelEntry> max_pool_padded_kernels(int64_t target);
std::span<const KernelEntry> max_pool_channels_kernels(int64_t target);
std::span<const KernelEntry> max_pool_reference_kernels(int64_t target);
std::span<const KernelEntry> max_pool_fractional_kernels(int64_t target);
std::span<const KernelEntry> max_pool_gather_kernels(int64_t target);
std::span<const KernelEntry> max_pool_indexed_kernels(int64_t target);
std::span<const KernelEntry> avg_pool_columns_kernels(int64_t target);
std::span<const KernelEntry> avg_pool_padded_kernels(int64_t target);
std::span<const KernelEntry> avg_pool_channels_kernels(int64_t target);
std::span<const KernelEntry> avg_pool_reference_kernels(int64_t target);
std::span<const KernelEntry> avg_pool_global_kernels(int64_t target);
std::span<const KernelEntry> avg_pool_separable_kernels(int64_t target);
std::span<const KernelEntry> avg_pool_gather_kernels(int64_t target);
std::span<const KernelEntry> avg_pool_reference_backward_kernels(int64_t target);
std::span<const KernelEntry> lp_pool_vector_kernels(int64_t target);
std::span<const KernelEntry> lp_pool_reference_kernels(int64_t target);
std::span<const KernelEntry> lp_pool_reference_backward_kernels(int64_t target);
std::span<const KernelEntry> max_unpool_kernels(int64_t target);

std::vector<const KernelEntry*> kernels_for(const Problem& problem, int64_t target) {
  constexpr std::span<const KernelEntry> (*tables[])(int64_t) = {
      max_pool_separable_kernels, max_pool_padded_kernels,    avg_pool_padded_kernels,
      max_pool_lines_kernels,     max_pool_global_kernels,    max_pool_columns_kernels,
      max_pool_channels_kernels,  max_pool_reference_kernels, max_pool_fractional_kernels,
      max_pool_gather_kernels,    max_pool_indexed_kernels,   avg_pool_columns_kernels,
      avg_pool_channels_kernels,  avg_pool_reference_kernels, avg_pool_global_kernels,
      avg_pool_separable_kernels, avg_pool_gather_kernels,    avg_pool_reference_backward_kernels,
      lp_pool_vector_kernels,     lp_pool_reference_kernels,  lp_pool_reference_backward_kernels,
      max_unpool_kernels,
  };
  const Indices indices = problem.indices ? Indices::present : Indices::absent;
  std::vector<const KernelEntry*> found;
  for (auto* table : tables)
    for (const KernelEntry& e : table(target))
      if (e.ops.has(problem.op) && e.passes.has(problem.pass) && e.indices.has(indices) && e.dtype == problem.dtype) found.push_back(&e);
  return found;
}

int64_t split_units(Split split, const Problem& problem) noexcept {
  const Geometry& g = problem.geometry;
  const int64_t rows = g.depth().output() * g.height().output();
  switch (split) {
    case Split::rows:
      return g.batch() * g.channels() * rows;
    case Split::channel_rows:
      return g.batch() * rows;
    case Split::planes:
      return g.batch() * g.channels();
    case Split::channel_blocks:
      return g.batch() * ((g.channels() + channel_block - 1) / channel_block);
    case Split::grouped_rows:
      break;
  }
  const int64_t together = separable_channels(problem.layout, problem.dtype, g.channels());
  return g.batch() * ((g.channels() + together - 1) / together) * rows;
}

}  // namespace tidepool::inline v0_1::detail
