// Lp pooling: the p-norm of every window, in 1, 2 and 3 dimensions. See docs/ops/lp_pool.md.
#pragma once

#include "tidepool/extent.h"
#include "tidepool/geometry.h"
#include "tidepool/tensor.h"

namespace tidepool {

template <int N>
struct LpPoolOptions {
  double norm_type = 2;  // p, above 0; infinity gives the largest magnitude
  Extent<N> kernel_size;
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  CeilMode ceil_mode = {};    // unset: false, but true for caffe
  bool signed_power = false;  // PyTorch's formula, x^p without the absolute value; p may then be negative
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
    visit("signed_power", self.signed_power, "PyTorch's formula, x^p without the absolute value: true, false");
    visit("preset", self.preset, "whose conventions fill the gaps: torch, onnx, tensorflow, caffe");
  }
};

// For R = 1, 2, 3:
//
//   lp_pool2d(x, options)                                (Σ|x|^p)^(1/p) of every window
//   lp_pool2d_into(out, x, options)                      into memory you have
//   lp_pool2d_backward(grad, x, options)                 gradient of the input; 0 at a window of zeros
//   lp_pool2d_double_backward(gg, x, options)            gradient of the output's gradient
//   lp_pool2d_double_backward_input(gg, grad, x, options)  and of the input: a norm is curved
//   global_lp_pool2d(x, p)                               one norm per channel, with the same passes
//
// x is N, C, spatial… or C, spatial…, floating, in any strides; the result keeps channels-last if x has it. Throws Error.
#define TIDEPOOL_LP_POOL(N)                                                                                                  \
  Tensor lp_pool##N##d(TensorView x, const LpPoolOptions<N>& options);                                                       \
  void lp_pool##N##d_into(TensorSpan out, TensorView x, const LpPoolOptions<N>& options);                                    \
  Tensor lp_pool##N##d_backward(TensorView grad, TensorView x, const LpPoolOptions<N>& options);                             \
  void lp_pool##N##d_backward_into(TensorSpan grad_input, TensorView grad, TensorView x, const LpPoolOptions<N>& options);   \
  Tensor lp_pool##N##d_double_backward(TensorView gg, TensorView x, const LpPoolOptions<N>& options);                        \
  Tensor lp_pool##N##d_double_backward_input(TensorView gg, TensorView grad, TensorView x, const LpPoolOptions<N>& options); \
  Dims lp_pool##N##d_shape(const Dims& input_shape, const LpPoolOptions<N>& options);                                        \
  Tensor global_lp_pool##N##d(TensorView x, double norm_type = 2);                                                           \
  Tensor global_lp_pool##N##d_backward(TensorView grad, TensorView x, double norm_type = 2);                                 \
  Tensor global_lp_pool##N##d_double_backward(TensorView gg, TensorView x, double norm_type = 2);                            \
  Tensor global_lp_pool##N##d_double_backward_input(TensorView gg, TensorView grad, TensorView x, double norm_type = 2);
TIDEPOOL_LP_POOL(1)
TIDEPOOL_LP_POOL(2)
TIDEPOOL_LP_POOL(3)
#undef TIDEPOOL_LP_POOL

}  // namespace tidepool
