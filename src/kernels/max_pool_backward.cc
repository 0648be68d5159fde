// The two backward passes of max and min pooling: gradients go to the winners, and come back from them.
#include <array>

#include "kernels/index_store.h"
#include "kernels/kernel.h"
#include "kernels/scatter.h"

namespace tidepool::detail {
namespace {

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

template <class E, Split kSplit>
struct MaxScatter {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const E* grad = reinterpret_cast<const E*>(a.input);
    scatter_planes<E, kSplit>(a, tile, [&](const ChannelRange& r, Sums<E>& sums, int64_t od, int64_t oh, int64_t ow) {
      for (int64_t c = r.begin; c < r.end; ++c) {
        const int64_t index = load_index(a, offset5(a.index_strides, r.n, c, od, oh, ow));
        const int64_t cell = cell_offset(a, sums.strides, index, index_origin(a, r.n, c), od, oh, ow);
        if (cell == no_cell) continue;
        sums.data[cell + (c - r.begin) * sums.strides[dim_c]] += static_cast<Sum<E>>(grad[offset5(a.input_strides, r.n, c, od, oh, ow)]);
      }
    });
  }
};

template <class E, Split kSplit>
struct MaxGather {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const E* from = reinterpret_cast<const E*>(a.input);
    E* out = reinterpret_cast<E*>(a.output);
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const ChannelRange r = ChannelRange::of(a, kSplit, u);
      for_each_output(a, [&](int64_t od, int64_t oh, int64_t ow) {
        for (int64_t c = r.begin; c < r.end; ++c) {
          const int64_t index = load_index(a, offset5(a.index_strides, r.n, c, od, oh, ow));
          const int64_t cell = cell_offset(a, a.input_strides, index, index_origin(a, r.n, c), od, oh, ow);
          const int64_t plane = r.n * a.input_strides[dim_n] + c * a.input_strides[dim_c];
          out[offset5(a.output_strides, r.n, c, od, oh, ow)] = cell == no_cell ? E() : from[plane + cell];
        }
      });
    }
  }
};

}  // namespace

std::span<const KernelEntry> max_pool_backward_kernels() {
  static constexpr auto entries = [] {
    constexpr std::array ops = {Op::max, Op::min};
    constexpr auto scatter = plane_entries<MaxScatter>("scatter", "scatter_channels", Pass::backward, ops);
    constexpr auto gather = plane_entries<MaxGather>("gather", "gather_channels", Pass::double_backward, ops);
    std::array<KernelEntry, scatter.size() + gather.size()> all{};
    std::copy(scatter.begin(), scatter.end(), all.begin());
    std::copy(gather.begin(), gather.end(), all.begin() + scatter.size());
    return all;
  }();
  return entries;
}

}  // namespace tidepool::detail
