// The frame of backward passes that add gradients into cells. The outputs of a plane are walked in row-major order, so that a cell
// adds its windows in PyTorch's order and the sum has the same bits for any number of threads; planes are the unit of work.
#pragma once

#include <algorithm>
#include <array>

#include "kernels/element.h"
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

inline Fit fits_planes(const Problem&) { return {}; }
inline Fit fits_blocks(const Problem& p) { return {p.layout == Layout::channels_last ? nullptr : "channels are not adjacent in memory"}; }
inline double cost_planes(const Problem& p) { return p.layout == Layout::channels_last ? 8 : 2; }
inline double cost_blocks(const Problem&) { return 4; }

// What a cell of the input has its share of: the costs of backward passes are made of that.
struct CellCounts {
  double windows, outputs, rows, planes;

  explicit CellCounts(const Geometry& g) noexcept : windows(1), planes(1 / number(std::max<int64_t>(g.input_plane(), 1))) {
    outputs = number(g.output_plane()) * planes;
    rows = outputs / number(std::max<int64_t>(g.width().output(), 1));
    for (int i = 0; i < 3; ++i) {
      const Axis& x = g.axis(i);
      const double cells = number(x.output()) * number(x.kernel()) - number(x.pad_before()) - number(x.pad_after());
      windows *= std::max(cells, 0.0) / number(std::max<int64_t>(x.input(), 1));
    }
  }

 private:
  static double number(int64_t n) noexcept { return static_cast<double>(n); }
};

template <class E, Split kSplit>
int64_t scatter_scratch(const Problem& p) {
  const int64_t channels = kSplit == Split::planes ? 1 : std::min(channel_block, p.geometry.channels());
  return is_half<E> ? p.geometry.input_plane() * channels * static_cast<int64_t>(sizeof(float)) : 0;
}

// The entries of one backward kernel for the floating dtypes, ops and both splits. Kernel<E, kSplit>::run is the code; a cost of its own it
// may have.
template <template <class, Split> class Kernel>
constexpr auto plane_entries(std::string_view planes_name, std::string_view blocks_name, Pass pass, EnumSet<Op> ops) {
  std::array<KernelEntry, 8> all{};
  size_t i = 0;
  const auto add_entries = [&]<class E, Split kSplit>(DType dtype) {
    constexpr bool planes = kSplit == Split::planes;
    double (*cost)(const Problem&) = planes ? cost_planes : cost_blocks;
    if constexpr (requires { Kernel<E, kSplit>::cost; }) cost = Kernel<E, kSplit>::cost;
    all[i++] = KernelEntry{.name = planes ? planes_name : blocks_name,
                           .ops = ops,
                           .passes = pass,
                           .dtype = dtype,
                           .target = 0,
                           .split = kSplit,
                           .fits = planes ? fits_planes : fits_blocks,
                           .cost = cost,
                           .scratch_bytes = scatter_scratch<E, kSplit>,
                           .grain = unit_grain,
                           .run = Kernel<E, kSplit>::run};
  };
  const auto add_dtype = [&]<class E>(DType dtype) {
    add_entries.template operator()<E, Split::planes>(dtype);
    add_entries.template operator()<E, Split::channel_blocks>(dtype);
  };
  add_dtype.template operator()<float>(DType::f32);
  add_dtype.template operator()<double>(DType::f64);
  add_dtype.template operator()<Half>(DType::f16);
  add_dtype.template operator()<BFloat16>(DType::bf16);
  return all;
}

}  // namespace tidepool::inline v0_1::detail
