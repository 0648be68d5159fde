// Max and min pooling by the planes traversal, values only.
#include <array>

#include "kernels/entries.h"
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
};

template <class E, bool kMin>
struct MaxByPlanes : PlanesTraversal<MaxPlanes<E, kMin>> {
  static Fit fits(const Problem& p) {
    if (p.nan == NanPolicy::ignore) return {"nan=ignore is done cell by cell"};
    if (p.geometry.width().is_fractional()) return {"every plane has windows of its own"};
    return PlanesTraversal<MaxPlanes<E, kMin>>::fits(p);
  }
  static double cost(const Problem& p) { return 1 + 0.9 * static_cast<double>(p.geometry.window_taps()); }
};

constexpr EntryForm form(Op op) {
  return {.name = "planes", .ops = op, .passes = Pass::forward, .split = Split::planes, .indices = Indices::absent};
}
template <class E>
using Max = MaxByPlanes<E, false>;
template <class E>
using Min = MaxByPlanes<E, true>;

}  // namespace

std::span<const KernelEntry> max_pool_planes_kernels(int64_t /*target*/) {
  // 16-bit floats would be widened at every cell; the other traversals compare them as they are.
  using PlanesTypes = Types<float, double, int8_t, uint8_t, int16_t, int32_t, int64_t, bool>;
  static constexpr auto table = join(entries<Max>(form(Op::max), PlanesTypes()), entries<Min>(form(Op::min), PlanesTypes()));
  return table;
}

}  // namespace tidepool::inline v0_1::detail
