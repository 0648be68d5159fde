// Max and min pooling by the planes traversal, values only.
#include <array>

#include "kernels/kernel.h"
#include "kernels/reference/max_pool_cell.h"
#include "kernels/reference/planes.h"

namespace tidepool::inline v0_1::detail {
namespace {

template <class E, bool kMin>
struct MaxPlanes {
  using Stored = detail::Stored<E>;

  // No branch that random cells could mislead. NaN is looked for at the end: a sum is NaN if any cell was; it may be NaN for other
  // reasons, and then the definition is asked for nothing.
  struct Accumulator {
    Stored best = extremum_identity<E, kMin>();
    Stored sum{};

    [[gnu::always_inline]] void accumulate(Stored v) noexcept {
      best = (kMin ? v < best : v > best) ? v : best;
      if constexpr (std::is_floating_point_v<E>) sum += v;
    }
    bool in_doubt() const noexcept {
      if constexpr (std::is_floating_point_v<E>) return sum != sum;
      return false;
    }
  };

  static auto finisher(const KernelArgs& a, const Window&, const Window&, const Window&) noexcept {
    return [&a](const Accumulator& of, RowPosition p, int64_t plane, int64_t ow, Stored* to) {
      if (!of.in_doubt()) [[likely]] {
        *to = of.best;
      } else {
        p.n = plane / a.channels, p.c = plane % a.channels;
        max_cells(a, p, ow, ow + 1);
      }
    };
  }

  using Traversal = PlanesTraversal<MaxPlanes>;
  static Fit fits(const Problem& p) {
    if (p.nan == NanPolicy::ignore) return {"nan=ignore is done cell by cell"};
    if (p.geometry.width().is_fractional()) return {"every plane has windows of its own"};
    return Traversal::fits(p);
  }
  static double cost(const Problem& p) { return 1 + 0.9 * static_cast<double>(p.geometry.window_taps()); }
};

template <class E, bool kMin>
constexpr KernelEntry entry(DType dtype) {
  using K = MaxPlanes<E, kMin>;
  return {.name = "planes",
          .ops = kMin ? Op::min : Op::max,
          .passes = Pass::forward,
          .indices = Indices::absent,
          .dtype = dtype,
          .target = 0,
          .split = Split::planes,
          .fits = K::fits,
          .cost = K::cost,
          .scratch_bytes = no_scratch,
          .grain = K::Traversal::grain,
          .run = K::Traversal::run};
}

template <class E>
constexpr std::array<KernelEntry, 2> entries_of(DType dtype) {
  return {entry<E, false>(dtype), entry<E, true>(dtype)};
}

}  // namespace

std::span<const KernelEntry> max_pool_planes_kernels(int64_t /*target*/) {
  // 16-bit floats would be widened at every cell; the other traversals compare them as they are.
  static constexpr auto entries = join(entries_of<float>(DType::f32), entries_of<double>(DType::f64), entries_of<int8_t>(DType::i8),
                                       entries_of<uint8_t>(DType::u8), entries_of<int16_t>(DType::i16), entries_of<int32_t>(DType::i32),
                                       entries_of<int64_t>(DType::i64), entries_of<bool>(DType::boolean));
  return entries;
}

}  // namespace tidepool::inline v0_1::detail
