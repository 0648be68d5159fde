// Max unpooling: values are placed where their indices say, gradients fetched from there.
#include <array>

#include "kernels/index_scatter.h"
#include "kernels/kernel.h"

namespace tidepool::detail {
namespace {

// Values are only moved, so that elements of one size share their code. Outputs are placed in row-major order: the last of two stays.
template <class Bits, Split kSplit>
struct Place {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const Bits* from = reinterpret_cast<const Bits*>(a.input);
    Bits* out = reinterpret_cast<Bits*>(a.output);
    const Strides5& s = a.output_strides;
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const ChannelRange r = ChannelRange::of(a, kSplit, u);
      for (int64_t d = 0; d < a.depth.input; ++d)
        for (int64_t h = 0; h < a.height.input; ++h)
          for (int64_t w = 0; w < a.width.input; ++w)
            for (int64_t c = r.begin; c < r.end; ++c) out[offset5(s, r.n, c, d, h, w)] = 0;
      for_each_output(a, [&](int64_t od, int64_t oh, int64_t ow) {
        for (int64_t c = r.begin; c < r.end; ++c) {
          const int64_t index = load_index(a, offset5(a.index_strides, r.n, c, od, oh, ow));
          const int64_t cell = cell_offset(a, s, index, r.n, c, od, oh, ow);
          out[r.n * s[dim_n] + c * s[dim_c] + cell] = from[offset5(a.input_strides, r.n, c, od, oh, ow)];
        }
      });
    }
  }
};

template <class Bits, Split kSplit>
constexpr KernelEntry place(DType dtype) {
  constexpr bool planes = kSplit == Split::planes;
  return {.name = planes ? "place" : "place_channels",
          .op = Op::unpool,
          .pass = Pass::forward,
          .dtype = dtype,
          .target = 0,
          .split = kSplit,
          .fits = planes ? fits_planes : fits_blocks,
          .cost = planes ? cost_planes : cost_blocks,
          .scratch_bytes = no_scratch,
          .grain = unit_grain,
          .run = Place<Bits, kSplit>::run};
}

template <size_t kBytes>
using Bits = std::conditional_t<kBytes == 1, uint8_t,
                                std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;

}  // namespace

std::span<const KernelEntry> max_unpool_kernels() {
  static constexpr auto entries = [] {
    constexpr std::array places = {
#define TIDEPOOL_X(name, type, kind) \
  place<Bits<sizeof(type)>, Split::planes>(DType::name), place<Bits<sizeof(type)>, Split::channel_blocks>(DType::name),
        TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
    };
    constexpr auto gather = plane_entries<IndexGather>("gather", "gather_channels", Pass::backward, std::array{Op::unpool});
    constexpr auto scatter = plane_entries<IndexScatter>("scatter", "scatter_channels", Pass::double_backward, std::array{Op::unpool});
    return join(places, gather, scatter);
  }();
  return entries;
}

}  // namespace tidepool::detail
