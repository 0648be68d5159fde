// Average and sum pooling in 1, 2 and 3 dimensions. See docs/ops/avg_pool.md.
#pragma once

#include <optional>

#include "tidepool/extent.h"
#include "tidepool/geometry.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool {

// count_include_pad = true, false, or a Divisor; unset: as the preset has it.
struct CountPad {
  std::optional<Divisor> divisor;

  constexpr CountPad() = default;
  constexpr CountPad(bool include) noexcept
      : divisor(include ? Divisor::window_in_padded : Divisor::valid_only) {}  // NOLINT: implicit by design
  constexpr CountPad(Divisor d) noexcept : divisor(d) {}                       // NOLINT: implicit by design
};

template <int N>
struct AvgPoolOptions {
  Extent<N> kernel_size;
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  CeilMode ceil_mode = {};  // unset: false, but true for caffe
  CountPad count_include_pad = {};
  std::optional<int64_t> divisor_override = std::nullopt;  // wins over count_include_pad
  IntegerRounding rounding = IntegerRounding::truncate;    // of integer averages
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

template <int N>
struct SumPoolOptions {
  Extent<N> kernel_size;
  Extent<N> stride = {};  // unset: kernel_size
  Padding<N> padding = 0;
  Extent<N> dilation = 1;
  CeilMode ceil_mode = {};  // unset: false, but true for caffe
  Preset preset = Preset::torch;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("kernel_size", self.kernel_size, "size of the window");
    visit("stride", self.stride, "step between windows (default: kernel_size)");
    visit("padding", self.padding, "cells of zero around the input: n, n per axis, before:after per axis, same, same_lower, valid");
    visit("dilation", self.dilation, "step between the cells of a window");
    visit("ceil_mode", self.ceil_mode, "count windows that hang over the edge: floor, ceil (PyTorch's rule), ceil_full");
    visit("preset", self.preset, "whose conventions fill the gaps: torch, onnx, tensorflow, caffe");
  }
};

// For R = 1, 2, 3, and for sum_pool alike:
//
//   avg_pool2d(x, options)                              the average of every window
//   avg_pool2d_into(out, x, options)                    into memory you have
//   avg_pool2d_backward(grad, input_shape, options)     gradient of the input: every cell of a window gets its share
//   avg_pool2d_double_backward(gg, options)             averaging is linear, so this is avg_pool2d(gg)
//   avg_pool2d_shape(input_shape, options)
//
// x is N, C, spatial… or C, spatial…, in any strides; the result keeps channels-last if x has it. Throws Error.
#define TIDEPOOL_AVG_POOL(name, Options)                                                     \
  Tensor name(TensorView x, const Options& options);                                         \
  void name##_into(TensorSpan out, TensorView x, const Options& options);                    \
  Tensor name##_backward(TensorView grad, const Dims& input_shape, const Options& options);  \
  void name##_backward_into(TensorSpan grad_input, TensorView grad, const Options& options); \
  Tensor name##_double_backward(TensorView gg, const Options& options);                      \
  void name##_double_backward_into(TensorSpan out, TensorView gg, const Options& options);   \
  Dims name##_shape(const Dims& input_shape, const Options& options);
TIDEPOOL_AVG_POOL(avg_pool1d, AvgPoolOptions<1>)
TIDEPOOL_AVG_POOL(avg_pool2d, AvgPoolOptions<2>)
TIDEPOOL_AVG_POOL(avg_pool3d, AvgPoolOptions<3>)
TIDEPOOL_AVG_POOL(sum_pool1d, SumPoolOptions<1>)
TIDEPOOL_AVG_POOL(sum_pool2d, SumPoolOptions<2>)
TIDEPOOL_AVG_POOL(sum_pool3d, SumPoolOptions<3>)
#undef TIDEPOOL_AVG_POOL

}  // namespace tidepool
