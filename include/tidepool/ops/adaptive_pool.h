// Adaptive pooling: any input to a given output size, by bins; and global pooling, which is one bin. See docs/ops/adaptive_pool.md.
#pragma once

#include "tidepool/extent.h"
#include "tidepool/geometry.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/tensor.h"

namespace tidepool {

struct AdaptiveMaxOptions {
  NanPolicy nan = NanPolicy::propagate;
  IndexBase index_base = IndexBase::plane;
};

// output_size is one number or one per axis; keep_size leaves an axis as it is (PyTorch's None). For R = 1, 2, 3:
//
//   adaptive_avg_pool2d(x, 7)                                          averages of the bins
//   adaptive_avg_pool2d(x, {7, keep_size})
//   adaptive_avg_pool2d_backward(grad, input_shape)                    the output size is read off grad
//   adaptive_avg_pool2d_double_backward(gg, output_size)
//   adaptive_max_pool2d(x, 7), adaptive_max_pool2d_with_indices(x, 7)
//   adaptive_max_pool2d_backward(grad, indices, input_shape)
//   adaptive_max_pool2d_double_backward(gg, indices)
//
// Bin o of an axis of L cells and O outputs covers floor(o·L/O) to ceil((o+1)·L/O); O may exceed L, or be 0. Throws Error.
#define TIDEPOOL_ADAPTIVE_POOL(N)                                                                                                  \
  Tensor adaptive_avg_pool##N##d(TensorView x, const Extent<N>& output_size);                                                      \
  void adaptive_avg_pool##N##d_into(TensorSpan out, TensorView x);                                                                 \
  Tensor adaptive_avg_pool##N##d_backward(TensorView grad, const Dims& input_shape);                                               \
  void adaptive_avg_pool##N##d_backward_into(TensorSpan grad_input, TensorView grad);                                              \
  Tensor adaptive_avg_pool##N##d_double_backward(TensorView gg, const Extent<N>& output_size);                                     \
  Tensor adaptive_max_pool##N##d(TensorView x, const Extent<N>& output_size, const AdaptiveMaxOptions& options = {});              \
  Pooled adaptive_max_pool##N##d_with_indices(TensorView x, const Extent<N>& output_size, const AdaptiveMaxOptions& options = {}); \
  void adaptive_max_pool##N##d_into(TensorSpan out, TensorView x, const AdaptiveMaxOptions& options = {});                         \
  Tensor adaptive_max_pool##N##d_backward(TensorView grad, TensorView indices, const Dims& input_shape,                            \
                                          const AdaptiveMaxOptions& options = {});                                                 \
  Tensor adaptive_max_pool##N##d_double_backward(TensorView gg, TensorView indices, const AdaptiveMaxOptions& options = {});
TIDEPOOL_ADAPTIVE_POOL(1)
TIDEPOOL_ADAPTIVE_POOL(2)
TIDEPOOL_ADAPTIVE_POOL(3)
#undef TIDEPOOL_ADAPTIVE_POOL

// One output per channel, for R = 1, 2, 3:
//
//   global_avg_pool2d(x), global_sum_pool2d(x), with _backward(grad, input_shape) and _double_backward(gg)
//   global_max_pool2d(x), global_max_pool2d_with_indices(x), with _backward(grad, indices, input_shape) and _double_backward(gg, indices)
//
// The p-norm is global_lp_pool2d in lp_pool.h.
#define TIDEPOOL_GLOBAL_POOL(N)                                                                        \
  Tensor global_avg_pool##N##d(TensorView x);                                                          \
  Tensor global_avg_pool##N##d_backward(TensorView grad, const Dims& input_shape);                     \
  Tensor global_avg_pool##N##d_double_backward(TensorView gg);                                         \
  Tensor global_sum_pool##N##d(TensorView x);                                                          \
  Tensor global_sum_pool##N##d_backward(TensorView grad, const Dims& input_shape);                     \
  Tensor global_sum_pool##N##d_double_backward(TensorView gg);                                         \
  Tensor global_max_pool##N##d(TensorView x);                                                          \
  Pooled global_max_pool##N##d_with_indices(TensorView x);                                             \
  Tensor global_max_pool##N##d_backward(TensorView grad, TensorView indices, const Dims& input_shape); \
  Tensor global_max_pool##N##d_double_backward(TensorView gg, TensorView indices);
TIDEPOOL_GLOBAL_POOL(1)
TIDEPOOL_GLOBAL_POOL(2)
TIDEPOOL_GLOBAL_POOL(3)
#undef TIDEPOOL_GLOBAL_POOL

}  // namespace tidepool
