// Lp pooling cell by cell: the forward pass, and the gradient of the output's gradient.
#include <array>

#include "kernels/kernel.h"
#include "kernels/lp_pool_cell.h"

namespace tidepool::detail {
namespace {

template <class E>
const E* plane_of(const std::byte* data, const Strides5& s, const RowPosition& p) noexcept {
  return reinterpret_cast<const E*>(data) + p.n * s[dim_n] + p.c * s[dim_c];
}

template <class E>
struct LpForward {
  static double value(const KernelArgs& a, const RowPosition& p, const Windows3& windows) noexcept {
    return LpWindow<E>(a, plane_of<E>(a.input, a.input_strides, p), a.input_strides, windows).norm();
  }
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
};

template <class E, class Value>
void run(const KernelArgs& a, const Tile& tile) noexcept {
  RowPosition p = RowPosition::of_row(a, tile.begin);
  for (int64_t u = tile.begin; u < tile.end; ++u, p.advance(a)) {
    E* out = reinterpret_cast<E*>(a.output) + p.offset(a.output_strides);
    for (int64_t ow = 0; ow < a.width.output; ++ow)
      out[ow * a.output_strides[dim_w]] = to_element<E>(Value::value(a, p, Windows3::of(a, p.od, p.oh, ow)));
  }
}

Fit fits(const Problem&) { return {}; }
double cost(const Problem& p) { return 1 + 20 * static_cast<double>(p.geometry.window_taps()); }

template <class E, class Value>
constexpr KernelEntry entry(Pass pass, DType dtype) {
  return {.name = "strided",
          .op = Op::lp,
          .pass = pass,
          .dtype = dtype,
          .target = 0,
          .split = Split::rows,
          .fits = fits,
          .cost = cost,
          .scratch_bytes = no_scratch,
          .grain = unit_grain,
          .run = run<E, Value>};
}

template <class E>
constexpr std::array<KernelEntry, 2> entries_of(DType dtype) {
  return {entry<E, LpForward<E>>(Pass::forward, dtype), entry<E, LpDoubleBackward<E>>(Pass::double_backward, dtype)};
}

}  // namespace

std::span<const KernelEntry> lp_pool_kernels() {
  static constexpr auto entries =
      join(entries_of<float>(DType::f32), entries_of<double>(DType::f64), entries_of<Half>(DType::f16), entries_of<BFloat16>(DType::bf16));
  return entries;
}

}  // namespace tidepool::detail
