// Backward passes work on ranges of channels, and add gradients into the cells of their planes. The outputs of a plane are walked in
// row-major order, so that a cell adds its windows in PyTorch's order and the sum has the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <array>

#include "kernels/element.h"
#include "kernels/entries.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

// Channels [begin, end) of one batch item: one plane, or a block of planes whose channels are adjacent in memory.
struct ChannelRange {
  int64_t n, begin, end;

  static ChannelRange of(const KernelArgs& a, Split split, int64_t unit) noexcept {
    if (split == Split::planes) return {unit / a.channels, unit % a.channels, unit % a.channels + 1};
    const int64_t blocks = (a.channels + channel_block - 1) / channel_block;
    const int64_t begin = unit % blocks * channel_block;
    return {unit / blocks, begin, std::min(begin + channel_block, a.channels)};
  }
};

inline int64_t offset5(const Strides5& s, int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) noexcept {
  return n * s[dim_n] + c * s[dim_c] + d * s[dim_d] + h * s[dim_h] + w * s[dim_w];
}

// Calls visit(od, oh, ow) for every output of a plane, row-major.
template <class Visit>
void for_each_output(const KernelArgs& a, Visit visit) noexcept {
  for (int64_t od = 0; od < a.depth.output; ++od)
    for (int64_t oh = 0; oh < a.height.output; ++oh)
      for (int64_t ow = 0; ow < a.width.output; ++ow) visit(od, oh, ow);
}

// Where the sums of some channels grow: in the output itself, or for 16-bit floats in scratch, one float a cell.
template <class E>
struct Sums {
  Sum<E>* data;
  Strides5 strides;  // of the cells; channels count from the range's first

  // The same for all ranges of a split.
  static Strides5 strides_of(const KernelArgs& a, Split split) noexcept {
    if constexpr (!is_half<E>) return a.output_strides;
    const int64_t width = split == Split::planes ? 1 : std::min(channel_block, a.channels);
    return {0, 1, a.height.input * a.width.input * width, a.width.input * width, width};
  }
  Sums(const KernelArgs& a, Split split, const ChannelRange& r, std::byte* scratch) noexcept
      : data(reinterpret_cast<Sum<E>*>(is_half<E> ? scratch : a.output)), strides(strides_of(a, split)) {
    if constexpr (!is_half<E>) data += r.n * strides[dim_n] + r.begin * strides[dim_c];
  }

  template <class Visit>
  static void for_each_cell(const KernelArgs& a, const ChannelRange& r, Visit visit) noexcept {
    for (int64_t d = 0; d < a.depth.input; ++d)
      for (int64_t h = 0; h < a.height.input; ++h)
        for (int64_t w = 0; w < a.width.input; ++w)
          for (int64_t c = 0; c < r.end - r.begin; ++c) visit(c, d, h, w);
  }
  void clear(const KernelArgs& a, const ChannelRange& r) noexcept {
    for_each_cell(a, r, [&](int64_t c, int64_t d, int64_t h, int64_t w) { data[offset5(strides, 0, c, d, h, w)] = 0; });
  }
  // Rounds what was summed aside into the output.
  void finish(const KernelArgs& a, const ChannelRange& r) const noexcept {
    if constexpr (is_half<E>)
      for_each_cell(a, r, [&](int64_t c, int64_t d, int64_t h, int64_t w) {
        reinterpret_cast<E*>(a.output)[offset5(a.output_strides, r.n, r.begin + c, d, h, w)] = E(data[offset5(strides, 0, c, d, h, w)]);
      });
  }
};

// Body: add(a, range, sums, od, oh, ow) adds the gradient of one output, for all channels of the range.
template <class E, Split kSplit, class Body>
void scatter_planes(const KernelArgs& a, const Tile& tile, Body body) noexcept {
  for (int64_t u = tile.begin; u < tile.end; ++u) {
    const ChannelRange r = ChannelRange::of(a, kSplit, u);
    Sums<E> sums(a, kSplit, r, tile.scratch);
    sums.clear(a, r);
    for_each_output(a, [&](int64_t od, int64_t oh, int64_t ow) { body(r, sums, od, oh, ow); });
    sums.finish(a, r);
  }
}

template <class E, Split kSplit>
int64_t scatter_scratch(const Problem& p) {
  const int64_t channels = kSplit == Split::planes ? 1 : std::min(channel_block, p.geometry.channels());
  return is_half<E> ? p.geometry.input_plane() * channels * static_cast<int64_t>(sizeof(float)) : 0;
}

// Base of kernels whose units are ranges of channels: planes one by one, which fits any layout, or blocks of adjacent channels.
template <class E, Split kSplit>
struct ChannelRangeKernel : SimpleKernel {
  static constexpr bool planes = kSplit == Split::planes;
  static Fit fits(const Problem& p) {
    return {planes || p.layout == Layout::channels_last ? nullptr : "channels are not adjacent in memory"};
  }
  static int64_t scratch_bytes(const Problem& p) { return scatter_scratch<E, kSplit>(p); }
};

// A kernel for adjacent columns or channels, with another for any strides, should arrays turn out not to be as adjacent as the plan hoped.
template <class Kernel, class Otherwise>
struct WithReferenceFallback : Kernel {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    Kernel::is_adjacent(a) ? Kernel::run(a, tile) : Otherwise::run(a, tile);
  }
  static int64_t scratch_bytes(const Problem& p) { return std::max(Kernel::scratch_bytes(p), Otherwise::scratch_bytes(p)); }
};

// The entries of Kernel<E, kSplit> for both splits.
template <template <class, Split> class Kernel, class... E>
constexpr auto channel_range_entries(EntryForm form, std::string_view channels_name, Types<E...>) {
  form.split = Split::planes;
  EntryForm blocks = form;
  blocks.name = channels_name, blocks.split = Split::channel_blocks;
  return std::array{entry<Kernel<E, Split::planes>, E>(form)..., entry<Kernel<E, Split::channel_blocks>, E>(blocks)...};
}

}  // namespace tidepool::inline v0_1::detail
