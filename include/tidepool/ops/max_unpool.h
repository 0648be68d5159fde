// Max unpooling: values back to the cells they came from, zeros elsewhere, in 1, 2 and 3 dimensions. See docs/ops/max_unpool.md.
#pragma once

#include <optional>

#include "tidepool/geometry.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool {

// The options of the pooling that is undone.
template <int N>
struct MaxUnpoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> kernel_size = {};
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  Dims output_size = {};  // spatial sizes, or the whole shape; unset: (L - 1) * stride + dilated kernel - padding
  std::optional<IndexBase> index_base = std::nullopt;  // unset: the preset's, plane for torch
  Preset preset = Preset::torch;  // onnx: indices count inside the default size, and a larger output_size adds zeros after it

  // The one list of fields: visit(name, field, help).
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("kernel_size", self.kernel_size, "size of the window that was pooled");
    visit("stride", self.stride, "step between windows (default: kernel_size)");
    visit("padding", self.padding, "cells of identity around the input: n, n per axis, before:after per axis");
    visit("dilation", self.dilation, "step between the cells of a window");
    visit("output_size", self.output_size,
          "spatial sizes of the result, or its whole shape (default: the smallest input that pools to this)");
    visit("index_base", self.index_base, "what indices count from: plane, tensor, window");
    visit("preset", self.preset, "whose conventions fill the gaps: torch, onnx, tensorflow, caffe");
  }
};

// The functions of one rank, for code that is written for any: MaxUnpoolFunctions<2>::forward(x, indices, options).
template <int N>
struct MaxUnpoolFunctions {
  using Options = MaxUnpoolOptions<N>;
  static const char* name() noexcept;
  static Tensor forward(const TensorArg& x, const TensorArg& indices, const Options& options);
  static void into(TensorSpan out, const TensorArg& x, const TensorArg& indices, const Options& options);
  static Tensor backward(const TensorArg& grad, const TensorArg& indices, const Options& options);
  static void backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices, const Options& options);
  static Tensor double_backward(const TensorArg& gg, const TensorArg& indices, const Options& options);
  static Dims shape(const Dims& input_shape, const Options& options);
};

// For R = 1, 2, 3:
//
//   max_unpool2d(x, indices, 2)                        every value of x at its index; where two meet, the last in row-major order stays
//   max_unpool2d(x, indices, 3, 2, 1)                  kernel, stride, padding[, output_size]: PyTorch's order
//   max_unpool2d(x, indices, 2, {.output_size = {5, 5}})
//   max_unpool2d(x, indices, {.kernel_size = 2})
//   max_unpool2d_into(out, x, indices, options)        into memory you have
//   max_unpool2d_backward(grad, indices, options)      gradient of x: what lies at the indices; grad has the unpooled shape
//   max_unpool2d_double_backward(gg, indices, options) gradient of grad: gg added up at the indices
//   max_unpool2d_shape(input_shape, options)
//
// An index outside its plane, -1 too, is refused before anything is written. A Tensor that requires gradients is recorded; the functions
// that write into your memory refuse one. Throws Error.

// ---- 1-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor max_unpool1d(const TensorArg& x, const TensorArg& indices, const MaxUnpoolOptions<1>& options) {
  return MaxUnpoolFunctions<1>::forward(x, indices, options);
}
inline Tensor max_unpool1d(const TensorArg& x, const TensorArg& indices, const Extent<1>& kernel_size, const MaxUnpoolOptions<1>& options) {
  return max_unpool1d(x, indices,
                      detail::with_field("max_unpool1d", "kernel_size", &MaxUnpoolOptions<1>::kernel_size, kernel_size, options));
}
inline Tensor max_unpool1d(const TensorArg& x, const TensorArg& indices, const Extent<1>& kernel_size, const Extent<1>& stride = {},
                           const Padding<1>& padding = 0, const Dims& output_size = {}) {
  return max_unpool1d(x, indices,
                      MaxUnpoolOptions<1>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .output_size = output_size});
}

inline void max_unpool1d_into(TensorSpan out, const TensorArg& x, const TensorArg& indices, const MaxUnpoolOptions<1>& options) {
  MaxUnpoolFunctions<1>::into(out, x, indices, options);
}
inline Tensor max_unpool1d_backward(const TensorArg& grad, const TensorArg& indices, const MaxUnpoolOptions<1>& options) {
  return MaxUnpoolFunctions<1>::backward(grad, indices, options);
}
inline void max_unpool1d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices,
                                       const MaxUnpoolOptions<1>& options) {
  MaxUnpoolFunctions<1>::backward_into(grad_input, grad, indices, options);
}
inline Tensor max_unpool1d_double_backward(const TensorArg& gg, const TensorArg& indices, const MaxUnpoolOptions<1>& options) {
  return MaxUnpoolFunctions<1>::double_backward(gg, indices, options);
}
inline Dims max_unpool1d_shape(const Dims& input_shape, const MaxUnpoolOptions<1>& options) {
  return MaxUnpoolFunctions<1>::shape(input_shape, options);
}

// ---- 2-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor max_unpool2d(const TensorArg& x, const TensorArg& indices, const MaxUnpoolOptions<2>& options) {
  return MaxUnpoolFunctions<2>::forward(x, indices, options);
}
inline Tensor max_unpool2d(const TensorArg& x, const TensorArg& indices, const Extent<2>& kernel_size, const MaxUnpoolOptions<2>& options) {
  return max_unpool2d(x, indices,
                      detail::with_field("max_unpool2d", "kernel_size", &MaxUnpoolOptions<2>::kernel_size, kernel_size, options));
}
inline Tensor max_unpool2d(const TensorArg& x, const TensorArg& indices, const Extent<2>& kernel_size, const Extent<2>& stride = {},
                           const Padding<2>& padding = 0, const Dims& output_size = {}) {
  return max_unpool2d(x, indices,
                      MaxUnpoolOptions<2>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .output_size = output_size});
}

inline void max_unpool2d_into(TensorSpan out, const TensorArg& x, const TensorArg& indices, const MaxUnpoolOptions<2>& options) {
  MaxUnpoolFunctions<2>::into(out, x, indices, options);
}
inline Tensor max_unpool2d_backward(const TensorArg& grad, const TensorArg& indices, const MaxUnpoolOptions<2>& options) {
  return MaxUnpoolFunctions<2>::backward(grad, indices, options);
}
inline void max_unpool2d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices,
                                       const MaxUnpoolOptions<2>& options) {
  MaxUnpoolFunctions<2>::backward_into(grad_input, grad, indices, options);
}
inline Tensor max_unpool2d_double_backward(const TensorArg& gg, const TensorArg& indices, const MaxUnpoolOptions<2>& options) {
  return MaxUnpoolFunctions<2>::double_backward(gg, indices, options);
}
inline Dims max_unpool2d_shape(const Dims& input_shape, const MaxUnpoolOptions<2>& options) {
  return MaxUnpoolFunctions<2>::shape(input_shape, options);
}

// ---- 3-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor max_unpool3d(const TensorArg& x, const TensorArg& indices, const MaxUnpoolOptions<3>& options) {
  return MaxUnpoolFunctions<3>::forward(x, indices, options);
}
inline Tensor max_unpool3d(const TensorArg& x, const TensorArg& indices, const Extent<3>& kernel_size, const MaxUnpoolOptions<3>& options) {
  return max_unpool3d(x, indices,
                      detail::with_field("max_unpool3d", "kernel_size", &MaxUnpoolOptions<3>::kernel_size, kernel_size, options));
}
inline Tensor max_unpool3d(const TensorArg& x, const TensorArg& indices, const Extent<3>& kernel_size, const Extent<3>& stride = {},
                           const Padding<3>& padding = 0, const Dims& output_size = {}) {
  return max_unpool3d(x, indices,
                      MaxUnpoolOptions<3>{.kernel_size = kernel_size, .stride = stride, .padding = padding, .output_size = output_size});
}

inline void max_unpool3d_into(TensorSpan out, const TensorArg& x, const TensorArg& indices, const MaxUnpoolOptions<3>& options) {
  MaxUnpoolFunctions<3>::into(out, x, indices, options);
}
inline Tensor max_unpool3d_backward(const TensorArg& grad, const TensorArg& indices, const MaxUnpoolOptions<3>& options) {
  return MaxUnpoolFunctions<3>::backward(grad, indices, options);
}
inline void max_unpool3d_backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices,
                                       const MaxUnpoolOptions<3>& options) {
  MaxUnpoolFunctions<3>::backward_into(grad_input, grad, indices, options);
}
inline Tensor max_unpool3d_double_backward(const TensorArg& gg, const TensorArg& indices, const MaxUnpoolOptions<3>& options) {
  return MaxUnpoolFunctions<3>::double_backward(gg, indices, options);
}
inline Dims max_unpool3d_shape(const Dims& input_shape, const MaxUnpoolOptions<3>& options) {
  return MaxUnpoolFunctions<3>::shape(input_shape, options);
}

}  // namespace tidepool
