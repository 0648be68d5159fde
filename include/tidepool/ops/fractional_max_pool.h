// Fractional max pooling: windows of one size at pseudo-random steps, in 2 and 3 dimensions. See docs/ops/fractional_max_pool.md.
#pragma once

#include <cstdint>

#include "tidepool/extent.h"
#include "tidepool/geometry.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/tensor.h"

namespace tidepool {

template <int N>
struct FractionalMaxPoolOptions {
  Extent<N> kernel_size;
  Extent<N> output_size = {};  // either this
  Ratio<N> output_ratio = {};  // or this: output = floor(input * ratio), each between 0 and 1
  TensorView samples = {};     // N, C, R numbers in [0, 1) of x's dtype; unset: drawn from `seed`
  uint64_t seed = 0;
  NanPolicy nan = NanPolicy::propagate;
  IndexBase index_base = IndexBase::plane;

  // The one list of fields: visit(name, field, help).
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("kernel_size", self.kernel_size, "size of the window");
    visit("output_size", self.output_size, "outputs, a number or one per axis");
    visit("output_ratio", self.output_ratio, "outputs as a share of the input, between 0 and 1");
    visit("seed", self.seed, "where the windows fall: the same seed, the same windows, on every machine");
    visit("nan", self.nan, "propagate: a NaN in the window is the result; ignore: NaN cells count as absent");
    visit("index_base", self.index_base, "what indices count from: plane, tensor, window");
  }
};

// For R = 2, 3:
//
//   fractional_max_pool2d(x, options)                       the maxima of every window
//   fractional_max_pool2d_with_indices(x, options)          maxima and where they were
//   fractional_max_pool2d_into(out, x, options)             into memory you have
//   fractional_max_pool2d_backward(grad, indices, input_shape, options)
//   fractional_max_pool2d_double_backward(gg, indices, options)
//   fractional_max_pool2d_shape(input_shape, options)
//   fractional_max_pool2d_samples(input_shape, dtype, seed)  the numbers that `seed` stands for
//
// Given PyTorch's samples the windows are PyTorch's: in 2-D sample 0 is the width's and 1 the height's; in 3-D they are depth, height,
// width. Throws Error.
#define TIDEPOOL_FRACTIONAL_MAX_POOL(N)                                                                                            \
  Tensor fractional_max_pool##N##d(TensorView x, const FractionalMaxPoolOptions<N>& options);                                      \
  Pooled fractional_max_pool##N##d_with_indices(TensorView x, const FractionalMaxPoolOptions<N>& options);                         \
  void fractional_max_pool##N##d_into(TensorSpan out, TensorView x, const FractionalMaxPoolOptions<N>& options);                   \
  Tensor fractional_max_pool##N##d_backward(TensorView grad, TensorView indices, const Dims& input_shape,                          \
                                            const FractionalMaxPoolOptions<N>& options);                                           \
  Tensor fractional_max_pool##N##d_double_backward(TensorView gg, TensorView indices, const FractionalMaxPoolOptions<N>& options); \
  Dims fractional_max_pool##N##d_shape(const Dims& input_shape, const FractionalMaxPoolOptions<N>& options);                       \
  Tensor fractional_max_pool##N##d_samples(const Dims& input_shape, DType dtype, uint64_t seed);
TIDEPOOL_FRACTIONAL_MAX_POOL(2)
TIDEPOOL_FRACTIONAL_MAX_POOL(3)
#undef TIDEPOOL_FRACTIONAL_MAX_POOL

}  // namespace tidepool
