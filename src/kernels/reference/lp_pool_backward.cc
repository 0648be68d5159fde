// The gradients of Lp pooling that flow to its input: through the forward pass, and through the backward pass.
#include <array>

#include "kernels/backward/channel_range.h"
#include "kernels/kernel.h"
#include "kernels/reference/lp_pool_cell.h"

namespace tidepool::inline v0_1::detail {
namespace {

template <class E>
double load(const std::byte* data, int64_t at) noexcept {
  return static_cast<double>(static_cast<Sum<E>>(reinterpret_cast<const E*>(data)[at]));
}

template <class E>
Sum<E>& sum_at(Sums<E>& sums, int64_t channel, const Cell3& c) noexcept {
  return sums.data[offset5(sums.strides, 0, channel, c.d, c.h, c.w)];
}

template <class E>
LpWindow<E> window_of(const KernelArgs& a, int64_t n, int64_t c, const Windows3& windows) noexcept {
  const Strides5& s = a.saved_strides;
  return {a, reinterpret_cast<const E*>(a.saved) + n * s[dim_n] + c * s[dim_c], s, windows};
}

template <class E, Split kSplit>
struct LpSpread : ChannelRangeKernel<E, kSplit> {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    scatter_planes<E, kSplit>(a, tile, [&](const ChannelRange& r, Sums<E>& sums, int64_t od, int64_t oh, int64_t ow) {
      const Windows3 windows = Windows3::of(a, od, oh, ow);
      for (int64_t c = r.begin; c < r.end; ++c) {
        const LpWindow<E> lp = window_of<E>(a, r.n, c, windows);
        if (lp.flat()) continue;
        const double grad = load<E>(a.input, offset5(a.input_strides, r.n, c, od, oh, ow));
        windows.for_each(a, [&](const Cell3& at) { sum_at(sums, c - r.begin, at) += static_cast<Sum<E>>(grad * lp.slope(at)); });
      }
    });
  }
};

template <class E, Split kSplit>
struct LpBend : ChannelRangeKernel<E, kSplit> {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    scatter_planes<E, kSplit>(a, tile, [&](const ChannelRange& r, Sums<E>& sums, int64_t od, int64_t oh, int64_t ow) {
      const Windows3 windows = Windows3::of(a, od, oh, ow);
      for (int64_t c = r.begin; c < r.end; ++c) {
        const LpWindow<E> lp = window_of<E>(a, r.n, c, windows);
        if (lp.flat()) continue;
        const double grad = load<E>(a.grad, offset5(a.grad_strides, r.n, c, od, oh, ow));
        const auto gg = [&](const Cell3& at) { return load<E>(a.input, offset5(a.input_strides, r.n, c, at.d, at.h, at.w)); };
        double along = 0;  // how the norm changes along gg
        windows.for_each(a, [&](const Cell3& at) { along += gg(at) * lp.slope(at); });
        windows.for_each(a, [&](const Cell3& at) {
          const double bend = gg(at) * lp.curvature(at) + lp.shared_curvature() * lp.slope(at) * along;
          sum_at(sums, c - r.begin, at) += static_cast<Sum<E>>(grad * bend);
        });
      }
    });
  }
};

}  // namespace

std::span<const KernelEntry> lp_pool_reference_backward_kernels(int64_t /*target*/) {
  static constexpr auto table = join(
      channel_range_entries<LpSpread>({.name = "reference", .ops = Op::lp, .passes = Pass::backward}, "reference_channels", FloatTypes()),
      channel_range_entries<LpBend>({.name = "reference", .ops = Op::lp, .passes = Pass::double_backward_input}, "reference_channels",
                                    FloatTypes()));
  return table;
}

}  // namespace tidepool::inline v0_1::detail
