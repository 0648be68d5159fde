// Max and min pooling cell by cell, for any strides and every option. No vectors: the same code on every target.
#include <array>

#include "kernels/kernel.h"
#include "kernels/max_pool_cell.h"

namespace tidepool::detail {
namespace {

template <class E, bool kMin>
void run(const KernelArgs& a, const Tile& tile) noexcept {
  for (int64_t u = tile.begin; u < tile.end; ++u) max_cells<E, kMin>(a, RowPosition::of_row(a, u), 0, a.width.output);
}

Fit fits(const Problem&) { return {}; }
double cost(const Problem& p) { return 1 + 4 * static_cast<double>(p.geometry.window_taps()); }

template <class E, bool kMin>
constexpr KernelEntry entry(DType dtype) {
  return {.name = "strided",
          .op = kMin ? Op::min : Op::max,
          .pass = Pass::forward,
          .dtype = dtype,
          .target = 0,
          .split = Split::rows,
          .fits = fits,
          .cost = cost,
          .scratch_bytes = no_scratch,
          .grain = unit_grain,
          .run = run<E, kMin>};
}

}  // namespace

std::span<const KernelEntry> max_pool_strided_kernels() {
  static constexpr std::array entries = {
#define TIDEPOOL_X(name, type, kind) entry<type, false>(DType::name), entry<type, true>(DType::name),
      TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
  };
  return entries;
}

}  // namespace tidepool::detail
