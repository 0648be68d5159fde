// Max unpooling: values back to the cells they came from, zeros elsewhere, in 1, 2 and 3 dimensions. See docs/ops/max_unpool.md.
#pragma once

#include <optional>

#include "tidepool/extent.h"
#include "tidepool/geometry.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool {

// The options of the pooling that is undone.
template <int N>
struct MaxUnpoolOptions {
  Extent<N> kernel_size;
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

// For R = 1, 2, 3:
//
//   max_unpool2d(x, indices, options)                  every value of x at its index; where two meet, the last in row-major order stays
//   max_unpool2d_into(out, x, indices, options)        into memory you have
//   max_unpool2d_backward(grad, indices, options)      gradient of x: what lies at the indices; grad has the unpooled shape
//   max_unpool2d_double_backward(gg, indices, options) gradient of grad: gg added up at the indices
//   max_unpool2d_shape(input_shape, options)
//
// An index outside its plane, -1 too, is refused before anything is written. Throws Error.
#define TIDEPOOL_MAX_UNPOOL(N)                                                                                                         \
  Tensor max_unpool##N##d(TensorView x, TensorView indices, const MaxUnpoolOptions<N>& options);                                       \
  void max_unpool##N##d_into(TensorSpan out, TensorView x, TensorView indices, const MaxUnpoolOptions<N>& options);                    \
  Tensor max_unpool##N##d_backward(TensorView grad, TensorView indices, const MaxUnpoolOptions<N>& options);                           \
  void max_unpool##N##d_backward_into(TensorSpan grad_input, TensorView grad, TensorView indices, const MaxUnpoolOptions<N>& options); \
  Tensor max_unpool##N##d_double_backward(TensorView gg, TensorView indices, const MaxUnpoolOptions<N>& options);                      \
  Dims max_unpool##N##d_shape(const Dims& input_shape, const MaxUnpoolOptions<N>& options);
TIDEPOOL_MAX_UNPOOL(1)
TIDEPOOL_MAX_UNPOOL(2)
TIDEPOOL_MAX_UNPOOL(3)
#undef TIDEPOOL_MAX_UNPOOL

}  // namespace tidepool
