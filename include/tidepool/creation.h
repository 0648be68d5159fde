// Tensors made from nothing. Random ones give the same numbers on every platform for the same seed.
#pragma once

#include <cstdint>

#include "tidepool/tensor.h"

namespace tidepool {

Tensor zeros(const Dims& shape, DType dtype = DType::f32);
Tensor full(const Dims& shape, double value, DType dtype = DType::f32);
// 0, 1, 2, … reshaped; integers wrap as their type does.
Tensor arange(const Dims& shape, DType dtype = DType::f32);

// Uniform in [0, 1); integers: the whole range of the type; bool: fair coin.
Tensor rand(const Dims& shape, uint64_t seed = 0, DType dtype = DType::f32);
// Normal(0, 1), floating dtypes only.
Tensor randn(const Dims& shape, uint64_t seed = 0, DType dtype = DType::f32);

// Overwrites a span with rand's numbers, in row-major order whatever its strides.
void fill_rand(TensorSpan out, uint64_t seed);
void fill_randn(TensorSpan out, uint64_t seed);

}  // namespace tidepool
