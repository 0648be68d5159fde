// Max pooling in 1, 2 and 3 dimensions. See docs/ops/max_pool.md.
#pragma once

#include <optional>

#include "tidepool/export.h"
#include "tidepool/geometry.h"
#include "tidepool/ops/pooled.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

template <int N>
struct MaxPoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> kernel_size = {};
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  CeilMode ceil_mode = {};  // unset: floor, or ceil for Preset::caffe
  NanPolicy nan = NanPolicy::propagate;
  std::optional<IndexBase> index_base = std::nullopt;  // unset: as in the framework of `preset`, for torch IndexBase::plane
  Preset preset = Preset::torch;

  // Calls visit(name, field, help) for each field. The command line and the Python package read options with it.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("kernel_size", self.kernel_size, "size of the windows");
    visit("stride", self.stride, "distance between windows (default: kernel_size)");
    visit("padding", self.padding,
          "padding around the input, ignored by every window: n, n per axis, before:after per axis, same, same_lower, valid");
    visit("dilation", self.dilation, "distance between the elements of a window");
    visit("ceil_mode", self.ceil_mode, "rounding of the output size: floor, ceil (as in PyTorch), ceil_full");
    visit("nan", self.nan, "propagate: a window with a NaN gives NaN; ignore: NaN elements are left out");
    visit("index_base", self.index_base, "what indices are relative to: plane, tensor, window");
    visit("preset", self.preset, "framework whose defaults apply to options that are not given: torch, onnx, tensorflow, caffe");
  }
};

// The same functions as members of a template, for code that is generic in the rank: MaxPoolFunctions<2>::forward(x, options) is
// max_pool2d(x, options).
template <Op op, int N>
struct TIDEPOOL_API ExtremumPoolFunctions {
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

// Shown for 2-D; the same functions exist for 1-D and 3-D:
//
//   max_pool2d(x, 2)                                          the maximum of every 2x2 window; the stride is the kernel size
//   max_pool2d(x, {3, 2})                                     windows of height 3 and width 2
//   max_pool2d(x, 3, 2, 1)                                    kernel, stride, padding[, dilation, ceil_mode]: PyTorch's order
//   max_pool2d(x, 3, {.stride = 2, .padding = 1})             kernel size, then other options by name
//   max_pool2d(x, {.kernel_size = 3, .stride = 2})            all options by name
//   max_pool2d_with_indices(x, …)                             maxima and their indices
//   max_pool2d_into(out, x, options)                          writes to existing memory
//   max_pool2d_with_indices_into(out, indices, x, options)
//   max_pool2d_backward(grad, indices, input_shape, options)  gradient with respect to x
//   max_pool2d_double_backward(gg, indices, options)          gradient with respect to grad
//   max_pool2d_shape(input_shape, options)                    shape of the result
//
// x has the dimensions N, C, spatial… or C, spatial… and any strides; if it is channels-last, so is the result. gg is the gradient with
// respect to the result of _backward. Calls with a Tensor that requires gradients are recorded, except for _into functions, which throw
// Error for such a Tensor. Invalid arguments throw Error.

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

}  // namespace tidepool::inline v0_1
