// Kernels that follow indices between a plane and its pooled cells: the backward passes of max pooling, and of unpooling.
#pragma once

#include "kernels/index_store.h"
#include "kernels/kernel.h"
#include "kernels/scatter.h"

namespace tidepool::detail {

inline constexpr int64_t no_cell = INT64_MIN;

// Offset in the plane's strides of the cell that an index of output (od, oh, ow) names, or no_cell.
inline int64_t cell_offset(const KernelArgs& a, const Strides5& s, int64_t index, int64_t n, int64_t c, int64_t od, int64_t oh,
                           int64_t ow) noexcept {
  int64_t d, h, w;
  if (index == a.no_index) return no_cell;
  if (a.index_base == IndexBase::window) {
    const int64_t* starts = a.starts_of(n, c);
    const Window wd = a.depth.window(od, starts), wh = a.height.window(oh, starts), ww = a.width.window(ow, starts);
    if (wd.count == 0 || wh.count == 0 || ww.count == 0) return no_cell;
    w = ww.begin + (index % a.width.kernel - ww.first_tap) * a.width.dilation;
    index /= a.width.kernel;
    h = wh.begin + (index % a.height.kernel - wh.first_tap) * a.height.dilation;
    d = wd.begin + (index / a.height.kernel - wd.first_tap) * a.depth.dilation;
  } else {
    index -= index_origin(a, n, c);
    w = index % a.width.input;
    index /= a.width.input;
    h = index % a.height.input;
    d = index / a.height.input;
  }
  return d * s[dim_d] + h * s[dim_h] + w * s[dim_w];
}

// Adds every gradient to the cell its index names.
template <class E, Split kSplit>
struct IndexScatter {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const E* grad = reinterpret_cast<const E*>(a.input);
    scatter_planes<E, kSplit>(a, tile, [&](const ChannelRange& r, Sums<E>& sums, int64_t od, int64_t oh, int64_t ow) {
      for (int64_t c = r.begin; c < r.end; ++c) {
        const int64_t index = load_index(a, offset5(a.index_strides, r.n, c, od, oh, ow));
        const int64_t cell = cell_offset(a, sums.strides, index, r.n, c, od, oh, ow);
        if (cell == no_cell) continue;
        sums.data[cell + (c - r.begin) * sums.strides[dim_c]] += static_cast<Sum<E>>(grad[offset5(a.input_strides, r.n, c, od, oh, ow)]);
      }
    });
  }
};

// Fetches what lies in the cell that each index names.
template <class E, Split kSplit>
struct IndexGather {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const E* from = reinterpret_cast<const E*>(a.input);
    E* out = reinterpret_cast<E*>(a.output);
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const ChannelRange r = ChannelRange::of(a, kSplit, u);
      for_each_output(a, [&](int64_t od, int64_t oh, int64_t ow) {
        for (int64_t c = r.begin; c < r.end; ++c) {
          const int64_t index = load_index(a, offset5(a.index_strides, r.n, c, od, oh, ow));
          const int64_t cell = cell_offset(a, a.input_strides, index, r.n, c, od, oh, ow);
          const int64_t plane = r.n * a.input_strides[dim_n] + c * a.input_strides[dim_c];
          out[offset5(a.output_strides, r.n, c, od, oh, ow)] = cell == no_cell ? E() : from[plane + cell];
        }
      });
    }
  }
};

}  // namespace tidepool::detail
