// Average and sum pooling cell by cell, for any strides and every option. No vectors: the same code on every target.
#include <array>

#include "kernels/avg_pool_cell.h"
#include "kernels/kernel.h"
#include "kernels/large_sums.h"

namespace tidepool::detail {
namespace {

template <class E>
void run(const KernelArgs& a, const Tile& tile) noexcept {
  RowPosition p = RowPosition::of_row(a, tile.begin);
  for (int64_t u = tile.begin; u < tile.end; ++u, p.advance(a)) avg_cells<E>(a, p, 0, a.width.output);
}

Fit fits(const Problem& p) { return {has_large_sums(p) ? large_sums_refusal : nullptr}; }
double cost(const Problem& p) { return 1 + 2 * static_cast<double>(p.geometry.window_taps()); }

template <class E>
constexpr KernelEntry entry(Op op, Pass pass, DType dtype) {
  return {.name = "strided",
          .op = op,
          .pass = pass,
          .dtype = dtype,
          .target = 0,
          .split = Split::rows,
          .fits = fits,
          .cost = cost,
          .scratch_bytes = no_scratch,
          .grain = unit_grain,
          .run = run<E>};
}

template <class E>
constexpr std::array<KernelEntry, 4> entries_of(DType dtype) {
  // Averaging is linear: its double backward is the forward pass again.
  return {entry<E>(Op::avg, Pass::forward, dtype), entry<E>(Op::sum, Pass::forward, dtype), entry<E>(Op::avg, Pass::double_backward, dtype),
          entry<E>(Op::sum, Pass::double_backward, dtype)};
}

}  // namespace

std::span<const KernelEntry> avg_pool_strided_kernels() {
  static constexpr auto entries = [] {
    std::array<KernelEntry, 36> all{};
    size_t i = 0;
    for (const auto& some : {entries_of<float>(DType::f32), entries_of<double>(DType::f64), entries_of<Half>(DType::f16),
                             entries_of<BFloat16>(DType::bf16), entries_of<int8_t>(DType::i8), entries_of<uint8_t>(DType::u8),
                             entries_of<int16_t>(DType::i16), entries_of<int32_t>(DType::i32), entries_of<int64_t>(DType::i64)})
      for (const KernelEntry& e : some) all[i++] = e;
    return all;
  }();
  return entries;
}

}  // namespace tidepool::detail
