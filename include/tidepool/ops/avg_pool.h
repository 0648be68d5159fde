// Average pooling in 1, 2 and 3 dimensions. See docs/ops/avg_pool.md.
#pragma once

#include <concepts>
#include <optional>

#include "tidepool/geometry.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool {

// count_include_pad = true, false, or a Divisor; unset: as the preset has it.
struct CountPad {
  std::optional<Divisor> divisor;

  constexpr CountPad() = default;
  template <std::same_as<bool> B>  // a number is no flag
  constexpr CountPad(B include) noexcept
      : divisor(include ? Divisor::window_in_padded : Divisor::valid_only) {}  // NOLINT: implicit by design
  constexpr CountPad(Divisor d) noexcept : divisor(d) {}                       // NOLINT: implicit by design
};

template <int N>
struct AvgPoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> kernel_size = {};
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  CeilMode ceil_mode = {};  // unset: false, but true for caffe
  CountPad count_include_pad = {};
  std::optional<Size> divisor_override = std::nullopt;   // wins over count_include_pad
  IntegerRounding rounding = IntegerRounding::truncate;  // of integer averages
  Preset preset = Preset::torch;

  // The one list of fields: visit(name, field, help).
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("kernel_size", self.kernel_size, "size of the window");
    visit("stride", self.stride, "step between windows (default: kernel_size)");
    visit("padding", self.padding, "cells of zero around the input: n, n per axis, before:after per axis, same, same_lower, valid");
    visit("dilation", self.dilation, "step between the cells of a window");
    visit("ceil_mode", self.ceil_mode, "count windows that hang over the edge: floor, ceil (PyTorch's rule), ceil_full");
    visit("count_include_pad", self.count_include_pad, "what divides: true (cells in input and padding), false (real cells), full_kernel");
    visit("divisor_override", self.divisor_override, "divide by this number instead");
    visit("rounding", self.rounding, "of integer averages: truncate (as PyTorch), floor, nearest_even");
    visit("preset", self.preset, "whose conventions fill the gaps: torch, onnx, tensorflow, caffe");
  }
};

// The functions of one rank, for code that is written for any: AvgPoolFunctions<2>::forward(x, options) is avg_pool2d(x, options).
template <int N, class OptionsOfRank>
struct WindowSumFunctions {
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

// For R = 1, 2, 3:
//
//   avg_pool2d(x, 2)                                    the average of every window of 2x2, stride = kernel
//   avg_pool2d(x, 3, 2, 1)                              kernel, stride, padding[, ceil_mode, count_include_pad, divisor_override]
//   avg_pool2d(x, 3, {.stride = 2})                     kernel first, the rest by name
//   avg_pool2d(x, {.kernel_size = {3, 2}})              all by name
//   avg_pool2d_into(out, x, options)                    into memory you have
//   avg_pool2d_backward(grad, input_shape, options)     gradient of the input: every cell of a window gets its share
//   avg_pool2d_double_backward(gg, options)             averaging is linear, so this is avg_pool2d(gg)
//   avg_pool2d_shape(input_shape, options)
//
// x is N, C, spatial… or C, spatial…, a Tensor or borrowed memory, in any strides; the result keeps channels-last if x has it. A Tensor
// that requires gradients is recorded; the functions that write into your memory refuse one. Throws Error.

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

}  // namespace tidepool
