// Average pooling in 1, 2 and 3 dimensions. See docs/ops/avg_pool.md.
#pragma once

#include <concepts>
#include <optional>

#include "tidepool/export.h"
#include "tidepool/geometry.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

// count_include_pad = true, false, or a Divisor. Unset: as in the framework of `preset`.
struct CountPad {
  std::optional<Divisor> divisor;

  constexpr CountPad() = default;
  template <std::same_as<bool> B>  // numbers do not convert
  constexpr CountPad(B include) noexcept
      : divisor(include ? Divisor::window_in_padded : Divisor::valid_only) {}  // NOLINT: implicit by design
  constexpr CountPad(Divisor d) noexcept : divisor(d) {}                       // NOLINT: implicit by design
};

template <int N>
struct TIDEPOOL_API AvgPoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> kernel_size = {};
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  CeilMode ceil_mode = {};  // unset: floor, or ceil for Preset::caffe
  CountPad count_include_pad = {};
  std::optional<Size> divisor_override = std::nullopt;   // if set, count_include_pad has no effect
  IntegerRounding rounding = IntegerRounding::truncate;  // how averages of integers are rounded
  Preset preset = Preset::torch;

  // Calls visit(name, field, help) for each field. The command line and the Python package read options with it.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("kernel_size", self.kernel_size, "size of the windows");
    visit("stride", self.stride, "distance between windows (default: kernel_size)");
    visit("padding", self.padding, "zeros around the input: n, n per axis, before:after per axis, same, same_lower, valid");
    visit("dilation", self.dilation, "distance between the elements of a window");
    visit("ceil_mode", self.ceil_mode, "rounding of the output size: floor, ceil (as in PyTorch), ceil_full");
    visit("count_include_pad", self.count_include_pad,
          "divisor: true (elements in input and padding), false (elements in the input), full_kernel (all)");
    visit("divisor_override", self.divisor_override, "divide by this number instead of a number of elements");
    visit("rounding", self.rounding, "rounding of integer averages: truncate (as in PyTorch), floor, nearest_even");
    visit("preset", self.preset, "framework whose defaults apply to options that are not given: torch, onnx, tensorflow, caffe");
  }
};

// The same functions as members of a template, for code that is generic in the rank: AvgPoolFunctions<2>::forward(x, options) is
// avg_pool2d(x, options).
template <int N, class OptionsOfRank>
struct TIDEPOOL_API WindowSumFunctions {
  using Options = OptionsOfRank;
  static const char* name() noexcept;  // "avg_pool2d"
  static Tensor forward(const TensorArg& x, const Options& options);
  static void into(TensorSpan out, const TensorArg& x, const Options& options);
  static Tensor backward(const TensorArg& grad, const Dims& input_shape, const Options& options);
  static void backward_into(TensorSpan grad_input, const TensorArg& grad, const Options& options);
  static Tensor double_backward(const TensorArg& gg, const Options& options);
  static void double_backward_into(TensorSpan out, const TensorArg& gg, const Options& options);
  static Dims shape(const Dims& input_shape, const Options& options);
};
template <int N>
using AvgPoolFunctions = WindowSumFunctions<N, AvgPoolOptions<N>>;

// Shown for 2-D; the same functions exist for 1-D and 3-D:
//
//   avg_pool2d(x, 2)                                    the average of every 2x2 window; the stride is the kernel size
//   avg_pool2d(x, 3, 2, 1)                              kernel, stride, padding[, ceil_mode, count_include_pad, divisor_override]
//   avg_pool2d(x, 3, {.stride = 2})                     kernel size, then other options by name
//   avg_pool2d(x, {.kernel_size = {3, 2}})              all options by name
//   avg_pool2d_into(out, x, options)                    writes to existing memory
//   avg_pool2d_backward(grad, input_shape, options)     gradient with respect to x: each window adds its gradient / divisor to its elements
//   avg_pool2d_double_backward(gg, options)             gradient with respect to grad: avg_pool2d(gg), since averaging is linear
//   avg_pool2d_shape(input_shape, options)
//
// x has the dimensions N, C, spatial… or C, spatial… and any strides; if it is channels-last, so is the result. gg is the gradient with
// respect to the result of _backward. Calls with a Tensor that requires gradients are recorded, except for _into functions, which throw
// Error for such a Tensor. Invalid arguments throw Error.

// ---- 1-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor avg_pool1d(const TensorArg& x, const AvgPoolOptions<1>& options) { return AvgPoolFunctions<1>::forward(x, options); }
inline Tensor avg_pool1d(const TensorArg& x, const Extent<1>& kernel_size, const AvgPoolOptions<1>& options) {
  return avg_pool1d(x, detail::with_field("avg_pool1d", "kernel_size", &AvgPoolOptions<1>::kernel_size, kernel_size, options));
}
inline Tensor avg_pool1d(const TensorArg& x, const Extent<1>& kernel_size, const Extent<1>& stride = {}, const Padding<1>& padding = 0,
                         const CeilMode& ceil_mode = {}, const CountPad& count_include_pad = {},
                         std::optional<Size> divisor_override = std::nullopt) {
  return avg_pool1d(x, AvgPoolOptions<1>{.kernel_size = kernel_size,
                                         .stride = stride,
                                         .padding = padding,
                                         .ceil_mode = ceil_mode,
                                         .count_include_pad = count_include_pad,
                                         .divisor_override = divisor_override});
}

inline void avg_pool1d_into(TensorSpan out, const TensorArg& x, const AvgPoolOptions<1>& options) {
  AvgPoolFunctions<1>::into(out, x, options);
}
inline Tensor avg_pool1d_backward(const TensorArg& grad, const Dims& input_shape, const AvgPoolOptions<1>& options) {
  return AvgPoolFunctions<1>::backward(grad, input_shape, options);
}
inline void avg_pool1d_backward_into(TensorSpan grad_input, const TensorArg& grad, const AvgPoolOptions<1>& options) {
  AvgPoolFunctions<1>::backward_into(grad_input, grad, options);
}
inline Tensor avg_pool1d_double_backward(const TensorArg& gg, const AvgPoolOptions<1>& options) {
  return AvgPoolFunctions<1>::double_backward(gg, options);
}
inline void avg_pool1d_double_backward_into(TensorSpan out, const TensorArg& gg, const AvgPoolOptions<1>& options) {
  AvgPoolFunctions<1>::double_backward_into(out, gg, options);
}
inline Dims avg_pool1d_shape(const Dims& input_shape, const AvgPoolOptions<1>& options) {
  return AvgPoolFunctions<1>::shape(input_shape, options);
}

// ---- 2-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor avg_pool2d(const TensorArg& x, const AvgPoolOptions<2>& options) { return AvgPoolFunctions<2>::forward(x, options); }
inline Tensor avg_pool2d(const TensorArg& x, const Extent<2>& kernel_size, const AvgPoolOptions<2>& options) {
  return avg_pool2d(x, detail::with_field("avg_pool2d", "kernel_size", &AvgPoolOptions<2>::kernel_size, kernel_size, options));
}
inline Tensor avg_pool2d(const TensorArg& x, const Extent<2>& kernel_size, const Extent<2>& stride = {}, const Padding<2>& padding = 0,
                         const CeilMode& ceil_mode = {}, const CountPad& count_include_pad = {},
                         std::optional<Size> divisor_override = std::nullopt) {
  return avg_pool2d(x, AvgPoolOptions<2>{.kernel_size = kernel_size,
                                         .stride = stride,
                                         .padding = padding,
                                         .ceil_mode = ceil_mode,
                                         .count_include_pad = count_include_pad,
                                         .divisor_override = divisor_override});
}

inline void avg_pool2d_into(TensorSpan out, const TensorArg& x, const AvgPoolOptions<2>& options) {
  AvgPoolFunctions<2>::into(out, x, options);
}
inline Tensor avg_pool2d_backward(const TensorArg& grad, const Dims& input_shape, const AvgPoolOptions<2>& options) {
  return AvgPoolFunctions<2>::backward(grad, input_shape, options);
}
inline void avg_pool2d_backward_into(TensorSpan grad_input, const TensorArg& grad, const AvgPoolOptions<2>& options) {
  AvgPoolFunctions<2>::backward_into(grad_input, grad, options);
}
inline Tensor avg_pool2d_double_backward(const TensorArg& gg, const AvgPoolOptions<2>& options) {
  return AvgPoolFunctions<2>::double_backward(gg, options);
}
inline void avg_pool2d_double_backward_into(TensorSpan out, const TensorArg& gg, const AvgPoolOptions<2>& options) {
  AvgPoolFunctions<2>::double_backward_into(out, gg, options);
}
inline Dims avg_pool2d_shape(const Dims& input_shape, const AvgPoolOptions<2>& options) {
  return AvgPoolFunctions<2>::shape(input_shape, options);
}

// ---- 3-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor avg_pool3d(const TensorArg& x, const AvgPoolOptions<3>& options) { return AvgPoolFunctions<3>::forward(x, options); }
inline Tensor avg_pool3d(const TensorArg& x, const Extent<3>& kernel_size, const AvgPoolOptions<3>& options) {
  return avg_pool3d(x, detail::with_field("avg_pool3d", "kernel_size", &AvgPoolOptions<3>::kernel_size, kernel_size, options));
}
inline Tensor avg_pool3d(const TensorArg& x, const Extent<3>& kernel_size, const Extent<3>& stride = {}, const Padding<3>& padding = 0,
                         const CeilMode& ceil_mode = {}, const CountPad& count_include_pad = {},
                         std::optional<Size> divisor_override = std::nullopt) {
  return avg_pool3d(x, AvgPoolOptions<3>{.kernel_size = kernel_size,
                                         .stride = stride,
                                         .padding = padding,
                                         .ceil_mode = ceil_mode,
                                         .count_include_pad = count_include_pad,
                                         .divisor_override = divisor_override});
}

inline void avg_pool3d_into(TensorSpan out, const TensorArg& x, const AvgPoolOptions<3>& options) {
  AvgPoolFunctions<3>::into(out, x, options);
}
inline Tensor avg_pool3d_backward(const TensorArg& grad, const Dims& input_shape, const AvgPoolOptions<3>& options) {
  return AvgPoolFunctions<3>::backward(grad, input_shape, options);
}
inline void avg_pool3d_backward_into(TensorSpan grad_input, const TensorArg& grad, const AvgPoolOptions<3>& options) {
  AvgPoolFunctions<3>::backward_into(grad_input, grad, options);
}
inline Tensor avg_pool3d_double_backward(const TensorArg& gg, const AvgPoolOptions<3>& options) {
  return AvgPoolFunctions<3>::double_backward(gg, options);
}
inline void avg_pool3d_double_backward_into(TensorSpan out, const TensorArg& gg, const AvgPoolOptions<3>& options) {
  AvgPoolFunctions<3>::double_backward_into(out, gg, options);
}
inline Dims avg_pool3d_shape(const Dims& input_shape, const AvgPoolOptions<3>& options) {
  return AvgPoolFunctions<3>::shape(input_shape, options);
}

}  // namespace tidepool::inline v0_1
