// Sums of whole planes of floats in eight parts: cell i is added to part i % 8, and then the parts are folded.
//
//   cells   x0 x1 x2 x3 x4 x5 x6 x7 | x8 x9 …      part 0   x0 + x8 + …   part 1   x1 + x9 + …
//   folds   (0 + 4) (1 + 5) (2 + 6) (3 + 7)   then   (04 + 26) (15 + 37)   then their sum
//
// The order of additions is the same for every layout, instruction set and number of threads (ADR 17). Included once per target, inside
// foreach_target.
#if defined(TIDEPOOL_FOLDED_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_FOLDED_SUMS_INL_H_
#undef TIDEPOOL_FOLDED_SUMS_INL_H_
#else
#define TIDEPOOL_FOLDED_SUMS_INL_H_
#endif

#include <algorithm>

#include "hwy/highway.h"
#include "kernels/halves-inl.h"
#include "kernels/held-inl.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"
#include "kernels/reference/avg_pool_cell.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class E>
struct FoldedSums {
  using S = Sum<E>;
  static constexpr int64_t parts = 8, most_channels = 256;

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const Strides5& s = a.input_strides;
    const int64_t w = a.width.input, h = a.height.input, d = a.depth.input, step = s[dim_w];
    const bool dense = (h == 1 || s[dim_h] == w * step) && (d == 1 || s[dim_d] == h * w * step);
    for (int64_t u = tile.begin; u < tile.end;) {
      const int64_t n = u / a.channels, c = u % a.channels, rest = HWY_MIN(tile.end - u, a.channels - c);
      const E* plane = reinterpret_cast<const E*>(a.input) + n * s[dim_n] + c * s[dim_c];
      S sums[most_channels];
      int64_t count = 1;
      if (dense && step == 1 && rest >= planes_at_once)
        add_planes<planes_at_once>(plane, s[dim_c], a.input_plane(), sums), count = planes_at_once;
      else if (dense && step == 1)
        add_planes<1>(plane, 0, a.input_plane(), sums);
      else if (dense && s[dim_c] == 1)
        add_channels(plane, step, a.input_plane(), count = HWY_MIN(rest, most_channels), sums);
      else
        add_cells(a, plane, sums);
      store(a, n, c, count, sums);
      u += count;
    }
  }

 private:
  using D = hn::CappedTag<S, parts>;
  static constexpr int64_t vectors = parts / static_cast<int64_t>(hn::MaxLanes(D()));
  static constexpr int64_t planes_at_once = vectors > 2 ? 2 : 4;  // so that additions need not wait for each other

  template <class AnyD>
  static HWY_INLINE hn::Vec<AnyD> load(AnyD d, const E* from) {
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(d, static_cast<S>(*from));
#else
    if constexpr (is_half<E>)
      return widen_number<E>(d, hn::LoadU(hn::Rebind<uint16_t, AnyD>(), reinterpret_cast<const uint16_t*>(from)));
    else
      return hn::LoadU(d, from);
#endif
  }

  static S folded(S* part) noexcept {
    for (int64_t half = parts / 2; half > 0; half /= 2)
      for (int64_t i = 0; i < half; ++i) part[i] += part[i + half];
    return part[0];
  }

  static void store(const KernelArgs& a, int64_t n, int64_t c, int64_t count, const S* sums) noexcept {
    const int64_t divisor = divisor_of(a, a.depth.window(0), a.height.window(0), a.width.window(0));
    E* out = reinterpret_cast<E*>(a.output) + n * a.output_strides[dim_n] + c * a.output_strides[dim_c];
    for (int64_t i = 0; i < count; ++i) out[i * a.output_strides[dim_c]] = average<E>(sums[i], divisor, a.reduction.rounding);
  }

  // Planes of adjacent cells, `apart` elements from one to the next.
  template <int64_t kPlanes>
  static HWY_NOINLINE void add_planes(const E* plane, int64_t apart, int64_t cells, S* sums) noexcept {
    const D d;
    constexpr int count = static_cast<int>(kPlanes * vectors);
    const auto at = [&](int64_t v) HWY_ATTR { return plane + v / vectors * apart + v % vectors * static_cast<int64_t>(hn::Lanes(d)); };
    Held<D> part[count];
    unrolled<count>([&](auto v) HWY_ATTR { part[v] = hn::Zero(d); });
    int64_t i = 0;
    for (; i + parts <= cells; i += parts) unrolled<count>([&](auto v) HWY_ATTR { part[v] = hn::Add(part[v], load(d, at(v) + i)); });
    S lanes[kPlanes * parts];
    unrolled<count>([&](auto v) HWY_ATTR { hn::StoreU(part[v], d, lanes + v * static_cast<int64_t>(hn::Lanes(d))); });
    for (int64_t p = 0; p < kPlanes; ++p) {
      for (int64_t rest = i; rest < cells; ++rest) lanes[p * parts + rest - i] += static_cast<S>(plane[p * apart + rest]);
      sums[p] = folded(lanes + p * parts);
    }
  }

  // part[i] += rows[0][i] + rows[1][i] + …, one after the other.
  template <int kRows>
  static HWY_INLINE void add_rows(S* part, const E* row, int64_t apart, int64_t count) noexcept {
    const hn::ScalableTag<S> d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      auto sum = hn::LoadU(d, part + i);
      unrolled<kRows>([&](auto r) HWY_ATTR { sum = hn::Add(sum, load(d, row + r * apart + i)); });
      hn::StoreU(sum, d, part + i);
    }
    for (; i < count; ++i)
      for (int64_t r = 0; r < kRows; ++r) part[i] += static_cast<S>(row[r * apart + i]);
  }

  // Some adjacent channels of one image; cells are `step` elements apart. Four cells of each part are added while it is loaded.
  static HWY_NOINLINE void add_channels(const E* cell, int64_t step, int64_t cells, int64_t channels, S* sums) noexcept {
    S part[parts * most_channels];
    std::fill_n(part, parts * channels, S(0));
    // All parts are one run, where cells are.
    const int64_t runs = step == channels ? 1 : parts, run = parts / runs * channels;
    int64_t i = 0;
    for (; i + 4 * parts <= cells; i += 4 * parts)
      for (int64_t r = 0; r < runs; ++r) add_rows<4>(part + r * channels, cell + (i + r) * step, parts * step, run);
    for (; i < cells; ++i) add_rows<1>(part + i % parts * channels, cell + i * step, 0, channels);
    for (int64_t half = parts / 2; half > 0; half /= 2)
      for (int64_t k = 0; k < half * channels; ++k) part[k] += part[half * channels + k];
    std::copy_n(part, channels, sums);
  }

  // One plane, whatever its strides.
  static HWY_NOINLINE void add_cells(const KernelArgs& a, const E* plane, S* sum) noexcept {
    const Strides5& s = a.input_strides;
    S part[parts] = {};
    int64_t i = 0;
    for (int64_t z = 0; z < a.depth.input; ++z)
      for (int64_t y = 0; y < a.height.input; ++y)
        for (int64_t x = 0; x < a.width.input; ++x) part[i++ % parts] += static_cast<S>(plane[z * s[dim_d] + y * s[dim_h] + x * s[dim_w]]);
    *sum = folded(part);
  }
};

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
