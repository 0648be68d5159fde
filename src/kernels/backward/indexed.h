// Kernels that follow indices: gradients are added where they point, or fetched from there.
#pragma once

#include "kernels/backward/index_follower.h"

namespace tidepool::inline v0_1::detail {

// Adds every gradient to the cell its index names.
template <class E, Split kSplit>
struct IndexScatter : ChannelRangeKernel<E, kSplit> {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const E* grad = reinterpret_cast<const E*>(a.input);
    const Strides5 strides = Sums<E>::strides_of(a, kSplit);
    const Follower follower(a, strides, a.input_strides);
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const ChannelRange r = ChannelRange::of(a, kSplit, u);
      Sums<E> sums(a, kSplit, r, tile.scratch);
      ZeroAhead<Sum<E>> zero(a, r, sums.data, sums.strides);
      Sum<E>* cells = sums.data;
      follower.template follow<kSplit>(
          r, [&](int64_t end) { zero(end); }, [=](int64_t cell, int64_t from) { cells[cell] += static_cast<Sum<E>>(grad[from]); });
      zero(a.input_plane());
      sums.finish(a, r);
    }
  }
};

// Fetches what lies in the cell that each index names.
template <class E, Split kSplit>
struct IndexGather : ChannelRangeKernel<E, kSplit> {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const Strides5 &s = a.input_strides, &o = a.output_strides;
    E* out = reinterpret_cast<E*>(a.output);
    const Follower follower(a, s, a.output_strides);
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const ChannelRange r = ChannelRange::of(a, kSplit, u);
      const E* planes = reinterpret_cast<const E*>(a.input) + r.n * s[dim_n] + r.begin * s[dim_c];
      // Outputs that came from nowhere are passed over.
      clear_rows(out + r.n * o[dim_n] + r.begin * o[dim_c], o, a.depth.output * a.height.output, a.height.output, a.width.output,
                 r.end - r.begin);
      follower.template follow<kSplit>(r, [](int64_t) {}, [=](int64_t cell, int64_t to) { out[to] = planes[cell]; });
    }
  }
};

}  // namespace tidepool::inline v0_1::detail
