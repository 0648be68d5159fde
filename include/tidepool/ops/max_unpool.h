// Max unpooling in 1, 2 and 3 dimensions: writes each value to the position that its index gives, and zeros elsewhere. See
// docs/ops/max_unpool.md.
#pragma once

#include <optional>

#include "tidepool/export.h"
#include "tidepool/geometry.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

// The window options are those of the max pooling that computed the indices.
template <int N>
struct MaxUnpoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> kernel_size = {};
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  Dims output_size = {};  // spatial sizes, or the whole shape; unset, for an axis of length L: (L - 1) * stride + dilated kernel - padding
  std::optional<IndexBase> index_base = std::nullopt;  // unset: as in the framework of `preset`, for torch IndexBase::plane
  Preset preset = Preset::torch;  // onnx: indices count in an array of the default size; a larger output_size adds zeros

  // Calls visit(name, field, help) for each field. The command line and the Python package read options with it.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("kernel_size", self.kernel_size, "size of the windows of the pooling");
    visit("stride", self.stride, "distance between windows (default: kernel_size)");
    visit("padding", self.padding, "padding of the pooling: n, n per axis, before:after per axis");
    visit("dilation", self.dilation, "distance between the elements of a window");
    visit("output_size", self.output_size,
          "spatial sizes of the result, or its whole shape (default: the smallest size that pools to the input)");
    visit("index_base", self.index_base, "what indices are relative to: plane, tensor, window");
    visit("preset", self.preset, "framework whose defaults apply to options that are not given: torch, onnx, tensorflow, caffe");
  }
};

// The same functions as members of a template, for code that is generic in the rank: MaxUnpoolFunctions<2>::forward(x, indices, options).
template <int N>
struct TIDEPOOL_API MaxUnpoolFunctions {
  using Options = MaxUnpoolOptions<N>;
  static const char* name() noexcept;
  static Tensor forward(const TensorArg& x, const TensorArg& indices, const Options& options);
  static void into(TensorSpan out, const TensorArg& x, const TensorArg& indices, const Options& options);
  static Tensor backward(const TensorArg& grad, const TensorArg& indices, const Options& options);
  static void backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices, const Options& options);
  static Tensor double_backward(const TensorArg& gg, const TensorArg& indices, const Options& options);
  static Dims shape(const Dims& input_shape, const Options& options);
};

// Shown for 2-D; the same functions exist for 1-D and 3-D:
//
//   max_unpool2d(x, indices, 2)                        result[indices[i]] = x[i]; of equal indices, the last in row-major order wins
//   max_unpool2d(x, indices, 3, 2, 1)                  kernel, stride, padding[, output_size]: PyTorch's order
//   max_unpool2d(x, indices, 2, {.output_size = {5, 5}})
//   max_unpool2d(x, indices, {.kernel_size = 2})
//   max_unpool2d_into(out, x, indices, options)        writes to existing memory
//   max_unpool2d_backward(grad, indices, options)      gradient with respect to x: grad at the indices; grad has the shape of the result
//   max_unpool2d_double_backward(gg, indices, options) gradient with respect to grad: gg, added up at the indices
//   max_unpool2d_shape(input_shape, options)
//
// Every index must be inside its plane; otherwise Error is thrown before anything is written. Calls with a Tensor that requires gradients
// are recorded, except for _into functions, which throw Error for such a Tensor. Invalid arguments throw Error.

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

}  // namespace tidepool::inline v0_1
