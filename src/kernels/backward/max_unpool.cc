// Max unpooling: values are placed where their indices say, gradients fetched from there.
#include <array>

#include "kernels/backward/indexed.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {
namespace {

// Values are only moved, so that elements of one size share their code. Outputs are placed in row-major order: the last of two stays.
template <class Bits, Split kSplit>
struct Place : ChannelRangeKernel<Bits, kSplit> {
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

template <size_t kBytes>
using Bits = std::conditional_t<kBytes == 1, uint8_t,
                                std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;

template <class E, Split kSplit>
using PlaceElements = Place<Bits<sizeof(E)>, kSplit>;

}  // namespace

std::span<const KernelEntry> max_unpool_kernels(int64_t /*target*/) {
  static constexpr auto table = join(
      channel_range_entries<PlaceElements>({.name = "indexed", .ops = Op::unpool, .passes = Pass::forward}, "indexed_channels", AllTypes()),
      channel_range_entries<IndexGather>({.name = "indexed", .ops = Op::unpool, .passes = Pass::backward}, "indexed_channels",
                                         FloatTypes()),
      channel_range_entries<IndexScatter>({.name = "indexed", .ops = Op::unpool, .passes = Pass::double_backward}, "indexed_channels",
                                          FloatTypes()));
  return table;
}

}  // namespace tidepool::inline v0_1::detail
