// Max and min pooling by the channels traversal, and by the transposed one on top of it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/max_pool_channels.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/forward/channels-inl.h"
#include "kernels/forward/transposed-inl.h"
#include "kernels/kernel.h"
#include "kernels/reduce/argmax-inl.h"
#include "kernels/reduce/extremum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

// The best so far of kCount vectors of channels. Other cells than ordered numbers leave doubt about the whole block: NaN, which a sum
// finds, and among 16-bit floats, which are compared as keys, also -0.
// kDoubts accumulators find them: few, where registers are needed for more than that, and several, where each would wait for the last.
template <class R, class D, int kCount, int kDoubts = kCount>
struct ExtremumBlock {
  using DI = hn::RebindToUnsigned<D>;
  using V = hn::Vec<D>;
  Held<D> best[kCount], sum[kDoubts], other[kDoubts];
  Held<DI> highest[kDoubts];

  explicit HWY_INLINE ExtremumBlock(D d) {
    unrolled<kDoubts>([&](auto i) HWY_ATTR {
      sum[i] = other[i] = hn::Zero(d);
      highest[i] = hn::Zero(DI());
    });
  }

  // What the i-th loaded vector is compared as.
  HWY_INLINE V prepare([[maybe_unused]] D d, V loaded, [[maybe_unused]] int i) {
    [[maybe_unused]] const int at = i % kDoubts;
    if constexpr (R::has_keys) {
      loaded = R::key16(d, loaded);
      other[at] = R::is_min ? hn::Max(V(other[at]), loaded) : hn::Min(V(other[at]), loaded);
      highest[at] = hn::Max(hn::Vec<DI>(highest[at]), hn::BitCast(DI(), loaded));
    } else if constexpr (R::checks_nan) {
      sum[at] = hn::Add(V(sum[at]), loaded);
    }
    return loaded;
  }
  static HWY_INLINE V better(D d, V a, V b) {
    if constexpr (R::has_keys) return R::is_min ? hn::Min(a, b) : hn::Max(a, b);
    return R::combine_ordered(d, a, b);
  }

  template <class T>
  HWY_INLINE void first(D d, const T* x, int64_t) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    unrolled<kCount>([&](auto i) HWY_ATTR { best[i] = prepare(d, hn::LoadU(d, x + i * lanes), i); });
  }
  template <class T>
  HWY_INLINE void next(D d, const T* x, int64_t) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    unrolled<kCount>([&](auto i) HWY_ATTR { best[i] = better(d, V(best[i]), prepare(d, hn::LoadU(d, x + i * lanes), i)); });
  }

  HWY_INLINE bool in_doubt([[maybe_unused]] D d) const {
    if constexpr (R::has_keys) {
      V extreme = best[0];
      unrolled<kCount>([&](auto i) HWY_ATTR { extreme = better(d, extreme, V(best[i])); });
      V opposite = other[0];
      hn::Vec<DI> high_bits = highest[0];
      unrolled<kDoubts>([&](auto i) HWY_ATTR {
        opposite = R::is_min ? hn::Max(opposite, V(other[i])) : hn::Min(opposite, V(other[i]));
        high_bits = hn::Max(high_bits, hn::Vec<DI>(highest[i]));
      });
      const V low = R::is_min ? extreme : opposite, high = R::is_min ? opposite : extreme;
      const auto nan = hn::Or(hn::Gt(high, hn::Set(d, R::infinity16)), hn::Lt(low, hn::Set(d, static_cast<int16_t>(~R::infinity16))));
      const auto negative_zero = hn::RebindMask(d, hn::Eq(high_bits, hn::Set(DI(), uint16_t{0xffff})));
      return HWY_UNLIKELY(!hn::AllFalse(d, hn::Or(nan, negative_zero)));
    } else if constexpr (R::checks_nan) {
      V total = sum[0];
      if constexpr (kDoubts > 1) unrolled<kDoubts - 1>([&](auto i) HWY_ATTR { total = hn::Add(total, V(sum[i + 1])); });
      return HWY_UNLIKELY(!hn::AllFalse(d, hn::IsNaN(total)));
    }
    return false;
  }
  HWY_INLINE V value([[maybe_unused]] D d, int i) const {
    if constexpr (R::has_keys) return R::key16(d, V(best[i]));
    return best[i];
  }
};

template <class E, bool kMin>
struct MaxChannels {
  using R = Extremum<E, kMin>;
  using T = Lane<E>;
  using Cell = ChannelsCell<T>;
  static constexpr int most_vectors = 4;
  static constexpr bool stores_indices = false;

  template <class D>
  static HWY_NOINLINE void exact_vector_at(D d, const Cell& cell, int64_t c) {
    ExactExtremum<R, D> best(d);
    channels_window_taps<1>(d, cell, c, &best);
    hn::StoreU(best.value, d, cell.output + c);
  }

  template <int kCount, class D>
  static HWY_INLINE void vectors_at(D d, const Cell& cell, int64_t c) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    ExtremumBlock<R, D, kCount> block(d);
    channels_window(d, cell, c, block);
    if (block.in_doubt(d)) {
      for (int i = 0; i < kCount; ++i) exact_vector_at(d, cell, c + i * lanes);
    } else {
      unrolled<kCount>([&](auto i) HWY_ATTR { hn::StoreU(block.value(d, i), d, cell.output + c + i * lanes); });
    }
  }

  static void one_cell(const KernelArgs& a, const RowPosition& p, int64_t ow) { max_cells(a, p, ow, ow + 1); }

  static constexpr bool backward = false;
  static void channels_run(const KernelArgs& a, const Tile& tile) noexcept { ChannelsTraversal<MaxChannels>::run(a, tile); }
};

// The same with the numbers of the taps that won. `mirror` serves minima and unsigned numbers too.
template <class R, class D, int kCount>
struct ArgmaxBlock : ExtremumBlock<R, D, kCount, (kCount + 1) / 2> {
  using Base = ExtremumBlock<R, D, kCount, (kCount + 1) / 2>;
  using typename Base::DI;
  using typename Base::V;
  Held<D> mirrored;
  Held<DI> tap[kCount];

  HWY_INLINE ArgmaxBlock(D d, const KernelArgs& a) : Base(d), mirrored(mirror(d, a)) {}

  template <class T>
  HWY_INLINE void first(D d, const T* x, int64_t tap_number) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    const auto number = hn::Set(DI(), static_cast<hn::TFromD<DI>>(tap_number));
    unrolled<kCount>([&](auto i) HWY_ATTR {
      this->best[i] = this->prepare(d, hn::Xor(hn::LoadU(d, x + i * lanes), V(mirrored)), i);
      tap[i] = number;
    });
  }
  template <class T>
  HWY_INLINE void next(D d, const T* x, int64_t tap_number) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    const auto number = hn::Set(DI(), static_cast<hn::TFromD<DI>>(tap_number));
    unrolled<kCount>([&](auto i) HWY_ATTR {
      const V candidate = this->prepare(d, hn::Xor(hn::LoadU(d, x + i * lanes), V(mirrored)), i);
      tap[i] = hn::IfThenElse(hn::RebindMask(DI(), hn::Gt(candidate, V(this->best[i]))), number, hn::Vec<DI>(tap[i]));
      this->best[i] = Base::better(d, V(this->best[i]), candidate);
    });
  }
  HWY_INLINE V value(D d, int i) const { return hn::Xor(Base::value(d, i), V(mirrored)); }
};

template <class E>
struct ArgChannels {
  using R = Extremum<E, false>;
  using T = Lane<E>;
  using Tap = hwy::MakeUnsigned<T>;
  using Cell = ChannelsCell<T>;
  static constexpr int most_vectors = 4;
  static constexpr bool stores_indices = true;

  // The offset in the plane or tensor of tap 0.
  static int64_t start_of(const Cell& cell, int64_t c, int64_t column) {
    return index_origin(cell.a, cell.p.n, c) + plane_start(cell.a, cell.p.od, cell.p.oh, cell.ow + column);
  }
  static int64_t start_step(const KernelArgs& a) { return a.index_base == IndexBase::tensor ? a.input_plane() : 0; }

  static void store_taps_of(const Cell& cell, const Tap* taps) {
    store_taps(cell.a, taps, cell.count, cell.index_at, cell.a.index_strides[dim_c], start_of(cell, 0, 0), start_step(cell.a));
  }

  // Indices of a run of several columns, from its element c on: `count` of them, of tap numbers.
  static HWY_NOINLINE void store_run(const Cell& cell, const Tap* taps, int64_t c, int64_t count) {
    const int64_t channels = cell.a.channels;
    for (int64_t column = c / channels, channel = c % channels; count > 0; ++column, channel = 0) {
      const int64_t part = HWY_MIN(count, channels - channel);
      store_taps(cell.a, taps, part, cell.index_at + column * channels + channel, 1, start_of(cell, channel, column), start_step(cell.a));
      taps += part, count -= part;
    }
  }

  template <class DB, class V>
  static HWY_INLINE void store_bytes(DB bytes, V taps, uint8_t* to) {
    if constexpr (sizeof(T) == 1)
      hn::StoreU(taps, bytes, to);
    else
      hn::StoreU(hn::TruncateTo(bytes, taps), bytes, to);
  }

  // Places in the plane, computed from tap numbers: of windows without depth, and of a vector of one column. Whether it is that.
  template <class D>
  static HWY_INLINE bool store_in_plane([[maybe_unused]] D d, const Cell& cell, hn::Vec<hn::RebindToUnsigned<D>> taps, int64_t c) {
    if constexpr (sizeof(T) == 4) {
      const hn::RebindToUnsigned<D> du;
      const hn::RebindToSigned<D> di;
      const KernelArgs& a = cell.a;
      const AxisTable &h = a.height, &w = a.width;
      const bool run = cell.count > a.channels;
      const int64_t column = run ? c / a.channels : 0, channel = c - column * a.channels;
      if (run && channel + static_cast<int64_t>(hn::Lanes(d)) > a.channels) return false;
      // row = tap / kernel, as a product with a reciprocal
      const auto row = hn::ShiftRight<16>(hn::Mul(taps, hn::Set(du, static_cast<uint32_t>(65536 / w.kernel + 1))));
      const auto down = static_cast<uint32_t>(h.dilation * w.input - w.kernel * w.dilation);
      const auto places = hn::Add(hn::Mul(taps, hn::Set(du, static_cast<uint32_t>(w.dilation))), hn::Mul(row, hn::Set(du, down)));
      int64_t* to = reinterpret_cast<int64_t*>(a.index) + cell.index_at + column * a.channels + channel;
      store_positions(di, hn::BitCast(di, places), start_of(cell, channel, column), to, 1);
      return true;
    }
    return false;
  }
  // Whether that is exact, and indices are adjacent.
  static bool can_store_in_plane(const KernelArgs& a) {
    const int64_t taps = a.height.kernel * a.width.kernel;
    return sizeof(T) == 4 && a.index_base == IndexBase::plane && a.index_strides[dim_c] == 1 && a.depth.kernel == 1 &&
           taps * a.width.kernel < 65536 && a.tap_offsets[taps - 1] >= 0 && a.tap_offsets[taps - 1] < int64_t{1} << 30;
  }

  template <class D>
  static HWY_NOINLINE void store_indices(D d, const Cell& cell, hn::Vec<hn::RebindToUnsigned<D>> taps, int64_t c) {
    const hn::RebindToUnsigned<D> du;
    const KernelArgs& a = cell.a;
    if (cell.taps != nullptr) {
      hn::StoreU(taps, du, cell.taps + c);
    } else if (can_store_in_plane(a) && store_in_plane(d, cell, taps, c)) {
      return;
    } else if (cell.count > a.channels && a.index_base != IndexBase::window) {
      Tap numbers[hn::MaxLanes(D())];
      hn::StoreU(taps, du, numbers);
      store_run(cell, numbers, c, static_cast<int64_t>(hn::Lanes(d)));
    } else {
      store_winners(du, taps, a, cell.index_at + c * a.index_strides[dim_c], a.index_strides[dim_c], start_of(cell, c, 0), start_step(a));
    }
  }

  template <class D>
  static HWY_NOINLINE void exact_vector_at(D d, const Cell& cell, int64_t c) {
    Argmax<R, D> best(d, cell.a, cell.first_tap());
    channels_window_taps<1>(d, cell, c, &best);
    hn::StoreU(best.value(), d, cell.output + c);
    store_indices(d, cell, best.tap, c);
  }

  template <int kCount, class D>
  static HWY_INLINE void vectors_at(D d, const Cell& cell, int64_t c) {
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    const KernelArgs& a = cell.a;
    ArgmaxBlock<R, D, kCount> block(d, a);
    channels_window(d, cell, c, block);
    if (block.in_doubt(d)) {
      for (int i = 0; i < kCount; ++i) exact_vector_at(d, cell, c + i * lanes);
      return;
    }
    unrolled<kCount>([&](auto i) HWY_ATTR { hn::StoreU(block.value(d, i), d, cell.output + c + i * lanes); });
    if (cell.taps == nullptr && a.index_base == IndexBase::window && a.index_dtype == DType::u8 && a.index_strides[dim_c] == 1) {
      const hn::Rebind<uint8_t, D> bytes;
      uint8_t* to = reinterpret_cast<uint8_t*>(a.index) + cell.index_at + c;
      unrolled<kCount>([&](auto i) HWY_ATTR { store_bytes(bytes, block.tap[i], to + i * lanes); });
    } else {
      unrolled<kCount>([&](auto i) HWY_ATTR { store_indices(d, cell, block.tap[i], c + i * lanes); });
    }
  }

  static void one_cell(const KernelArgs& a, const RowPosition& p, int64_t ow) { max_cells(a, p, ow, ow + 1); }

  static constexpr bool backward = false;
  static void channels_run(const KernelArgs& a, const Tile& tile) noexcept { ChannelsTraversal<ArgChannels>::run(a, tile); }
};

template <class E, bool kMin>
struct MaxByChannels : ExtremumBy<ChannelsTraversal<MaxChannels<E, kMin>>, Lane<E>, false> {};
template <class E, bool kMin>
struct MaxTransposed : ExtremumBy<TransposedTraversal<MaxChannels<E, kMin>>, Lane<E>, false> {};
template <class E>
struct ArgByChannels : ExtremumBy<ChannelsTraversal<ArgChannels<E>>, Lane<E>, true> {};
template <class E>
struct ArgTransposed : ExtremumBy<TransposedTraversal<ArgChannels<E>>, Lane<E>, true> {};
#endif  // one lane is no vector: the reference serves that target

std::span<const KernelEntry> max_channels_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto table =
      join(value_entries<MaxByChannels>("channels", Split::channel_rows), mirrored_entries<ArgByChannels>("channels", Split::channel_rows),
           value_entries<MaxTransposed>("columns_transposed", Split::planes),
           mirrored_entries<ArgTransposed>("columns_transposed", Split::planes));
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(max_channels_table);
std::span<const KernelEntry> max_pool_channels_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(max_channels_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
