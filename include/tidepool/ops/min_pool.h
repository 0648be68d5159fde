// Min pooling in 1, 2 and 3 dimensions: max pooling with the order reversed. See docs/ops/max_pool.md.
#pragma once

#include "tidepool/ops/max_pool.h"

namespace tidepool::inline v0_1 {

template <int N>
using MinPoolFunctions = ExtremumPoolFunctions<Op::min, N>;

// The functions of max_pool.h, with the same arguments and options: min_pool2d, min_pool2d_with_indices, min_pool2d_into, ….

// ---- 1-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor min_pool1d(const TensorArg& x, const MaxPoolOptions<1>& options) { return MinPoolFunctions<1>::forward(x, options); }
inline Tensor min_pool1d(const TensorArg& x, const Extent<1>& kernel_size, const MaxPoolOptions<1>& options) {
  return min_pool1d(x, detail::with_field("min_pool1d", "kernel_size", &MaxPoolOptions<1>::kernel_size, kernel_size, options));
}
inline Tensor min_pool1d(const TensorArg& x, const Extent<1>& kernel_size, const Extent<1>& stride = {}, const Padding<1>& padding = 0,
                         const Extent<1>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return min_pool1d(
      x, MaxPoolOptions<1>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline Pooled min_pool1d_with_indices(const TensorArg& x, const MaxPoolOptions<1>& options) {
  return MinPoolFunctions<1>::with_indices(x, options);
}
inline Pooled min_pool1d_with_indices(const TensorArg& x, const Extent<1>& kernel_size, const MaxPoolOptions<1>& options) {
  return min_pool1d_with_indices(
      x, detail::with_field("min_pool1d_with_indices", "kernel_size", &MaxPoolOptions<1>::kernel_size, kernel_size, options));
}
inline Pooled min_pool1d_with_indices(const TensorArg& x, const Extent<1>& kernel_size, const Extent<1>& stride = {},
                                      const Padding<1>& padding = 0, const Extent<1>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return min_pool1d_with_indices(
      x, MaxPoolOptions<1>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline void min_pool1d_into(TensorSpan out, const TensorArg& x, const MaxPoolOptions<1>& options) {
  MinPoolFunctions<1>::into(out, x, options);
}
inline void min_pool1d_with_indices_into(TensorSpan out, TensorSpan indices, const TensorArg& x, const MaxPoolOptions<1>& options) {
  MinPoolFunctions<1>::with_indices_into(out, indices, x, options);
}
inline Tensor min_pool1d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                  const MaxPoolOptions<1>& options) {
  return MinPoolFunctions<1>::backward(grad, indices, input_shape, options);
}
inline void min_pool1d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices,
                                     const MaxPoolOptions<1>& options) {
  MinPoolFunctions<1>::backward_into(grad_input, grad, indices, options);
}
inline Tensor min_pool1d_double_backward(const TensorArg& gg, const TensorArg& indices, const MaxPoolOptions<1>& options) {
  return MinPoolFunctions<1>::double_backward(gg, indices, options);
}
inline void min_pool1d_double_backward_into(TensorSpan out, const TensorArg& gg, const TensorArg& indices,
                                            const MaxPoolOptions<1>& options) {
  MinPoolFunctions<1>::double_backward_into(out, gg, indices, options);
}
inline Dims min_pool1d_shape(const Dims& input_shape, const MaxPoolOptions<1>& options) {
  return MinPoolFunctions<1>::shape(input_shape, options);
}

// ---- 2-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor min_pool2d(const TensorArg& x, const MaxPoolOptions<2>& options) { return MinPoolFunctions<2>::forward(x, options); }
inline Tensor min_pool2d(const TensorArg& x, const Extent<2>& kernel_size, const MaxPoolOptions<2>& options) {
  return min_pool2d(x, detail::with_field("min_pool2d", "kernel_size", &MaxPoolOptions<2>::kernel_size, kernel_size, options));
}
inline Tensor min_pool2d(const TensorArg& x, const Extent<2>& kernel_size, const Extent<2>& stride = {}, const Padding<2>& padding = 0,
                         const Extent<2>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return min_pool2d(
      x, MaxPoolOptions<2>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline Pooled min_pool2d_with_indices(const TensorArg& x, const MaxPoolOptions<2>& options) {
  return MinPoolFunctions<2>::with_indices(x, options);
}
inline Pooled min_pool2d_with_indices(const TensorArg& x, const Extent<2>& kernel_size, const MaxPoolOptions<2>& options) {
  return min_pool2d_with_indices(
      x, detail::with_field("min_pool2d_with_indices", "kernel_size", &MaxPoolOptions<2>::kernel_size, kernel_size, options));
}
inline Pooled min_pool2d_with_indices(const TensorArg& x, const Extent<2>& kernel_size, const Extent<2>& stride = {},
                                      const Padding<2>& padding = 0, const Extent<2>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return min_pool2d_with_indices(
      x, MaxPoolOptions<2>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline void min_pool2d_into(TensorSpan out, const TensorArg& x, const MaxPoolOptions<2>& options) {
  MinPoolFunctions<2>::into(out, x, options);
}
inline void min_pool2d_with_indices_into(TensorSpan out, TensorSpan indices, const TensorArg& x, const MaxPoolOptions<2>& options) {
  MinPoolFunctions<2>::with_indices_into(out, indices, x, options);
}
inline Tensor min_pool2d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                  const MaxPoolOptions<2>& options) {
  return MinPoolFunctions<2>::backward(grad, indices, input_shape, options);
}
inline void min_pool2d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices,
                                     const MaxPoolOptions<2>& options) {
  MinPoolFunctions<2>::backward_into(grad_input, grad, indices, options);
}
inline Tensor min_pool2d_double_backward(const TensorArg& gg, const TensorArg& indices, const MaxPoolOptions<2>& options) {
  return MinPoolFunctions<2>::double_backward(gg, indices, options);
}
inline void min_pool2d_double_backward_into(TensorSpan out, const TensorArg& gg, const TensorArg& indices,
                                            const MaxPoolOptions<2>& options) {
  MinPoolFunctions<2>::double_backward_into(out, gg, indices, options);
}
inline Dims min_pool2d_shape(const Dims& input_shape, const MaxPoolOptions<2>& options) {
  return MinPoolFunctions<2>::shape(input_shape, options);
}

// ---- 3-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor min_pool3d(const TensorArg& x, const MaxPoolOptions<3>& options) { return MinPoolFunctions<3>::forward(x, options); }
inline Tensor min_pool3d(const TensorArg& x, const Extent<3>& kernel_size, const MaxPoolOptions<3>& options) {
  return min_pool3d(x, detail::with_field("min_pool3d", "kernel_size", &MaxPoolOptions<3>::kernel_size, kernel_size, options));
}
inline Tensor min_pool3d(const TensorArg& x, const Extent<3>& kernel_size, const Extent<3>& stride = {}, const Padding<3>& padding = 0,
                         const Extent<3>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return min_pool3d(
      x, MaxPoolOptions<3>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline Pooled min_pool3d_with_indices(const TensorArg& x, const MaxPoolOptions<3>& options) {
  return MinPoolFunctions<3>::with_indices(x, options);
}
inline Pooled min_pool3d_with_indices(const TensorArg& x, const Extent<3>& kernel_size, const MaxPoolOptions<3>& options) {
  return min_pool3d_with_indices(
      x, detail::with_field("min_pool3d_with_indices", "kernel_size", &MaxPoolOptions<3>::kernel_size, kernel_size, options));
}
inline Pooled min_pool3d_with_indices(const TensorArg& x, const Extent<3>& kernel_size, const Extent<3>& stride = {},
                                      const Padding<3>& padding = 0, const Extent<3>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return min_pool3d_with_indices(
      x, MaxPoolOptions<3>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline void min_pool3d_into(TensorSpan out, const TensorArg& x, const MaxPoolOptions<3>& options) {
  MinPoolFunctions<3>::into(out, x, options);
}
inline void min_pool3d_with_indices_into(TensorSpan out, TensorSpan indices, const TensorArg& x, const MaxPoolOptions<3>& options) {
  MinPoolFunctions<3>::with_indices_into(out, indices, x, options);
}
inline Tensor min_pool3d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                  const MaxPoolOptions<3>& options) {
  return MinPoolFunctions<3>::backward(grad, indices, input_shape, options);
}
inline void min_pool3d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices,
                                     const MaxPoolOptions<3>& options) {
  MinPoolFunctions<3>::backward_into(grad_input, grad, indices, options);
}
inline Tensor min_pool3d_double_backward(const TensorArg& gg, const TensorArg& indices, const MaxPoolOptions<3>& options) {
  return MinPoolFunctions<3>::double_backward(gg, indices, options);
}
inline void min_pool3d_double_backward_into(TensorSpan out, const TensorArg& gg, const TensorArg& indices,
                                            const MaxPoolOptions<3>& options) {
  MinPoolFunctions<3>::double_backward_into(out, gg, indices, options);
}
inline Dims min_pool3d_shape(const Dims& input_shape, const MaxPoolOptions<3>& options) {
  return MinPoolFunctions<3>::shape(input_shape, options);
}

}  // namespace tidepool::inline v0_1
