// Backward passes seen from the cells, see cells-inl.h, where channels are adjacent: a vector holds neighbouring channels of one cell.
// Included once per target, inside foreach_target.
#if defined(TIDEPOOL_CELLS_CHANNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_CELLS_CHANNELS_INL_H_
#undef TIDEPOOL_CELLS_CHANNELS_INL_H_
#else
#define TIDEPOOL_CELLS_CHANNELS_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/backward/gather_columns-inl.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

constexpr int64_t wide_channels = 8 * channel_block;  // that are worked on together
constexpr double transposed_gather_cost = 1;

// Blocks of four vectors of channels, single vectors of those that are left, and vectors of a half or a quarter for fewer: each takes about
// as long for every window. 0 if there are too few channels even for those.
template <class S>
int64_t channel_vectors(int64_t channels) noexcept {
  constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>())), least = 16 / static_cast<int64_t>(sizeof(S));
  for (int64_t step = lanes; step >= HWY_MIN(least, lanes); step /= 2)
    if (channels >= step)
      return step == lanes ? channels / (4 * lanes) + (channels % (4 * lanes) + lanes - 1) / lanes : (channels + step - 1) / step;
  return 0;
}

// Policy: element E; Row, a row of windows; Rows(a, scratch), which finds them, with start(range), find(od, oh, d, h) and the scratch they
// take; is_adjacent(a), whether the arrays it reads are; contribution(d, a, row, ow, c, tap), a vector of what channels c, c + 1, … of
// window ow give to that tap of the row; one_contribution(…), one channel.
template <class Policy>
struct GatherByChannels {
  using E = typename Policy::E;
  using T = Lane16<E>;
  using S = Sum<E>;
  using Row = typename Policy::Row;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));
  static constexpr bool backward = true;

  // Calls visit(row, ow, tap) for the windows that hold cell w.
  template <class Visit>
  static HWY_INLINE void each_window(const KernelArgs& a, const Row* rows, int64_t count, Range over, int64_t w, Visit visit) {
    for (int64_t k = 0; k < count; ++k)
      for (int64_t ow = over.begin; ow < over.end; ++ow)
        if (covers(a.width, ow, w)) visit(rows[k], ow, tap_of(a.width, ow, w));
  }

  // kCount vectors of channels, from channel c on.
  template <int kCount, class D>
  static HWY_INLINE void block(D d, const KernelArgs& a, const Row* rows, int64_t count, Range over, int64_t w, int64_t c, E* to) {
    Held<D> sums[kCount];
    unrolled<kCount>([&](auto i) HWY_ATTR { sums[i] = hn::Zero(d); });
    each_window(a, rows, count, over, w, [&](const Row& row, int64_t ow, int64_t tap) HWY_ATTR {
      unrolled<kCount>([&](auto i) HWY_ATTR { sums[i] = hn::Add(sums[i], Policy::contribution(d, a, row, ow, c + i * lanes, tap)); });
    });
    unrolled<kCount>([&](auto i) HWY_ATTR { store_narrow(d, sums[i], to + c + i * lanes); });
  }

  static HWY_NOINLINE void few_channels(const KernelArgs& a, const Row* rows, int64_t count, Range over, int64_t w, int64_t channels,
                                        E* to) {
    for (int64_t c = 0; c < channels; ++c) {
      S sum = 0;
      each_window(a, rows, count, over, w,
                  [&](const Row& row, int64_t ow, int64_t tap) { sum += Policy::one_contribution(a, row, ow, c, tap); });
      to[c] = E(sum);
    }
  }

  // All channels by vectors, the last one overlapping its neighbour: both write the same. False if there are fewer than a vector has lanes.
  template <class D>
  static HWY_INLINE bool vectors(D d, const KernelArgs& a, const Row* rows, int64_t count, Range over, int64_t w, int64_t channels, E* to) {
    const int64_t step = static_cast<int64_t>(hn::Lanes(d));
    if (channels < step) return false;
    int64_t c = 0;
    if constexpr (hn::MaxLanes(D()) == lanes)
      for (; c + 4 * lanes <= channels; c += 4 * lanes) block<4>(d, a, rows, count, over, w, c, to);
    for (; c < channels; c += step) block<1>(d, a, rows, count, over, w, HWY_MIN(c, channels - step), to);
    return true;
  }

  // Channels that do not fill a vector, by vectors of a half and a quarter.
  static HWY_NOINLINE void short_vectors(const KernelArgs& a, const Row* rows, int64_t count, Range over, int64_t w, int64_t channels,
                                         E* to) {
    constexpr size_t least = 16 / sizeof(S);
    if constexpr (lanes / 2 >= least)
      if (vectors(hn::CappedTag<S, lanes / 2>(), a, rows, count, over, w, channels, to)) return;
    if constexpr (lanes / 4 >= least)
      if (vectors(hn::CappedTag<S, lanes / 4>(), a, rows, count, over, w, channels, to)) return;
    few_channels(a, rows, count, over, w, channels, to);
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    std::byte* free = tile.scratch;
    const Range* over_w = list_windows_covering(a.width, reinterpret_cast<Range*>(free));
    const Range* over_h = list_windows_covering(a.height, reinterpret_cast<Range*>(free += covering_bytes(*a.width.axis)));
    typename Policy::Rows found(a, free + covering_bytes(*a.height.axis));
    for (int64_t u = tile.begin; u < tile.end;) {
      const ChannelRange r = wide_range(a, tile, u);
      const int64_t channels = r.end - r.begin;
      found.start(r);
      each_row<Row>(
          a, over_h, [&](int64_t od, int64_t oh, int64_t d, int64_t h) { return found.find(od, oh, d, h); },
          [&](int64_t d, int64_t h, const Row* rows, int64_t count) HWY_ATTR {
            E* out = reinterpret_cast<E*>(a.output) + offset5(a.output_strides, r.n, r.begin, d, h, 0);
            for (int64_t w = 0; w < a.width.input; ++w, out += a.output_strides[dim_w])
              if (!vectors(hn::ScalableTag<S>(), a, rows, count, over_w[w], w, channels, out))
                short_vectors(a, rows, count, over_w[w], w, channels, out);
          });
    }
  }
  static void channels_run(const KernelArgs& a, const Tile& tile) noexcept { run(a, tile); }

  // The channels of unit u and of those behind it that belong to the same n: cells of one row after the other, not some channels of all.
  static ChannelRange wide_range(const KernelArgs& a, const Tile& tile, int64_t& u) noexcept {
    ChannelRange r = ChannelRange::of(a, Split::channel_blocks, u);
    while (++u < tile.end) {
      const ChannelRange more = ChannelRange::of(a, Split::channel_blocks, u);
      if (more.n != r.n || more.end - r.begin > wide_channels) break;
      r.end = more.end;
    }
    return r;
  }

  static bool is_adjacent(const KernelArgs& a) noexcept { return a.output_strides[dim_c] == 1 && Policy::is_adjacent(a); }
  static double cost(const Problem&) { return 1; }
  static int64_t grain(const Problem&) { return 1; }
  static int64_t scratch_of(const Problem& p, int64_t channels) {
    return covering_bytes(p.geometry.width()) + covering_bytes(p.geometry.height()) + Policy::Rows::scratch(p.geometry, channels);
  }
  static int64_t scratch_bytes(const Problem& p) { return scratch_of(p, p.geometry.channels()); }
  static int64_t transposed_scratch(const Problem& p) { return scratch_of(p, channel_block); }
  static Fit fits(const Problem& p) {
    if (p.layout != Layout::channels_last) return {"channels are not adjacent in memory"};
    if (const Fit fit = fits_gather(p); !fit.ok()) return fit;
    return {scratch_bytes(p) > most_cells_scratch ? "its rows of scratch would take more than 64 MiB" : nullptr};
  }
};

#endif  // one lane has nothing to share

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
