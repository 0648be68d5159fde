// Average and sum pooling cell by cell, for any strides and every option. No vectors: the same code on every target.
#include <array>
#include <type_traits>

#include "kernels/kernel.h"
#include "kernels/reduce/large_sums.h"
#include "kernels/reference/avg_pool_cell.h"

namespace tidepool::inline v0_1::detail {
namespace {

template <class E>
void run(const KernelArgs& a, const Tile& tile) noexcept {
  RowPosition p = RowPosition::of_row(a, tile.begin);
  for (int64_t u = tile.begin; u < tile.end; ++u, p.advance(a)) avg_cells<E>(a, p, 0, a.width.output);
}

Fit fits(const Problem& p) { return {has_large_sums(p) ? large_sums_refusal : nullptr}; }
double cost(const Problem& p) { return 1 + 2 * static_cast<double>(p.geometry.window_taps()); }

// Averaging is linear: its double backward is the forward pass again.
template <class E>
constexpr KernelEntry entry(DType dtype) {
  return {.name = "reference",
          .ops = {Op::avg, Op::sum},
          .passes = std::is_integral_v<E> ? EnumSet<Pass>{Pass::forward} : EnumSet<Pass>{Pass::forward, Pass::double_backward},
          .dtype = dtype,
          .target = 0,
          .split = Split::rows,
          .fits = fits,
          .cost = cost,
          .scratch_bytes = no_scratch,
          .grain = unit_grain,
          .run = run<E>};
}

}  // namespace

std::span<const KernelEntry> avg_pool_reference_kernels(int64_t /*target*/) {
  static constexpr std::array entries = {entry<float>(DType::f32),     entry<double>(DType::f64),  entry<Half>(DType::f16),
                                         entry<BFloat16>(DType::bf16), entry<int8_t>(DType::i8),   entry<uint8_t>(DType::u8),
                                         entry<int16_t>(DType::i16),   entry<int32_t>(DType::i32), entry<int64_t>(DType::i64)};
  return entries;
}

}  // namespace tidepool::inline v0_1::detail
