// The backward pass of average and sum pooling by the book: every cell of a window gets its share, window after window.
#pragma once

#include "kernels/backward/channel_range.h"
#include "kernels/kernel.h"
#include "kernels/reference/avg_pool_cell.h"

namespace tidepool::inline v0_1::detail {

template <class E, Split kSplit>
struct AvgSpread : ChannelRangeKernel<E, kSplit> {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const E* grad = reinterpret_cast<const E*>(a.input);
    scatter_planes<E, kSplit>(a, tile, [&](const ChannelRange& r, Sums<E>& sums, int64_t od, int64_t oh, int64_t ow) {
      const Window wd = a.depth.window(od), wh = a.height.window(oh), ww = a.width.window(ow);
      const int64_t divisor = divisor_of(a, wd, wh, ww);
      if (divisor == 0) return;
      for (int64_t c = r.begin; c < r.end; ++c) {
        const Sum<E> share = static_cast<Sum<E>>(grad[offset5(a.input_strides, r.n, c, od, oh, ow)]) / static_cast<Sum<E>>(divisor);
        for (int64_t td = 0; td < wd.count; ++td)
          for (int64_t th = 0; th < wh.count; ++th)
            for (int64_t tw = 0; tw < ww.count; ++tw)
              sums.data[offset5(sums.strides, 0, c - r.begin, wd.begin + td * a.depth.dilation, wh.begin + th * a.height.dilation,
                                ww.begin + tw * a.width.dilation)] += share;
      }
    });
  }
};

}  // namespace tidepool::inline v0_1::detail
