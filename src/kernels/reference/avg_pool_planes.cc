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

  using Traversal = PlanesTraversal<AvgPlanes>;
  static Fit fits(const Problem& p) { return has_large_sums(p) ? Fit{large_sums_refusal} : Traversal::fits(p); }
  static double cost(const Problem& p) { return 1 + 0.6 * static_cast<double>(p.geometry.window_taps()); }
};

template <class E>
constexpr KernelEntry entry_of(DType dtype) {
  return {.name = "planes",
          .ops = {Op::avg, Op::sum},
          .passes = std::is_integral_v<E> ? EnumSet<Pass>{Pass::forward} : EnumSet<Pass>{Pass::forward, Pass::double_backward},
          .dtype = dtype,
          .target = 0,
          .split = Split::planes,
          .fits = AvgPlanes<E>::fits,
          .cost = AvgPlanes<E>::cost,
          .scratch_bytes = no_scratch,
          .grain = AvgPlanes<E>::Traversal::grain,
          .run = AvgPlanes<E>::Traversal::run};
}

}  // namespace

std::span<const KernelEntry> avg_pool_planes_kernels(int64_t /*target*/) {
  static constexpr std::array entries = {entry_of<float>(DType::f32),     entry_of<double>(DType::f64),  entry_of<Half>(DType::f16),
                                         entry_of<BFloat16>(DType::bf16), entry_of<int8_t>(DType::i8),   entry_of<uint8_t>(DType::u8),
                                         entry_of<int16_t>(DType::i16),   entry_of<int32_t>(DType::i32), entry_of<int64_t>(DType::i64)};
  return entries;
}

}  // namespace tidepool::inline v0_1::detail
