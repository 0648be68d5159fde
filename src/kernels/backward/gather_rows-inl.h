// One row of cells from the rows of windows that hold it: the heart of backward passes whose columns are adjacent. Included once per
// target, inside foreach_target.
//
//   stride 2, kernel 3      windows   a   b   c          a vector of windows gives two of cells:
//   cells                   0 1 2 3 4 5 6                even  a, a + b, b + c, …     odd  a, b, c, …
#if defined(TIDEPOOL_CELL_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_CELL_ROWS_INL_H_
#undef TIDEPOOL_CELL_ROWS_INL_H_
#else
#define TIDEPOOL_CELL_ROWS_INL_H_
#endif

#include "hwy/highway.h"
#include "kernels/held-inl.h"
#include "kernels/kernel.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Windows give the same to all of their taps, or something to the one they chose. contribution(row, i, tap): what windows i, i + 1, … give
// to their tap of that number in the row.
template <class Sum>
struct UniformContribution {
  using S = Sum;
  using Row = const S*;
  static HWY_INLINE hn::Vec<hn::ScalableTag<S>> contribution(Row row, int64_t i, int64_t) {
    return hn::LoadU(hn::ScalableTag<S>(), row + i);
  }
};

template <class Sum>
struct ArgmaxContribution {
  using S = Sum;
  using Tap = hwy::MakeUnsigned<S>;
  struct Row {
    const S* grads;
    const Tap* taps;
    int64_t first_tap;
  };
  static HWY_INLINE hn::Vec<hn::ScalableTag<S>> contribution(const Row& row, int64_t i, int64_t tap) {
    const hn::ScalableTag<S> d;
    const hn::ScalableTag<Tap> dt;
    const auto chose = hn::Eq(hn::LoadU(dt, row.taps + i), hn::Set(dt, static_cast<Tap>(row.first_tap + tap)));
    return hn::IfThenElseZero(hn::RebindMask(d, chose), hn::LoadU(d, row.grads + i));
  }
};

template <class Contribution>
struct CellRows {
  using S = typename Contribution::S;
  using Row = typename Contribution::Row;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));
  static constexpr int64_t widest = 4;  // stride

  // Windows before the first that its cells may ask for.
  static int64_t front(int64_t kernel, int64_t stride) noexcept { return (kernel - 1) / stride; }
  // Windows from the one that begins at or before the first cell to the one that begins behind the last, whether they exist or not.
  static int64_t steps(int64_t input, int64_t pad_before, int64_t stride) noexcept { return (input + pad_before + stride - 1) / stride; }

  // kStride * lanes cells from tap 0 of window i on.
  template <int kStride, int kKernel>
  static HWY_INLINE void block(const Row* rows, int64_t count, int64_t any_kernel, int64_t i, S* to) {
    const hn::ScalableTag<S> d;
    const int64_t kernel = kKernel == 0 ? any_kernel : kKernel;
    Held<decltype(d)> sums[kStride];
    unrolled<kStride>([&](auto r) HWY_ATTR { sums[r] = hn::Zero(d); });
    for (int64_t k = 0; k < count; ++k)
      unrolled<kStride>([&](auto r) HWY_ATTR {
        if constexpr (kKernel == 0) {
          const int64_t first = r < kernel ? (kernel - 1 - r) / kStride : -1;
          for (int64_t back = first; back >= 0; --back)
            sums[r] = hn::Add(sums[r], Contribution::contribution(rows[k], i - back, r + back * kStride));
        } else if constexpr (r < kKernel) {
          constexpr int holding = (kKernel - 1 - r) / kStride + 1;
          unrolled<holding>([&](auto n) HWY_ATTR {
            constexpr int64_t back = holding - 1 - n;
            sums[r] = hn::Add(sums[r], Contribution::contribution(rows[k], i - back, r + back * kStride));
          });
        }
      });
    if constexpr (kStride == 1) hn::StoreU(sums[0], d, to);
    if constexpr (kStride == 2) hn::StoreInterleaved2(sums[0], sums[1], d, to);
    if constexpr (kStride == 3) hn::StoreInterleaved3(sums[0], sums[1], sums[2], d, to);
    if constexpr (kStride == 4) hn::StoreInterleaved4(sums[0], sums[1], sums[2], sums[3], d, to);
  }

  // The cells of `steps` windows, and some more to fill the last vector.
  using CellRow = void (*)(const Row* rows, int64_t count, int64_t kernel, int64_t steps, S* to);
  template <int kStride, int kKernel>
  static void cell_row(const Row* rows, int64_t count, int64_t kernel, int64_t steps, S* to) {
    for (int64_t i = 0; i < steps; i += lanes) block<kStride, kKernel>(rows, count, kernel, i, to + i * kStride);
  }

  static CellRow of(int64_t stride, int64_t kernel) noexcept {
    if (stride == 1) return kernel == 3 ? cell_row<1, 3> : cell_row<1, 0>;
    if (stride == 2) return kernel == 3 ? cell_row<2, 3> : kernel == 2 ? cell_row<2, 2> : cell_row<2, 0>;
    return stride == 3 ? cell_row<3, 0> : cell_row<4, 0>;
  }
};

#endif  // one lane has nothing to share

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
