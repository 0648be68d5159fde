// Lp pooling: the p-norm of every window, in 1, 2 and 3 dimensions. See docs/ops/lp_pool.md.
#pragma once

#include "tidepool/geometry.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool {

template <int N>
struct LpPoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  double norm_type = 2;  // p, above 0; infinity gives the largest magnitude
  Extent<N> kernel_size = {};
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  CeilMode ceil_mode = {};    // unset: false, but true for caffe
  Flag signed_power = false;  // PyTorch's formula, x^p without the absolute value; p may then be negative
  Preset preset = Preset::torch;

  // The one list of fields: visit(name, field, help).
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("norm_type", self.norm_type, "p of the norm, above 0; inf gives the largest magnitude");
    visit("kernel_size", self.kernel_size, "size of the window");
    visit("stride", self.stride, "step between windows (default: kernel_size)");
    visit("padding", self.padding, "cells of zero around the input: n, n per axis, before:after per axis, same, same_lower, valid");
    visit("dilation", self.dilation, "step between the cells of a window");
    visit("ceil_mode", self.ceil_mode, "count windows that hang over the edge: floor, ceil (PyTorch's rule), ceil_full");
    visit("signed_power", self.signed_power.value, "PyTorch's formula, x^p without the absolute value: true, false");
    visit("preset", self.preset, "whose conventions fill the gaps: torch, onnx, tensorflow, caffe");
  }
};

// The functions of one rank, for code that is written for any: LpPoolFunctions<2>::forward(x, options) is lp_pool2d(x, options).
template <int N>
struct LpPoolFunctions {
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

// For R = 1, 2, 3:
//
//   lp_pool2d(x, 2, 3)                                   (Σ|x|^p)^(1/p) of every window: norm_type, kernel[, stride, ceil_mode]
//   lp_pool2d(x, 2, 3, {.stride = 2})                    norm_type and kernel first, the rest by name
//   lp_pool2d(x, {.norm_type = 2, .kernel_size = 3})     all by name
//   lp_pool2d_into(out, x, options)                      into memory you have
//   lp_pool2d_backward(grad, x, options)                 gradient of the input; 0 at a window of zeros
//   lp_pool2d_double_backward(gg, x, options)            gradient of the output's gradient
//   lp_pool2d_double_backward_input(gg, grad, x, options)  and of the input: a norm is not linear
//   lp_pool2d_shape(input_shape, options)
//
// x is N, C, spatial… or C, spatial…, floating, a Tensor or borrowed memory, in any strides; the result keeps channels-last if x has it. A
// Tensor that requires gradients is recorded; the functions that write into your memory refuse one. Throws Error.

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

}  // namespace tidepool
