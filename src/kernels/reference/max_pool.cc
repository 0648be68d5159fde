// Max and min pooling cell by cell, for any strides and every option. No vectors: the same code on every target.
#include <array>

#include "kernels/entries.h"
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

template <class>
struct MaxReference : SimpleKernel {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    for (int64_t u = tile.begin; u < tile.end; ++u) max_cells(a, RowPosition::of_row(a, u), 0, a.width.output);
  }
  static Fit fits(const Problem&) { return {}; }
};

constexpr EntryForm form{.name = "reference", .ops = {Op::max, Op::min}, .passes = Pass::forward, .split = Split::rows};

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
  static constexpr auto table = entries<MaxReference>(form, AllTypes());
  return table;
}

}  // namespace tidepool::inline v0_1::detail
