// Max and min pooling cell by cell, for any strides and every option. No vectors: the same code on every target.
#include <array>

#include "kernels/kernel.h"
#include "kernels/reference/max_pool_cell.h"

namespace tidepool::inline v0_1::detail {
namespace {

template <class E, bool kMin>
[[gnu::noinline]] void cells(const KernelArgs& a, const RowPosition& p, int64_t begin, int64_t end) noexcept {
  const MaxRow<E, kMin> row(a, p);
  if (a.index == nullptr && a.nan == NanPolicy::propagate) {
    for (int64_t ow = begin; ow < end; ++ow) row.value(ow);
  } else {
    for (int64_t ow = begin; ow < end; ++ow) row.cell(ow);
  }
}

void run(const KernelArgs& a, const Tile& tile) noexcept {
  for (int64_t u = tile.begin; u < tile.end; ++u) max_cells(a, RowPosition::of_row(a, u), 0, a.width.output);
}

Fit fits(const Problem&) { return {}; }
double cost(const Problem& p) { return 1 + 4 * static_cast<double>(p.geometry.window_taps()); }

constexpr KernelEntry entry(DType dtype) {
  return {.name = "reference",
          .ops = {Op::max, Op::min},
          .passes = Pass::forward,
          .dtype = dtype,
          .target = 0,
          .split = Split::rows,
          .fits = fits,
          .cost = cost,
          .scratch_bytes = no_scratch,
          .grain = unit_grain,
          .run = run};
}

}  // namespace

void max_cells(const KernelArgs& a, const RowPosition& p, int64_t begin, int64_t end) noexcept {
  switch (a.dtype) {
#define TIDEPOOL_X(name, type, kind) \
  case DType::name:                  \
    return a.op == Op::min ? cells<type, true>(a, p, begin, end) : cells<type, false>(a, p, begin, end);
    TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
  }
}

std::span<const KernelEntry> max_pool_reference_kernels(int64_t /*target*/) {
  static constexpr std::array entries = {
#define TIDEPOOL_X(name, type, kind) entry(DType::name),
      TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
  };
  return entries;
}

}  // namespace tidepool::inline v0_1::detail
