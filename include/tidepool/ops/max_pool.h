// Max pooling in 1, 2 and 3 dimensions. See docs/ops/max_pool.md.
#pragma once

#include <optional>

#include "tidepool/geometry.h"
#include "tidepool/ops/pooled.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool {

template <int N>
struct MaxPoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> kernel_size = {};
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  CeilMode ceil_mode = {};  // unset: false, but true for caffe
  NanPolicy nan = NanPolicy::propagate;
  std::optional<IndexBase> index_base = std::nullopt;  // of the functions with indices; unset: the preset's, plane for torch
  Preset preset = Preset::torch;

  // The one list of fields: visit(name, field, help).
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("kernel_size", self.kernel_size, "size of the window");
    visit("stride", self.stride, "step between windows (default: kernel_size)");
    visit("padding", self.padding, "cells of identity around the input: n, n per axis, before:after per axis, same, same_lower, valid");
    visit("dilation", self.dilation, "step between the cells of a window");
    visit("ceil_mode", self.ceil_mode, "count windows that hang over the edge: floor, ceil (PyTorch's rule), ceil_full");
    visit("nan", self.nan, "propagate: a NaN in the window is the result; ignore: NaN cells count as absent");
    visit("index_base", self.index_base, "what indices count from: plane, tensor, window");
    visit("preset", self.preset, "whose conventions fill the gaps: torch, onnx, tensorflow, caffe");
  }
};

// The functions of one rank, for code that is written for any: MaxPoolFunctions<2>::forward(x, options) is max_pool2d(x, options).
template <Op op, int N>
struct ExtremumPoolFunctions {
  using Options = MaxPoolOptions<N>;
  static const char* name() noexcept;  // "max_pool2d"
  static Tensor forward(const TensorArg& x, const Options& options);
  static Pooled with_indices(const TensorArg& x, const Options& options);
  static void into(TensorSpan out, const TensorArg& x, const Options& options);
  static void with_indices_into(TensorSpan out, TensorSpan indices, const TensorArg& x, const Options& options);
  static Tensor backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape, const Options& options);
  static void backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices, const Options& options);
  static Tensor double_backward(const TensorArg& gg, const TensorArg& indices, const Options& options);
  static void double_backward_into(TensorSpan out, const TensorArg& gg, const TensorArg& indices, const Options& options);
  static Dims shape(const Dims& input_shape, const Options& options);
};
template <int N>
using MaxPoolFunctions = ExtremumPoolFunctions<Op::max, N>;

// For R = 1, 2, 3:
//
//   max_pool2d(x, 2)                                          the maxima of every window of 2x2, stride = kernel
//   max_pool2d(x, {3, 2})                                     3 high, 2 wide
//   max_pool2d(x, 3, 2, 1)                                    kernel, stride, padding[, dilation, ceil_mode]: PyTorch's order
//   max_pool2d(x, 3, {.stride = 2, .padding = 1})             kernel first, the rest by name
//   max_pool2d(x, {.kernel_size = 3, .stride = 2})            all by name
//   max_pool2d_with_indices(x, …)                             maxima and where they were
//   max_pool2d_into(out, x, options)                          into memory you have
//   max_pool2d_with_indices_into(out, indices, x, options)
//   max_pool2d_backward(grad, indices, input_shape, options)  gradient of the input
//   max_pool2d_double_backward(gg, indices, options)          gradient of the output's gradient
//   max_pool2d_shape(input_shape, options)                    shape of the result
//
// x is N, C, spatial… or C, spatial…, a Tensor or borrowed memory, in any strides; the result keeps channels-last if x has it. A Tensor
// that requires gradients is recorded; the functions that write into your memory refuse one. Throws Error.

// ---- 1-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor max_pool1d(const TensorArg& x, const MaxPoolOptions<1>& options) { return MaxPoolFunctions<1>::forward(x, options); }
inline Tensor max_pool1d(const TensorArg& x, const Extent<1>& kernel_size, const MaxPoolOptions<1>& options) {
  return max_pool1d(x, detail::with_field("max_pool1d", "kernel_size", &MaxPoolOptions<1>::kernel_size, kernel_size, options));
}
inline Tensor max_pool1d(const TensorArg& x, const Extent<1>& kernel_size, const Extent<1>& stride = {}, const Padding<1>& padding = 0,
                         const Extent<1>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return max_pool1d(
      x, MaxPoolOptions<1>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline Pooled max_pool1d_with_indices(const TensorArg& x, const MaxPoolOptions<1>& options) {
  return MaxPoolFunctions<1>::with_indices(x, options);
}
inline Pooled max_pool1d_with_indices(const TensorArg& x, const Extent<1>& kernel_size, const MaxPoolOptions<1>& options) {
  return max_pool1d_with_indices(
      x, detail::with_field("max_pool1d_with_indices", "kernel_size", &MaxPoolOptions<1>::kernel_size, kernel_size, options));
}
inline Pooled max_pool1d_with_indices(const TensorArg& x, const Extent<1>& kernel_size, const Extent<1>& stride = {},
                                      const Padding<1>& padding = 0, const Extent<1>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return max_pool1d_with_indices(
      x, MaxPoolOptions<1>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline void max_pool1d_into(TensorSpan out, const TensorArg& x, const MaxPoolOptions<1>& options) {
  MaxPoolFunctions<1>::into(out, x, options);
}
inline void max_pool1d_with_indices_into(TensorSpan out, TensorSpan indices, const TensorArg& x, const MaxPoolOptions<1>& options) {
  MaxPoolFunctions<1>::with_indices_into(out, indices, x, options);
}
inline Tensor max_pool1d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                  const MaxPoolOptions<1>& options) {
  return MaxPoolFunctions<1>::backward(grad, indices, input_shape, options);
}
inline void max_pool1d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices,
                                     const MaxPoolOptions<1>& options) {
  MaxPoolFunctions<1>::backward_into(grad_input, grad, indices, options);
}
inline Tensor max_pool1d_double_backward(const TensorArg& gg, const TensorArg& indices, const MaxPoolOptions<1>& options) {
  return MaxPoolFunctions<1>::double_backward(gg, indices, options);
}
inline void max_pool1d_double_backward_into(TensorSpan out, const TensorArg& gg, const TensorArg& indices,
                                            const MaxPoolOptions<1>& options) {
  MaxPoolFunctions<1>::double_backward_into(out, gg, indices, options);
}
inline Dims max_pool1d_shape(const Dims& input_shape, const MaxPoolOptions<1>& options) {
  return MaxPoolFunctions<1>::shape(input_shape, options);
}

// ---- 2-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor max_pool2d(const TensorArg& x, const MaxPoolOptions<2>& options) { return MaxPoolFunctions<2>::forward(x, options); }
inline Tensor max_pool2d(const TensorArg& x, const Extent<2>& kernel_size, const MaxPoolOptions<2>& options) {
  return max_pool2d(x, detail::with_field("max_pool2d", "kernel_size", &MaxPoolOptions<2>::kernel_size, kernel_size, options));
}
inline Tensor max_pool2d(const TensorArg& x, const Extent<2>& kernel_size, const Extent<2>& stride = {}, const Padding<2>& padding = 0,
                         const Extent<2>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return max_pool2d(
      x, MaxPoolOptions<2>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline Pooled max_pool2d_with_indices(const TensorArg& x, const MaxPoolOptions<2>& options) {
  return MaxPoolFunctions<2>::with_indices(x, options);
}
inline Pooled max_pool2d_with_indices(const TensorArg& x, const Extent<2>& kernel_size, const MaxPoolOptions<2>& options) {
  return max_pool2d_with_indices(
      x, detail::with_field("max_pool2d_with_indices", "kernel_size", &MaxPoolOptions<2>::kernel_size, kernel_size, options));
}
inline Pooled max_pool2d_with_indices(const TensorArg& x, const Extent<2>& kernel_size, const Extent<2>& stride = {},
                                      const Padding<2>& padding = 0, const Extent<2>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return max_pool2d_with_indices(
      x, MaxPoolOptions<2>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline void max_pool2d_into(TensorSpan out, const TensorArg& x, const MaxPoolOptions<2>& options) {
  MaxPoolFunctions<2>::into(out, x, options);
}
inline void max_pool2d_with_indices_into(TensorSpan out, TensorSpan indices, const TensorArg& x, const MaxPoolOptions<2>& options) {
  MaxPoolFunctions<2>::with_indices_into(out, indices, x, options);
}
inline Tensor max_pool2d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                  const MaxPoolOptions<2>& options) {
  return MaxPoolFunctions<2>::backward(grad, indices, input_shape, options);
}
inline void max_pool2d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices,
                                     const MaxPoolOptions<2>& options) {
  MaxPoolFunctions<2>::backward_into(grad_input, grad, indices, options);
}
inline Tensor max_pool2d_double_backward(const TensorArg& gg, const TensorArg& indices, const MaxPoolOptions<2>& options) {
  return MaxPoolFunctions<2>::double_backward(gg, indices, options);
}
inline void max_pool2d_double_backward_into(TensorSpan out, const TensorArg& gg, const TensorArg& indices,
                                            const MaxPoolOptions<2>& options) {
  MaxPoolFunctions<2>::double_backward_into(out, gg, indices, options);
}
inline Dims max_pool2d_shape(const Dims& input_shape, const MaxPoolOptions<2>& options) {
  return MaxPoolFunctions<2>::shape(input_shape, options);
}

// ---- 3-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor max_pool3d(const TensorArg& x, const MaxPoolOptions<3>& options) { return MaxPoolFunctions<3>::forward(x, options); }
inline Tensor max_pool3d(const TensorArg& x, const Extent<3>& kernel_size, const MaxPoolOptions<3>& options) {
  return max_pool3d(x, detail::with_field("max_pool3d", "kernel_size", &MaxPoolOptions<3>::kernel_size, kernel_size, options));
}
inline Tensor max_pool3d(const TensorArg& x, const Extent<3>& kernel_size, const Extent<3>& stride = {}, const Padding<3>& padding = 0,
                         const Extent<3>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return max_pool3d(
      x, MaxPoolOptions<3>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline Pooled max_pool3d_with_indices(const TensorArg& x, const MaxPoolOptions<3>& options) {
  return MaxPoolFunctions<3>::with_indices(x, options);
}
inline Pooled max_pool3d_with_indices(const TensorArg& x, const Extent<3>& kernel_size, const MaxPoolOptions<3>& options) {
  return max_pool3d_with_indices(
      x, detail::with_field("max_pool3d_with_indices", "kernel_size", &MaxPoolOptions<3>::kernel_size, kernel_size, options));
}
inline Pooled max_pool3d_with_indices(const TensorArg& x, const Extent<3>& kernel_size, const Extent<3>& stride = {},
                                      const Padding<3>& padding = 0, const Extent<3>& dilation = 1, const CeilMode& ceil_mode = {}) {
  return max_pool3d_with_indices(
      x, MaxPoolOptions<3>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode});
}

inline void max_pool3d_into(TensorSpan out, const TensorArg& x, const MaxPoolOptions<3>& options) {
  MaxPoolFunctions<3>::into(out, x, options);
}
inline void max_pool3d_with_indices_into(TensorSpan out, TensorSpan indices, const TensorArg& x, const MaxPoolOptions<3>& options) {
  MaxPoolFunctions<3>::with_indices_into(out, indices, x, options);
}
inline Tensor max_pool3d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                  const MaxPoolOptions<3>& options) {
  return MaxPoolFunctions<3>::backward(grad, indices, input_shape, options);
}
inline void max_pool3d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices,
                                     const MaxPoolOptions<3>& options) {
  MaxPoolFunctions<3>::backward_into(grad_input, grad, indices, options);
}
inline Tensor max_pool3d_double_backward(const TensorArg& gg, const TensorArg& indices, const MaxPoolOptions<3>& options) {
  return MaxPoolFunctions<3>::double_backward(gg, indices, options);
}
inline void max_pool3d_double_backward_into(TensorSpan out, const TensorArg& gg, const TensorArg& indices,
                                            const MaxPoolOptions<3>& options) {
  MaxPoolFunctions<3>::double_backward_into(out, gg, indices, options);
}
inline Dims max_pool3d_shape(const Dims& input_shape, const MaxPoolOptions<3>& options) {
  return MaxPoolFunctions<3>::shape(input_shape, options);
}

}  // namespace tidepool
