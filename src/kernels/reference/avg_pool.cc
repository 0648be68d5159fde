// Average and sum pooling cell by cell, for any strides and every option. No vectors: the same code on every target.
#include <array>

#include "kernels/entries.h"
#include "kernels/kernel.h"
#include "kernels/reduce/large_sums.h"
#include "kernels/reference/avg_pool_cell.h"

namespace tidepool::inline v0_1::detail {
namespace {

template <class E>
struct AvgReference : SimpleKernel {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    RowPosition p = RowPosition::of_row(a, tile.begin);
    for (int64_t u = tile.begin; u < tile.end; ++u, p.advance(a)) avg_cells<E>(a, p, 0, a.width.output);
  }
  static Fit fits(const Problem& p) { return fits_order(p); }
};

// Averaging is linear: its double backward is the forward pass again.
constexpr EntryForm form{
    .name = "reference", .ops = {Op::avg, Op::sum}, .passes = {Pass::forward, Pass::double_backward}, .split = Split::rows};

}  // namespace

std::span<const KernelEntry> avg_pool_reference_kernels(int64_t /*target*/) {
  static constexpr auto table = entries<AvgReference>(form, NumberTypes());
  return table;
}

}  // namespace tidepool::inline v0_1::detail
