// Lp pooling: the p-norm of every window, in 1, 2 and 3 dimensions. See docs/ops/lp_pool.md.
#pragma once

#include "tidepool/export.h"
#include "tidepool/geometry.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

template <int N>
struct LpPoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  double norm_type = 2;  // the exponent p, above 0; infinity gives the largest absolute value
  Extent<N> kernel_size = {};
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  CeilMode ceil_mode = {};    // unset: floor, or ceil for Preset::caffe
  Flag signed_power = false;  // use x^p without the absolute value, as PyTorch does; then p may be negative
  Preset preset = Preset::torch;

  // Calls visit(name, field, help) for each field. The command line and the Python package read options with it.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("norm_type", self.norm_type, "exponent p of the norm, above 0; inf gives the largest absolute value");
    visit("kernel_size", self.kernel_size, "size of the windows");
    visit("stride", self.stride, "distance between windows (default: kernel_size)");
    visit("padding", self.padding, "zeros around the input: n, n per axis, before:after per axis, same, same_lower, valid");
    visit("dilation", self.dilation, "distance between the elements of a window");
    visit("ceil_mode", self.ceil_mode, "rounding of the output size: floor, ceil (as in PyTorch), ceil_full");
    visit("signed_power", self.signed_power.value, "use x^p without the absolute value, as PyTorch does: true, false");
    visit("preset", self.preset, "framework whose defaults apply to options that are not given: torch, onnx, tensorflow, caffe");
  }
};

// The same functions as members of a template, for code that is generic in the rank: LpPoolFunctions<2>::forward(x, options) is
// lp_pool2d(x, options).
template <int N>
struct TIDEPOOL_API LpPoolFunctions {
  using Options = LpPoolOptions<N>;
  static const char* name() noexcept;
  static Tensor forward(const TensorArg& x, const Options& options);
  static void into(TensorSpan out, const TensorArg& x, const Options& options);
  static Tensor backward(const TensorArg& grad, const TensorArg& x, const Options& options);
  static void backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& x, const Options& options);
  static Tensor double_backward(const TensorArg& gg, const TensorArg& x, const Options& options);
  static Tensor double_backward_input(const TensorArg& gg, const TensorArg& grad, const TensorArg& x, const Options& options);
  static Dims shape(const Dims& input_shape, const Options& options);
};

// Shown for 2-D; the same functions exist for 1-D and 3-D:
//
//   lp_pool2d(x, 2, 3)                                   (Σ|x|^p)^(1/p) of every window: norm_type, kernel[, stride, ceil_mode]
//   lp_pool2d(x, 2, 3, {.stride = 2})                    norm_type and kernel size, then other options by name
//   lp_pool2d(x, {.norm_type = 2, .kernel_size = 3})     all options by name
//   lp_pool2d_into(out, x, options)                      writes to existing memory
//   lp_pool2d_backward(grad, x, options)                 gradient with respect to x; 0 for a window of zeros
//   lp_pool2d_double_backward(gg, x, options)            gradient with respect to grad
//   lp_pool2d_double_backward_input(gg, grad, x, options)  gradient of the backward pass with respect to x, since a norm is not linear
//   lp_pool2d_shape(input_shape, options)
//
// x has the dimensions N, C, spatial… or C, spatial…, a floating dtype and any strides; if it is channels-last, so is the result. gg is the
// gradient with respect to the result of _backward. Calls with a Tensor that requires gradients are recorded, except for _into functions,
// which throw Error for such a Tensor. Invalid arguments throw Error.

// ---- 1-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor lp_pool1d(const TensorArg& x, const LpPoolOptions<1>& options) { return LpPoolFunctions<1>::forward(x, options); }
inline Tensor lp_pool1d(const TensorArg& x, double norm_type, const Extent<1>& kernel_size, const LpPoolOptions<1>& options) {
  LpPoolOptions<1> all = detail::with_field("lp_pool1d", "kernel_size", &LpPoolOptions<1>::kernel_size, kernel_size, options);
  all.norm_type = norm_type;
  return lp_pool1d(x, all);
}
inline Tensor lp_pool1d(const TensorArg& x, double norm_type, const Extent<1>& kernel_size, const Extent<1>& stride = {},
                        const CeilMode& ceil_mode = {}) {
  return lp_pool1d(x, LpPoolOptions<1>{.norm_type = norm_type, .kernel_size = kernel_size, .stride = stride, .ceil_mode = ceil_mode});
}

inline void lp_pool1d_into(TensorSpan out, const TensorArg& x, const LpPoolOptions<1>& options) {
  LpPoolFunctions<1>::into(out, x, options);
}
inline Tensor lp_pool1d_backward(const TensorArg& grad, const TensorArg& x, const LpPoolOptions<1>& options) {
  return LpPoolFunctions<1>::backward(grad, x, options);
}
inline void lp_pool1d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& x, const LpPoolOptions<1>& options) {
  LpPoolFunctions<1>::backward_into(grad_input, grad, x, options);
}
inline Tensor lp_pool1d_double_backward(const TensorArg& gg, const TensorArg& x, const LpPoolOptions<1>& options) {
  return LpPoolFunctions<1>::double_backward(gg, x, options);
}
inline Tensor lp_pool1d_double_backward_input(const TensorArg& gg, const TensorArg& grad, const TensorArg& x,
                                              const LpPoolOptions<1>& options) {
  return LpPoolFunctions<1>::double_backward_input(gg, grad, x, options);
}
inline Dims lp_pool1d_shape(const Dims& input_shape, const LpPoolOptions<1>& options) {
  return LpPoolFunctions<1>::shape(input_shape, options);
}

// ---- 2-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor lp_pool2d(const TensorArg& x, const LpPoolOptions<2>& options) { return LpPoolFunctions<2>::forward(x, options); }
inline Tensor lp_pool2d(const TensorArg& x, double norm_type, const Extent<2>& kernel_size, const LpPoolOptions<2>& options) {
  LpPoolOptions<2> all = detail::with_field("lp_pool2d", "kernel_size", &LpPoolOptions<2>::kernel_size, kernel_size, options);
  all.norm_type = norm_type;
  return lp_pool2d(x, all);
}
inline Tensor lp_pool2d(const TensorArg& x, double norm_type, const Extent<2>& kernel_size, const Extent<2>& stride = {},
                        const CeilMode& ceil_mode = {}) {
  return lp_pool2d(x, LpPoolOptions<2>{.norm_type = norm_type, .kernel_size = kernel_size, .stride = stride, .ceil_mode = ceil_mode});
}

inline void lp_pool2d_into(TensorSpan out, const TensorArg& x, const LpPoolOptions<2>& options) {
  LpPoolFunctions<2>::into(out, x, options);
}
inline Tensor lp_pool2d_backward(const TensorArg& grad, const TensorArg& x, const LpPoolOptions<2>& options) {
  return LpPoolFunctions<2>::backward(grad, x, options);
}
inline void lp_pool2d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& x, const LpPoolOptions<2>& options) {
  LpPoolFunctions<2>::backward_into(grad_input, grad, x, options);
}
inline Tensor lp_pool2d_double_backward(const TensorArg& gg, const TensorArg& x, const LpPoolOptions<2>& options) {
  return LpPoolFunctions<2>::double_backward(gg, x, options);
}
inline Tensor lp_pool2d_double_backward_input(const TensorArg& gg, const TensorArg& grad, const TensorArg& x,
                                              const LpPoolOptions<2>& options) {
  return LpPoolFunctions<2>::double_backward_input(gg, grad, x, options);
}
inline Dims lp_pool2d_shape(const Dims& input_shape, const LpPoolOptions<2>& options) {
  return LpPoolFunctions<2>::shape(input_shape, options);
}

// ---- 3-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor lp_pool3d(const TensorArg& x, const LpPoolOptions<3>& options) { return LpPoolFunctions<3>::forward(x, options); }
inline Tensor lp_pool3d(const TensorArg& x, double norm_type, const Extent<3>& kernel_size, const LpPoolOptions<3>& options) {
  LpPoolOptions<3> all = detail::with_field("lp_pool3d", "kernel_size", &LpPoolOptions<3>::kernel_size, kernel_size, options);
  all.norm_type = norm_type;
  return lp_pool3d(x, all);
}
inline Tensor lp_pool3d(const TensorArg& x, double norm_type, const Extent<3>& kernel_size, const Extent<3>& stride = {},
                        const CeilMode& ceil_mode = {}) {
  return lp_pool3d(x, LpPoolOptions<3>{.norm_type = norm_type, .kernel_size = kernel_size, .stride = stride, .ceil_mode = ceil_mode});
}

inline void lp_pool3d_into(TensorSpan out, const TensorArg& x, const LpPoolOptions<3>& options) {
  LpPoolFunctions<3>::into(out, x, options);
}
inline Tensor lp_pool3d_backward(const TensorArg& grad, const TensorArg& x, const LpPoolOptions<3>& options) {
  return LpPoolFunctions<3>::backward(grad, x, options);
}
inline void lp_pool3d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& x, const LpPoolOptions<3>& options) {
  LpPoolFunctions<3>::backward_into(grad_input, grad, x, options);
}
inline Tensor lp_pool3d_double_backward(const TensorArg& gg, const TensorArg& x, const LpPoolOptions<3>& options) {
  return LpPoolFunctions<3>::double_backward(gg, x, options);
}
inline Tensor lp_pool3d_double_backward_input(const TensorArg& gg, const TensorArg& grad, const TensorArg& x,
                                              const LpPoolOptions<3>& options) {
  return LpPoolFunctions<3>::double_backward_input(gg, grad, x, options);
}
inline Dims lp_pool3d_shape(const Dims& input_shape, const LpPoolOptions<3>& options) {
  return LpPoolFunctions<3>::shape(input_shape, options);
}

}  // namespace tidepool::inline v0_1
