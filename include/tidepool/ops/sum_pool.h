// Sum pooling in 1, 2 and 3 dimensions: avg_pool.h without the division. See docs/ops/avg_pool.md.
#pragma once

#include "tidepool/ops/avg_pool.h"

namespace tidepool::inline v0_1 {

template <int N>
struct TIDEPOOL_API SumPoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> kernel_size = {};
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  CeilMode ceil_mode = {};  // unset: floor, or ceil for Preset::caffe
  Preset preset = Preset::torch;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("kernel_size", self.kernel_size, "size of the windows");
    visit("stride", self.stride, "distance between windows (default: kernel_size)");
    visit("padding", self.padding, "zeros around the input: n, n per axis, before:after per axis, same, same_lower, valid");
    visit("dilation", self.dilation, "distance between the elements of a window");
    visit("ceil_mode", self.ceil_mode, "rounding of the output size: floor, ceil (as in PyTorch), ceil_full");
    visit("preset", self.preset, "framework whose defaults apply to options that are not given: torch, onnx, tensorflow, caffe");
  }
};

template <int N>
using SumPoolFunctions = WindowSumFunctions<N, SumPoolOptions<N>>;

// The functions of avg_pool.h, with the same arguments except those about the divisor: sum_pool2d, sum_pool2d_into, ….

// ---- 1-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor sum_pool1d(const TensorArg& x, const SumPoolOptions<1>& options) { return SumPoolFunctions<1>::forward(x, options); }
inline Tensor sum_pool1d(const TensorArg& x, const Extent<1>& kernel_size, const SumPoolOptions<1>& options) {
  return sum_pool1d(x, detail::with_field("sum_pool1d", "kernel_size", &SumPoolOptions<1>::kernel_size, kernel_size, options));
}
inline Tensor sum_pool1d(const TensorArg& x, const Extent<1>& kernel_size, const Extent<1>& stride = {}, const Padding<1>& padding = 0,
                         const CeilMode& ceil_mode = {}) {
  return sum_pool1d(x, SumPoolOptions<1>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .ceil_mode = ceil_mode});
}

inline void sum_pool1d_into(TensorSpan out, const TensorArg& x, const SumPoolOptions<1>& options) {
  SumPoolFunctions<1>::into(out, x, options);
}
inline Tensor sum_pool1d_backward(const TensorArg& grad, const Dims& input_shape, const SumPoolOptions<1>& options) {
  return SumPoolFunctions<1>::backward(grad, input_shape, options);
}
inline void sum_pool1d_backward_into(TensorSpan grad_input, const TensorArg& grad, const SumPoolOptions<1>& options) {
  SumPoolFunctions<1>::backward_into(grad_input, grad, options);
}
inline Tensor sum_pool1d_double_backward(const TensorArg& gg, const SumPoolOptions<1>& options) {
  return SumPoolFunctions<1>::double_backward(gg, options);
}
inline void sum_pool1d_double_backward_into(TensorSpan out, const TensorArg& gg, const SumPoolOptions<1>& options) {
  SumPoolFunctions<1>::double_backward_into(out, gg, options);
}
inline Dims sum_pool1d_shape(const Dims& input_shape, const SumPoolOptions<1>& options) {
  return SumPoolFunctions<1>::shape(input_shape, options);
}

// ---- 2-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor sum_pool2d(const TensorArg& x, const SumPoolOptions<2>& options) { return SumPoolFunctions<2>::forward(x, options); }
inline Tensor sum_pool2d(const TensorArg& x, const Extent<2>& kernel_size, const SumPoolOptions<2>& options) {
  return sum_pool2d(x, detail::with_field("sum_pool2d", "kernel_size", &SumPoolOptions<2>::kernel_size, kernel_size, options));
}
inline Tensor sum_pool2d(const TensorArg& x, const Extent<2>& kernel_size, const Extent<2>& stride = {}, const Padding<2>& padding = 0,
                         const CeilMode& ceil_mode = {}) {
  return sum_pool2d(x, SumPoolOptions<2>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .ceil_mode = ceil_mode});
}

inline void sum_pool2d_into(TensorSpan out, const TensorArg& x, const SumPoolOptions<2>& options) {
  SumPoolFunctions<2>::into(out, x, options);
}
inline Tensor sum_pool2d_backward(const TensorArg& grad, const Dims& input_shape, const SumPoolOptions<2>& options) {
  return SumPoolFunctions<2>::backward(grad, input_shape, options);
}
inline void sum_pool2d_backward_into(TensorSpan grad_input, const TensorArg& grad, const SumPoolOptions<2>& options) {
  SumPoolFunctions<2>::backward_into(grad_input, grad, options);
}
inline Tensor sum_pool2d_double_backward(const TensorArg& gg, const SumPoolOptions<2>& options) {
  return SumPoolFunctions<2>::double_backward(gg, options);
}
inline void sum_pool2d_double_backward_into(TensorSpan out, const TensorArg& gg, const SumPoolOptions<2>& options) {
  SumPoolFunctions<2>::double_backward_into(out, gg, options);
}
inline Dims sum_pool2d_shape(const Dims& input_shape, const SumPoolOptions<2>& options) {
  return SumPoolFunctions<2>::shape(input_shape, options);
}

// ---- 3-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor sum_pool3d(const TensorArg& x, const SumPoolOptions<3>& options) { return SumPoolFunctions<3>::forward(x, options); }
inline Tensor sum_pool3d(const TensorArg& x, const Extent<3>& kernel_size, const SumPoolOptions<3>& options) {
  return sum_pool3d(x, detail::with_field("sum_pool3d", "kernel_size", &SumPoolOptions<3>::kernel_size, kernel_size, options));
}
inline Tensor sum_pool3d(const TensorArg& x, const Extent<3>& kernel_size, const Extent<3>& stride = {}, const Padding<3>& padding = 0,
                         const CeilMode& ceil_mode = {}) {
  return sum_pool3d(x, SumPoolOptions<3>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .ceil_mode = ceil_mode});
}

inline void sum_pool3d_into(TensorSpan out, const TensorArg& x, const SumPoolOptions<3>& options) {
  SumPoolFunctions<3>::into(out, x, options);
}
inline Tensor sum_pool3d_backward(const TensorArg& grad, const Dims& input_shape, const SumPoolOptions<3>& options) {
  return SumPoolFunctions<3>::backward(grad, input_shape, options);
}
inline void sum_pool3d_backward_into(TensorSpan grad_input, const TensorArg& grad, const SumPoolOptions<3>& options) {
  SumPoolFunctions<3>::backward_into(grad_input, grad, options);
}
inline Tensor sum_pool3d_double_backward(const TensorArg& gg, const SumPoolOptions<3>& options) {
  return SumPoolFunctions<3>::double_backward(gg, options);
}
inline void sum_pool3d_double_backward_into(TensorSpan out, const TensorArg& gg, const SumPoolOptions<3>& options) {
  SumPoolFunctions<3>::double_backward_into(out, gg, options);
}
inline Dims sum_pool3d_shape(const Dims& input_shape, const SumPoolOptions<3>& options) {
  return SumPoolFunctions<3>::shape(input_shape, options);
}

}  // namespace tidepool::inline v0_1
