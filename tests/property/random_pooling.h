// Random windows and tensors for property tests, and arithmetic on tensors in double precision that shares no code with the library.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ops/functions.h"
#include "support/compare.h"
#include "support/rng.h"
#include "support/tensors.h"
#include "tidepool/creation.h"

namespace tidepool::test {

// Typed tests over the number of spatial dimensions.
template <int N>
using Rank = std::integral_constant<int, N>;
using Ranks = ::testing::Types<Rank<1>, Rank<2>, Rank<3>>;
struct RankName {
  template <class R>
  static std::string GetName(int) {
    return std::to_string(R::value) + "d";
  }
};

// An input shape and the windows over it, one number per axis.
template <int N>
struct Windows {
  Dims shape;
  Dims kernel, stride, padding, dilation;
  bool ceil = false;

  Dims spatial() const { return Dims(std::span<const int64_t>(shape.values.data() + 2, N)); }

  // The options of max, avg, sum and lp pooling have these fields in common.
  template <class Options>
  Options options() const {
    std::array<Sides, N> sides;
    for (int i = 0; i < N; ++i) sides[static_cast<size_t>(i)] = Sides(padding[i]);
    Options o;
    o.kernel_size = Extent<N>(kernel.span());
    o.stride = Extent<N>(stride.span());
    o.padding = Padding<N>(std::span<const Sides>(sides));
    o.dilation = Extent<N>(dilation.span());
    o.ceil_mode = ceil;
    return o;
  }

  // Only one axis keeps its windows; the others have windows of one cell.
  Windows only_axis(int axis) const {
    Windows one = *this;
    for (int i = 0; i < N; ++i)
      if (i != axis) {
        one.kernel[i] = one.stride[i] = one.dilation[i] = 1;
        one.padding[i] = 0;
      }
    return one;
  }

  int64_t volume() const {
    int64_t product = 1;
    for (int64_t k : kernel.span()) product *= k;
    return product;
  }
};

// What SCOPED_TRACE prints: the seed and all options.
template <int N>
std::string trace(uint64_t seed, const Windows<N>& w) {
  return "seed " + std::to_string(seed) + ": " + to_string(w.shape) + " kernel " + to_string(w.kernel) + " stride " + to_string(w.stride) +
         " padding " + to_string(w.padding) + " dilation " + to_string(w.dilation) + (w.ceil ? " ceil" : "");
}

enum class Simple : uint8_t { no, yes };  // yes: no padding, no dilation, floor

template <int N>
Windows<N> random_windows(Rng& rng, Simple simple = Simple::no) {
  Windows<N> w;
  w.shape = {rng.between(1, 3), rng.one_in(4) ? rng.between(10, 35) : rng.between(1, 5)};
  const int64_t most = N == 1 ? 60 : N == 2 ? 22 : 8;
  const bool large = N < 3 && rng.one_in(6);  // windows of 64 cells and more have kernels of their own
  for (int i = 0; i < N; ++i) {
    w.kernel.push_back(large ? rng.between(8, N == 1 ? 90 : 12) : rng.between(1, N == 1 ? 9 : N == 2 ? 6 : 3));
    w.stride.push_back(rng.between(1, 4));
    w.padding.push_back(simple == Simple::no ? rng.between(0, w.kernel[i] / 2) : 0);
    w.dilation.push_back(simple == Simple::no && rng.one_in(3) ? rng.between(2, 3) : 1);
    const int64_t least = std::max<int64_t>(1, (w.kernel[i] - 1) * w.dilation[i] + 1 - 2 * w.padding[i]);
    w.shape.push_back(rng.between(least, least + most));
  }
  w.ceil = simple == Simple::no && rng.one_in(2);
  return w;
}

// Windows that do not overlap: every cell belongs to exactly one, of which the last along an axis may be incomplete.
template <int N>
Windows<N> random_tiles(Rng& rng) {
  Windows<N> w = random_windows<N>(rng, Simple::yes);
  w.stride = w.kernel;
  w.ceil = true;
  return w;
}

// A tensor of any dtype from numbers in row-major order.
inline Tensor tensor_of(const std::vector<double>& numbers, const Dims& shape, DType dtype) {
  return Tensor::from<double>(shape, std::span<const double>(numbers)).to(dtype);
}

// Small whole numbers: their sums are exact in every dtype that has them, whatever the order of additions.
inline Tensor whole_numbers(const Dims& shape, Rng& rng, DType dtype = DType::f32, int64_t low = -8, int64_t high = 8) {
  std::vector<double> numbers(static_cast<size_t>(zeros(shape, DType::u8).numel()));
  for (double& v : numbers) v = static_cast<double>(rng.between(low, high));
  return tensor_of(numbers, shape, dtype);
}

// Every number once, in random order: no two cells are equal.
inline Tensor distinct(const Dims& shape, Rng& rng, DType dtype = DType::f32) {
  const Tensor ordered = arange(shape, DType::f64);
  std::vector<double> numbers = cells(ordered);
  for (size_t i = numbers.size(); i > 1; --i)
    std::swap(numbers[i - 1], numbers[static_cast<size_t>(rng.between(0, static_cast<int64_t>(i) - 1))]);
  return tensor_of(numbers, shape, dtype);
}

// Numbers of the given kind, NaNs and infinities among them where `contents` says so.
inline Tensor filled(const Dims& shape, Contents contents, Rng& rng, DType dtype = DType::f32) {
  Tensor t(shape, dtype);
  fill(t.span(), contents, rng);
  return t;
}

// f(cell) and f(cell, cell), computed in double and rounded to x's dtype.
inline Tensor map(const Tensor& x, const std::function<double(double)>& f) {
  std::vector<double> numbers = cells(x);
  for (double& v : numbers) v = f(v);
  return tensor_of(numbers, x.shape(), x.dtype());
}
inline Tensor map(const Tensor& x, const Tensor& y, const std::function<double(double, double)>& f) {
  std::vector<double> numbers = cells(x);
  const std::vector<double> others = cells(y);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = f(numbers[i], others[i]);
  return tensor_of(numbers, x.shape(), x.dtype());
}

inline double dot(const Tensor& x, const Tensor& y) {
  const std::vector<double> a = cells(x), b = cells(y);
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double total(const Tensor& x) {
  double sum = 0;
  for (double v : cells(x)) sum += v;
  return sum;
}

inline Tensor flipped(const Tensor& x, int dim) { return x.slice(dim, x.size(dim) - 1, -1, -1); }

// |expected - actual| <= relative * (1 + |expected|) for every cell; +0 and -0 are equal.
inline ::testing::AssertionResult near(const Tensor& expected, const Tensor& actual, double relative) {
  std::vector<double> room = cells(expected);
  for (double& v : room) v = relative * (1 + std::abs(v));
  const Tensor tolerance = tensor_of(room, expected.shape(), DType::f64);
  return close_enough(expected, tolerance, actual);
}

// Equal bits. Takes tensors by reference, so that results of calls can be passed.
#ifdef __i386__
// The sign of a NaN that a sum makes depends on the order of the operands, which the compiler chooses per call on i386.
inline ::testing::AssertionResult same(const Tensor& expected, const Tensor& actual) { return near(expected, actual, 0); }
#else
inline ::testing::AssertionResult same(const Tensor& expected, const Tensor& actual) { return same_bits(expected, actual); }
#endif
inline ::testing::AssertionResult same(const Pooled& expected, const Pooled& actual) {
  const auto values = same(expected.values, actual.values);
  return values ? same_bits(expected.indices, actual.indices) : values;
}

}  // namespace tidepool::test
