// Max and min pooling in 1, 2 and 3 dimensions. See docs/ops/max_pool.md.
#pragma once

#include <optional>

#include "tidepool/extent.h"
#include "tidepool/geometry.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool {

template <int N>
struct MaxPoolOptions {
  Extent<N> kernel_size;
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

// A pooled tensor and, for every cell of it, where it came from.
struct Pooled {
  Tensor values;
  Tensor indices;
};

// For R = 1, 2, 3, and for min_pool alike:
//
//   max_pool2d(x, options)                                    the maxima of every window
//   max_pool2d_with_indices(x, options)                       maxima and where they were
//   max_pool2d_into(out, x, options)                          into memory you have
//   max_pool2d_with_indices_into(out, indices, x, options)
//   max_pool2d_backward(grad, indices, input_shape, options)  gradient of the input
//   max_pool2d_double_backward(gg, indices, options)          gradient of the output's gradient
//
// x is N, C, spatial… or C, spatial…, in any strides; the result keeps channels-last if x has it. Throws Error.
#define TIDEPOOL_MAX_POOL(name, N)                                                                                         \
  Tensor name(TensorView x, const MaxPoolOptions<N>& options);                                                             \
  Pooled name##_with_indices(TensorView x, const MaxPoolOptions<N>& options);                                              \
  void name##_into(TensorSpan out, TensorView x, const MaxPoolOptions<N>& options);                                        \
  void name##_with_indices_into(TensorSpan out, TensorSpan indices, TensorView x, const MaxPoolOptions<N>& options);       \
  Tensor name##_backward(TensorView grad, TensorView indices, const Dims& input_shape, const MaxPoolOptions<N>& options);  \
  void name##_backward_into(TensorSpan grad_input, TensorView grad, TensorView indices, const MaxPoolOptions<N>& options); \
  Tensor name##_double_backward(TensorView gg, TensorView indices, const MaxPoolOptions<N>& options);                      \
  void name##_double_backward_into(TensorSpan out, TensorView gg, TensorView indices, const MaxPoolOptions<N>& options);   \
  Dims name##_shape(const Dims& input_shape, const MaxPoolOptions<N>& options);
TIDEPOOL_MAX_POOL(max_pool1d, 1)
TIDEPOOL_MAX_POOL(max_pool2d, 2)
TIDEPOOL_MAX_POOL(max_pool3d, 3)
TIDEPOOL_MAX_POOL(min_pool1d, 1)
TIDEPOOL_MAX_POOL(min_pool2d, 2)
TIDEPOOL_MAX_POOL(min_pool3d, 3)
#undef TIDEPOOL_MAX_POOL

}  // namespace tidepool
