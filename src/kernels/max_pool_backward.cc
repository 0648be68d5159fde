// The two backward passes of max and min pooling. Both walk the outputs of a plane in row-major order, so that a cell adds its
// windows in PyTorch's order and the sum has the same bits for any number of threads; planes are the unit of work.
#include <array>
#include <cstring>

#include "kernels/index_store.h"
#include "kernels/kernel.h"
#include "kernels/max_pool_cell.h"

namespace tidepool::detail {
namespace {

// Sums are kept in the element type, as PyTorch does for f32 and f64; 16-bit floats are summed in float and rounded once.
template <class E>
using Sum = std::conditional_t<is_half<E>, float, E>;

// Channels [begin, end) of one batch item.
struct ChannelRange {
  int64_t n, begin, end;
};

ChannelRange channels_of(const KernelArgs& a, Split split, int64_t unit) noexcept {
  if (split == Split::planes) return {unit / a.channels, unit % a.channels, unit % a.channels + 1};
  const int64_t blocks = (a.channels + channel_block - 1) / channel_block;
  const int64_t begin = unit % blocks * channel_block;
  return {unit / blocks, begin, std::min(begin + channel_block, a.channels)};
}

constexpr int64_t no_cell = INT64_MIN;

// Offset in the plane's strides of the cell that an index of output (od, oh, ow) names, or no_cell.
int64_t cell_offset(const KernelArgs& a, const Strides5& s, int64_t index, int64_t origin, int64_t od, int64_t oh, int64_t ow) noexcept {
  int64_t d, h, w;
  if (index == a.no_index) return no_cell;
  if (a.index_base == IndexBase::window) {
    if (a.depth.window(od).count == 0 || a.height.window(oh).count == 0 || a.width.window(ow).count == 0) return no_cell;
    w = a.width.start(ow) + index % a.width.kernel * a.width.dilation;
    index /= a.width.kernel;
    h = a.height.start(oh) + index % a.height.kernel * a.height.dilation;
    d = a.depth.start(od) + index / a.height.kernel * a.depth.dilation;
  } else {
    index -= origin;
    w = index % a.width.input;
    index /= a.width.input;
    h = index % a.height.input;
    d = index / a.height.input;
  }
  return d * s[dim_d] + h * s[dim_h] + w * s[dim_w];
}

// Calls visit(output offset of (od, oh, ow), od, oh, ow) for every output of a plane, row-major.
template <class Visit>
void for_each_output(const KernelArgs& a, Visit visit) noexcept {
  for (int64_t od = 0; od < a.depth.output; ++od)
    for (int64_t oh = 0; oh < a.height.output; ++oh)
      for (int64_t ow = 0; ow < a.width.output; ++ow) visit(od, oh, ow);
}

int64_t at(const Strides5& s, int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) noexcept {
  return n * s[dim_n] + c * s[dim_c] + d * s[dim_d] + h * s[dim_h] + w * s[dim_w];
}

template <class E, Split kSplit>
void scatter(const KernelArgs& a, const Tile& tile) noexcept {
  const E* grad = reinterpret_cast<const E*>(a.input);
  E* out = reinterpret_cast<E*>(a.output);
  // 16-bit sums live in scratch, one float a cell, until the plane is done.
  Sum<E>* sums = is_half<E> ? reinterpret_cast<Sum<E>*>(tile.scratch) : reinterpret_cast<Sum<E>*>(a.output);
  for (int64_t u = tile.begin; u < tile.end; ++u) {
    const ChannelRange r = channels_of(a, kSplit, u);
    const int64_t width = r.end - r.begin;
    const Strides5 dense = {0, 1, a.height.input * a.width.input * width, a.width.input * width, width};
    const Strides5& s = is_half<E> ? dense : a.output_strides;
    const int64_t base = is_half<E> ? 0 : r.n * s[dim_n] + r.begin * s[dim_c];
    const auto for_each_cell = [&](auto visit) {
      for (int64_t d = 0; d < a.depth.input; ++d)
        for (int64_t h = 0; h < a.height.input; ++h)
          for (int64_t w = 0; w < a.width.input; ++w)
            for (int64_t c = 0; c < width; ++c) visit(c, d, h, w);
    };
    for_each_cell([&](int64_t c, int64_t d, int64_t h, int64_t w) { sums[base + at(s, 0, c, d, h, w)] = Sum<E>(); });
    for_each_output(a, [&](int64_t od, int64_t oh, int64_t ow) {
      for (int64_t c = 0; c < width; ++c) {
        const int64_t channel = r.begin + c;
        const int64_t index = load_index(a, at(a.index_strides, r.n, channel, od, oh, ow));
        const int64_t cell = cell_offset(a, s, index, index_origin(a, r.n, channel), od, oh, ow);
        if (cell == no_cell) continue;
        Sum<E>& sum = sums[base + cell + c * s[dim_c]];
        sum += static_cast<Sum<E>>(grad[at(a.input_strides, r.n, channel, od, oh, ow)]);
      }
    });
    if constexpr (is_half<E>)
      for_each_cell([&](int64_t c, int64_t d, int64_t h, int64_t w) {
        out[at(a.output_strides, r.n, r.begin + c, d, h, w)] = E(sums[at(dense, 0, c, d, h, w)]);
      });
  }
}

template <class E, Split kSplit>
void gather(const KernelArgs& a, const Tile& tile) noexcept {
  const E* from = reinterpret_cast<const E*>(a.input);
  E* out = reinterpret_cast<E*>(a.output);
  for (int64_t u = tile.begin; u < tile.end; ++u) {
    const ChannelRange r = channels_of(a, kSplit, u);
    for_each_output(a, [&](int64_t od, int64_t oh, int64_t ow) {
      for (int64_t c = r.begin; c < r.end; ++c) {
        const int64_t index = load_index(a, at(a.index_strides, r.n, c, od, oh, ow));
        const int64_t cell = cell_offset(a, a.input_strides, index, index_origin(a, r.n, c), od, oh, ow);
        const int64_t plane = r.n * a.input_strides[dim_n] + c * a.input_strides[dim_c];
        out[at(a.output_strides, r.n, c, od, oh, ow)] = cell == no_cell ? E() : from[plane + cell];
      }
    });
  }
}

Fit fits_planes(const Problem&) { return {}; }
Fit fits_blocks(const Problem& p) { return {p.layout == Layout::channels_last ? nullptr : "channels are not adjacent in memory"}; }
double cost_planes(const Problem& p) { return p.layout == Layout::channels_last ? 8 : 2; }
double cost_blocks(const Problem&) { return 4; }

template <class E, Split kSplit>
int64_t scatter_scratch(const Problem& p) {
  const int64_t channels = kSplit == Split::planes ? 1 : std::min(channel_block, p.geometry.channels());
  return is_half<E> ? p.geometry.input_plane() * channels * static_cast<int64_t>(sizeof(float)) : 0;
}

template <class E, Op op, Split kSplit>
constexpr std::array<KernelEntry, 2> entries_for(DType dtype) {
  constexpr bool planes = kSplit == Split::planes;
  KernelEntry e{.name = planes ? "scatter" : "scatter_channels",
                .op = op,
                .pass = Pass::backward,
                .dtype = dtype,
                .target = 0,
                .split = kSplit,
                .fits = planes ? fits_planes : fits_blocks,
                .cost = planes ? cost_planes : cost_blocks,
                .scratch_bytes = scatter_scratch<E, kSplit>,
                .grain = unit_grain,
                .run = scatter<E, kSplit>};
  KernelEntry g = e;
  g.name = planes ? "gather" : "gather_channels";
  g.pass = Pass::double_backward;
  g.scratch_bytes = no_scratch;
  g.run = gather<E, kSplit>;
  return {e, g};
}

template <class E>
constexpr std::array<KernelEntry, 8> entries_of(DType dtype) {
  std::array<KernelEntry, 8> all{};
  size_t i = 0;
  const auto add = [&](const std::array<KernelEntry, 2>& pair) {
    for (const KernelEntry& e : pair) all[i++] = e;
  };
  add(entries_for<E, Op::max, Split::planes>(dtype));
  add(entries_for<E, Op::min, Split::planes>(dtype));
  add(entries_for<E, Op::max, Split::channel_blocks>(dtype));
  add(entries_for<E, Op::min, Split::channel_blocks>(dtype));
  return all;
}

}  // namespace

std::span<const KernelEntry> max_pool_backward_kernels() {
  static constexpr auto entries = [] {
    std::array<KernelEntry, 32> all{};
    size_t i = 0;
    for (const auto& some :
         {entries_of<float>(DType::f32), entries_of<double>(DType::f64), entries_of<Half>(DType::f16), entries_of<BFloat16>(DType::bf16)})
      for (const KernelEntry& e : some) all[i++] = e;
    return all;
  }();
  return entries;
}

}  // namespace tidepool::detail
