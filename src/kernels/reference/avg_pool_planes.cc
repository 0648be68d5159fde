// Average and sum pooling by the planes traversal.
#include <array>
#include <type_traits>

#include "kernels/kernel.h"
#include "kernels/reduce/large_sums.h"
#include "kernels/reference/avg_pool_cell.h"
#include "kernels/reference/planes.h"

namespace tidepool::inline v0_1::detail {
namespace {

template <class E>
struct AvgPlanes {
  using Stored = E;

  struct Accumulator {
    Sum<E> sum = 0;
    [[gnu::always_inline]] void accumulate(E value) noexcept { sum = add(sum, static_cast<Sum<E>>(value)); }
  };

  static auto finisher(const KernelArgs& a, const Window& wd, const Window& wh, const Window& ww) noexcept {
    return [divisor = divisor_of(a, wd, wh, ww), rounding = a.reduction.rounding](
               const Accumulator& of, const RowPosition&, int64_t, int64_t, E* to) { *to = average<E>(of.sum, divisor, rounding); };
  }
};

template <class E>
struct AvgByPlanes : PlanesTraversal<AvgPlanes<E>> {
  static Fit fits(const Problem& p) { return has_large_sums(p) ? Fit{large_sums_refusal} : PlanesTraversal<AvgPlanes<E>>::fits(p); }
  static double cost(const Problem& p) { return 1 + 0.6 * static_cast<double>(p.geometry.window_taps()); }
};

constexpr EntryForm form{
    .name = "planes", .ops = {Op::avg, Op::sum}, .passes = {Pass::forward, Pass::double_backward}, .split = Split::planes};

}  // namespace

std::span<const KernelEntry> avg_pool_planes_kernels(int64_t /*target*/) {
  static constexpr auto table = entries<AvgByPlanes>(form, NumberTypes());
  return table;
}

}  // namespace tidepool::inline v0_1::detail
