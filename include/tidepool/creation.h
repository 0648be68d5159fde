// Tensors made from nothing. Random ones give the same numbers on every platform for the same seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "tidepool/random.h"
#include "tidepool/tensor.h"

namespace tidepool {

// A number, or a list of lists of the same length: what tensor() takes.
class NestedValues {
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

// From nested lists: tensor({{1, 2, 3}, {4, 5, 6}}) has shape 2x3. Numbers are converted through double.
Tensor tensor(const NestedValues& values, DType dtype = DType::f32);
Tensor zeros(const Dims& shape, DType dtype = DType::f32);
Tensor ones(const Dims& shape, DType dtype = DType::f32);
Tensor full(const Dims& shape, double value, DType dtype = DType::f32);
// 0, 1, 2, … reshaped; integers wrap as their type does.
Tensor arange(const Dims& shape, DType dtype = DType::f32);

// Uniform in [0, 1); integers: the whole range of the type; bool: fair coin. Without a seed the generator of random.h goes on, so that
// every call gives other numbers; with one the numbers are always the same.
Tensor rand(const Dims& shape, DType dtype = DType::f32);
Tensor rand(const Dims& shape, Seed seed, DType dtype = DType::f32);
// Normal(0, 1), floating dtypes only.
Tensor randn(const Dims& shape, DType dtype = DType::f32);
Tensor randn(const Dims& shape, Seed seed, DType dtype = DType::f32);

// Overwrites a span with rand's numbers, in row-major order whatever its strides.
void fill_rand(TensorSpan out, uint64_t seed);
void fill_randn(TensorSpan out, uint64_t seed);

}  // namespace tidepool
