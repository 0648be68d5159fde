// Functions that create tensors: from values, constants and random numbers. A seed gives the same numbers on every platform.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "tidepool/export.h"
#include "tidepool/random.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

// The argument of tensor(): a number, or a list of nested lists. Lists of the same depth must have the same length.
class TIDEPOOL_API NestedValues {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  NestedValues(T value) : values_{static_cast<double>(value)} {}  // NOLINT: implicit by design
  NestedValues(std::initializer_list<NestedValues> list);

  const Dims& shape() const noexcept { return shape_; }
  const std::vector<double>& values() const noexcept { return values_; }

 private:
  Dims shape_;
  std::vector<double> values_;
};

// tensor({{1, 2, 3}, {4, 5, 6}}) has shape 2x3. Numbers are stored as double first, so integers beyond 2^53 are rounded.
TIDEPOOL_API Tensor tensor(const NestedValues& values, DType dtype = DType::f32);
TIDEPOOL_API Tensor zeros(const Dims& shape, DType dtype = DType::f32);
TIDEPOOL_API Tensor ones(const Dims& shape, DType dtype = DType::f32);
TIDEPOOL_API Tensor full(const Dims& shape, double value, DType dtype = DType::f32);
// 0, 1, 2, … in row-major order. Integer dtypes wrap.
TIDEPOOL_API Tensor arange(const Dims& shape, DType dtype = DType::f32);

// Uniform random numbers: in [0, 1) for floating dtypes, over the whole range of an integer dtype, and true or false with equal
// probability for bool. Without a seed, each call takes the next seed of the generator in random.h. With a seed, the numbers are always the
// same.
TIDEPOOL_API Tensor rand(const Dims& shape, DType dtype = DType::f32);
TIDEPOOL_API Tensor rand(const Dims& shape, Seed seed, DType dtype = DType::f32);
// Normally distributed with mean 0 and variance 1. Floating dtypes only.
TIDEPOOL_API Tensor randn(const Dims& shape, DType dtype = DType::f32);
TIDEPOOL_API Tensor randn(const Dims& shape, Seed seed, DType dtype = DType::f32);

// Fills a span with the numbers of rand and randn, in row-major order for any strides.
TIDEPOOL_API void fill_rand(TensorSpan out, uint64_t seed);
TIDEPOOL_API void fill_randn(TensorSpan out, uint64_t seed);

}  // namespace tidepool::inline v0_1
