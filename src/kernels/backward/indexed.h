// Kernels that follow indices: gradients are added where they point, or fetched from there.
#pragma once

#include <type_traits>

#include "kernels/backward/index_follower.h"

namespace tidepool::inline v0_1::detail {

// Adds every gradient to the cell its index names.
template <class E, Split kSplit>
struct IndexScatter : ChannelRangeKernel<E, kSplit> {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    // Of windows that do not overlap a cell gets one gradient, which needs no wider sum.
    if (is_half<E> && a.index_base == IndexBase::window && has_disjoint_windows(a))
      run_in<E>(a, tile);
    else
      run_in<Sum<E>>(a, tile);
  }

 private:
  template <class Cell>
  static void run_in(const KernelArgs& a, const Tile& tile) noexcept {
    using S = Sum<E>;
    const E* grad = reinterpret_cast<const E*>(a.input);
    constexpr bool in_place = std::is_same_v<Cell, E>;
    const Strides5 strides = in_place ? a.output_strides : Sums<E>::strides_of(a, kSplit);
    const Follower follower(a, strides, a.input_strides);
    for (int64_t u = tile.begin; u < tile.end;) {
      ChannelRange r = ChannelRange::of(a, kSplit, u++);
      // Blocks of one image together: whole cells are written at once.
      if constexpr (in_place && kSplit == Split::channel_blocks)
        for (; u < tile.end && ChannelRange::of(a, kSplit, u).n == r.n; ++u) r.end = ChannelRange::of(a, kSplit, u).end;
      Cell* cells = reinterpret_cast<Cell*>(tile.scratch);
      if constexpr (in_place) cells = reinterpret_cast<Cell*>(a.output) + r.n * strides[dim_n] + r.begin * strides[dim_c];
      ZeroAhead<Cell> zero(a, r, cells, strides);
      follower.template follow<kSplit>(
          r, [&](int64_t end) { zero(end); },
          [=](int64_t cell, int64_t from) { cells[cell] = static_cast<Cell>(static_cast<S>(cells[cell]) + static_cast<S>(grad[from])); });
      zero(a.input_plane());
      if constexpr (!in_place) Sums<E>(a, kSplit, r, tile.scratch).finish(a, r);
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
