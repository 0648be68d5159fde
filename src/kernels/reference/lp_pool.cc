// Lp pooling cell by cell: the forward pass, and the gradient of the output's gradient.
#include <array>

#include "kernels/entries.h"
#include "kernels/kernel.h"
#include "kernels/reference/lp_pool_cell.h"

namespace tidepool::inline v0_1::detail {
namespace {

template <class E>
struct LpForward {
  static void row(const KernelArgs& a, const RowPosition& p) noexcept { lp_cells<E>(a, p, 0, a.width.output); }
};

// The gradients of a window's cells, weighted by its slopes.
template <class E>
struct LpDoubleBackward {
  static double value(const KernelArgs& a, const RowPosition& p, const Windows3& windows) noexcept {
    const LpWindow<E> lp(a, plane_of<E>(a.saved, a.saved_strides, p), a.saved_strides, windows);
    if (lp.flat()) return 0;
    const E* gg = plane_of<E>(a.input, a.input_strides, p);
    const Strides5& s = a.input_strides;
    double sum = 0;
    windows.for_each(a, [&](const Cell3& c) {
      sum += lp.slope(c) * static_cast<double>(static_cast<Sum<E>>(gg[c.d * s[dim_d] + c.h * s[dim_h] + c.w * s[dim_w]]));
    });
    return sum;
  }
  static void row(const KernelArgs& a, const RowPosition& p) noexcept {
    E* out = reinterpret_cast<E*>(a.output) + p.offset(a.output_strides);
    for (int64_t ow = 0; ow < a.width.output; ++ow)
      out[ow * a.output_strides[dim_w]] = to_element<E>(value(a, p, Windows3::of(a, p.od, p.oh, ow)));
  }
};

template <class Rows>
struct LpReference : SimpleKernel {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    RowPosition p = RowPosition::of_row(a, tile.begin);
    for (int64_t u = tile.begin; u < tile.end; ++u, p.advance(a)) Rows::row(a, p);
  }
  static Fit fits(const Problem&) { return {}; }
};
template <class E>
using Forward = LpReference<LpForward<E>>;
template <class E>
using DoubleBackward = LpReference<LpDoubleBackward<E>>;

constexpr EntryForm form(Pass pass) { return {.name = "reference", .ops = Op::lp, .passes = pass, .split = Split::rows}; }

}  // namespace

std::span<const KernelEntry> lp_pool_reference_kernels(int64_t /*target*/) {
  static constexpr auto table =
      join(entries<Forward>(form(Pass::forward), FloatTypes()), entries<DoubleBackward>(form(Pass::double_backward), FloatTypes()));
  return table;
}

}  // namespace tidepool::inline v0_1::detail
