// Max unpooling: values are placed where their indices say, gradients fetched from there.
#include <array>

#include "kernels/backward/indexed.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {
namespace {

// Values are only moved, so that elements of one size share their code. Outputs are placed in row-major order: the last of two stays.
template <class Bits, Split kSplit>
struct Place {
  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const Bits* from = reinterpret_cast<const Bits*>(a.input);
    const Strides5& s = a.output_strides;
    const Follower follower(a, s, a.input_strides);
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const ChannelRange r = ChannelRange::of(a, kSplit, u);
      Bits* planes = reinterpret_cast<Bits*>(a.output) + r.n * s[dim_n] + r.begin * s[dim_c];
      ZeroAhead<Bits> zero(a, r, planes, s);
      follower.template follow<kSplit>(r, [&](int64_t end) { zero(end); }, [=](int64_t cell, int64_t at) { planes[cell] = from[at]; });
      zero(a.input_plane());
    }
  }
};

template <class Bits, Split kSplit>
constexpr KernelEntry place(DType dtype) {
  constexpr bool planes = kSplit == Split::planes;
  return {.name = planes ? "indexed" : "indexed_channels",
          .ops = Op::unpool,
          .passes = Pass::forward,
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

std::span<const KernelEntry> max_unpool_kernels(int64_t /*target*/) {
  static constexpr auto entries = [] {
    constexpr std::array places = {
#define TIDEPOOL_X(name, type, kind) \
  place<Bits<sizeof(type)>, Split::planes>(DType::name), place<Bits<sizeof(type)>, Split::channel_blocks>(DType::name),
        TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
    };
    constexpr auto gather = plane_entries<IndexGather>("indexed", "indexed_channels", Pass::backward, Op::unpool);
    constexpr auto scatter = plane_entries<IndexScatter>("indexed", "indexed_channels", Pass::double_backward, Op::unpool);
    return join(places, gather, scatter);
  }();
  return entries;
}

}  // namespace tidepool::inline v0_1::detail
