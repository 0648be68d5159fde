// Inputs whose sums of products are exact, so that gradients can be compared with ==.
#pragma once

#include <numeric>
#include <utility>

#include "support/rng.h"
#include "support/tensors.h"
#include "tidepool/creation.h"

namespace tidepool::test {

// Distinct integers, shuffled: no step below one half changes the argmax.
inline Tensor distinct(const Dims& shape, Rng& rng) {
  Tensor t = arange(shape, DType::f64);
  double* p = t.data<double>();
  for (int64_t i = t.numel() - 1; i > 0; --i) std::swap(p[i], p[rng.between(0, i)]);
  return t;
}

// Small integers: every sum of products is exact.
inline Tensor integers(const Dims& shape, Rng& rng) {
  Tensor t(shape, DType::f64);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<double>()[i] = static_cast<double>(rng.between(-9, 9));
  return t;
}

inline double dot(const Tensor& a, const Tensor& b) {
  const Cells x = cells(a), y = cells(b);
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

}  // namespace tidepool::test
