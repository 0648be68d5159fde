// The planes traversal: eight planes at once, each cell of a window from all of them. An accumulator waits for its last addition before
// the next; eight of them wait together. For any strides and windows, and for planes too small or steps too wide for vectors.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "core/portable.h"
#include "kernels/element.h"
#include "kernels/entries.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

inline constexpr int64_t planes_at_once = 8;

// f(0) … f(kCount - 1) with constants: loops over small arrays would keep their elements in memory.
template <size_t kCount, class F>
TIDEPOOL_ALWAYS_INLINE void each_plane(F f) {
  [&]<size_t... kI>(std::index_sequence<kI...>)
      TIDEPOOL_INLINE_LAMBDA { (f(std::integral_constant<size_t, kI>()), ...); }(std::make_index_sequence<kCount>());
}

// The windows of one axis, looked up once: bins cost divisions.
class WindowCache {
 public:
  explicit WindowCache(const AxisTable& axis) noexcept : axis_(axis) {
    if (axis.output <= most)
      for (int64_t o = 0; o < axis.output; ++o) windows_[static_cast<size_t>(o)] = axis.window(o);
  }
  Window operator[](int64_t o) const noexcept { return axis_.output <= most ? windows_[static_cast<size_t>(o)] : axis_.window(o); }

 private:
  static constexpr int64_t most = 64;
  const AxisTable& axis_;
  std::array<Window, most> windows_;
};

// Policy: Stored, what memory holds; Accumulator with take(value); finisher(a, windows…), which gives a function that turns an
// accumulator into the output at a position.
template <class Policy>
struct PlanesTraversal : SimpleKernel {
  using T = typename Policy::Stored;

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const WindowCache widths(a.width), heights(a.height);
    const auto is_dense = [&](const Strides5& s) { return s[dim_n] == a.channels * s[dim_c]; };
    const bool dense = is_dense(a.input_strides) && is_dense(a.output_strides);
    for (int64_t u = tile.begin; u < tile.end;) {
      const int64_t together = std::min(tile.end - u, dense ? planes_at_once : a.channels - u % a.channels);
      if (together >= planes_at_once)
        run_planes<planes_at_once>(a, widths, heights, u), u += planes_at_once;
      else
        run_planes<1>(a, widths, heights, u), u += 1;
    }
  }

  // kCount planes from `first` on, at equal distances.
  template <int64_t kCount>
  static void run_planes(const KernelArgs& a, const WindowCache& widths, const WindowCache& heights, int64_t first) noexcept {
    RowPosition p;
    p.n = first / a.channels, p.c = first % a.channels;
    const Strides5 &s = a.input_strides, &o = a.output_strides;
    const T* in = reinterpret_cast<const T*>(a.input) + p.offset(s);
    T* out = reinterpret_cast<T*>(a.output) + p.offset(o);
    const int64_t apart = s[dim_c], step = a.width.dilation * s[dim_w];
    // Small planes are walked side by side, which no prefetcher follows: the next ones are asked for while these are worked on.
    if (const int64_t bytes = kCount * apart * static_cast<int64_t>(sizeof(T)); bytes > 0 && bytes <= 16384)
      for (int64_t i = 0; i < bytes; i += 64) TIDEPOOL_PREFETCH_READ(reinterpret_cast<uintptr_t>(in) + static_cast<uintptr_t>(bytes + i));
    for (int64_t od = 0; od < a.depth.output; ++od) {
      const Window wd = a.depth.window(od);
      for (int64_t oh = 0; oh < a.height.output; ++oh) {
        const Window wh = heights[oh];
        for (int64_t ow = 0; ow < a.width.output; ++ow) {
          const Window ww = widths[ow];
          std::array<typename Policy::Accumulator, kCount> sums{};
          for (int64_t td = 0; td < wd.count; ++td)
            for (int64_t th = 0; th < wh.count; ++th) {
              const T* x =
                  in + (wd.begin + td * a.depth.dilation) * s[dim_d] + (wh.begin + th * a.height.dilation) * s[dim_h] + ww.begin * s[dim_w];
              // Three pointers reach eight planes by one index register.
              const T *x3 = x + 3 * apart, *x6 = x3 + 3 * apart;
              for (int64_t tw = 0; tw < ww.count; ++tw, x += step, x3 += step, x6 += step)
                each_plane<kCount>([&](auto i) TIDEPOOL_INLINE_LAMBDA {
                  const T* from = i < 3 ? x : i < 6 ? x3 : x6;
                  sums[i].accumulate(from[static_cast<int64_t>(i % 3) * apart]);
                });
            }
          const auto finish = Policy::finisher(a, wd, wh, ww);
          T* to = out + od * o[dim_d] + oh * o[dim_h] + ow * o[dim_w];
          p.od = od, p.oh = oh;
          each_plane<kCount>([&](auto i) TIDEPOOL_INLINE_LAMBDA {
            finish(sums[i], p, first + static_cast<int64_t>(i), ow, to + static_cast<int64_t>(i) * o[dim_c]);
          });
        }
      }
    }
  }

  static Fit fits(const Problem& p) {
    if (p.geometry.batch() * p.geometry.channels() < planes_at_once) return {"fewer than eight planes"};
    return fits_steps(p);
  }
  static int64_t grain(const Problem&) { return planes_at_once; }
};

}  // namespace tidepool::inline v0_1::detail
