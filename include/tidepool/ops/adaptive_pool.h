// Adaptive pooling in 1, 2 and 3 dimensions: divides the input into bins, as many as the given output size. See docs/ops/adaptive_pool.md.
#pragma once

#include "tidepool/export.h"
#include "tidepool/geometry.h"
#include "tidepool/ops/pooled.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

template <int N>
struct AdaptiveAvgPoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> output_size = {};  // one number or one per axis; keep_size means the size of the input (None in PyTorch)
};

template <int N>
struct AdaptiveMaxPoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> output_size = {};  // one number or one per axis; keep_size means the size of the input (None in PyTorch)
  NanPolicy nan = NanPolicy::propagate;
  IndexBase index_base = IndexBase::plane;
};

// The same functions as members of a template, for code that is generic in the rank: AdaptiveAvgPoolFunctions<2>::forward(x, options).
template <int N>
struct TIDEPOOL_API AdaptiveAvgPoolFunctions {
  using Options = AdaptiveAvgPoolOptions<N>;
  static const char* name() noexcept;
  static Tensor forward(const TensorArg& x, const Options& options);
  static void into(TensorSpan out, const TensorArg& x);
  static Tensor backward(const TensorArg& grad, const Dims& input_shape);
  static void backward_into(TensorSpan grad_input, const TensorArg& grad);
  static Tensor double_backward(const TensorArg& gg, const Options& options);
};

template <int N>
struct TIDEPOOL_API AdaptiveMaxPoolFunctions {
  using Options = AdaptiveMaxPoolOptions<N>;
  static const char* name() noexcept;
  static Tensor forward(const TensorArg& x, const Options& options);
  static Pooled with_indices(const TensorArg& x, const Options& options);
  // If output_size is unset, these functions take it from the shape of out, grad or indices.
  static void into(TensorSpan out, const TensorArg& x, const Options& options = {});
  static Tensor backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape, const Options& options = {});
  static Tensor double_backward(const TensorArg& gg, const TensorArg& indices, const Options& options = {});
};

// Shown for 2-D; the same functions exist for 1-D and 3-D:
//
//   adaptive_avg_pool2d(x, 7), adaptive_avg_pool2d(x, {7, keep_size})  the average of every bin
//   adaptive_avg_pool2d(x, {.output_size = 7})                         the same, by name
//   adaptive_avg_pool2d_backward(grad, input_shape)                    the output size is that of grad
//   adaptive_avg_pool2d_double_backward(gg, output_size)
//   adaptive_max_pool2d(x, 7), adaptive_max_pool2d_with_indices(x, 7)
//   adaptive_max_pool2d(x, 7, {.nan = NanPolicy::ignore})
//   adaptive_max_pool2d_backward(grad, indices, input_shape)
//   adaptive_max_pool2d_double_backward(gg, indices)
//
// Bin o of an axis with L inputs and O outputs covers the elements from floor(o·L/O) up to, not including, ceil((o+1)·L/O). O may be larger
// than L, or 0. Calls with a Tensor that requires gradients are recorded, except for _into functions, which throw Error for such a Tensor.
// Invalid arguments throw Error.

// ---- 1-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor adaptive_avg_pool1d(const TensorArg& x, const AdaptiveAvgPoolOptions<1>& options) {
  return AdaptiveAvgPoolFunctions<1>::forward(x, options);
}
inline Tensor adaptive_avg_pool1d(const TensorArg& x, const Extent<1>& output_size) {
  return adaptive_avg_pool1d(x, AdaptiveAvgPoolOptions<1>{.output_size = output_size});
}
inline void adaptive_avg_pool1d_into(TensorSpan out, const TensorArg& x) { AdaptiveAvgPoolFunctions<1>::into(out, x); }
inline Tensor adaptive_avg_pool1d_backward(const TensorArg& grad, const Dims& input_shape) {
  return AdaptiveAvgPoolFunctions<1>::backward(grad, input_shape);
}
inline void adaptive_avg_pool1d_backward_into(TensorSpan grad_input, const TensorArg& grad) {
  AdaptiveAvgPoolFunctions<1>::backward_into(grad_input, grad);
}
inline Tensor adaptive_avg_pool1d_double_backward(const TensorArg& gg, const Extent<1>& output_size) {
  return AdaptiveAvgPoolFunctions<1>::double_backward(gg, {.output_size = output_size});
}

inline Tensor adaptive_max_pool1d(const TensorArg& x, const AdaptiveMaxPoolOptions<1>& options) {
  return AdaptiveMaxPoolFunctions<1>::forward(x, options);
}
inline Tensor adaptive_max_pool1d(const TensorArg& x, const Extent<1>& output_size) {
  return adaptive_max_pool1d(x, AdaptiveMaxPoolOptions<1>{.output_size = output_size});
}
inline Tensor adaptive_max_pool1d(const TensorArg& x, const Extent<1>& output_size, const AdaptiveMaxPoolOptions<1>& options) {
  return adaptive_max_pool1d(
      x, detail::with_field("adaptive_max_pool1d", "output_size", &AdaptiveMaxPoolOptions<1>::output_size, output_size, options));
}
inline Pooled adaptive_max_pool1d_with_indices(const TensorArg& x, const AdaptiveMaxPoolOptions<1>& options) {
  return AdaptiveMaxPoolFunctions<1>::with_indices(x, options);
}
inline Pooled adaptive_max_pool1d_with_indices(const TensorArg& x, const Extent<1>& output_size) {
  return adaptive_max_pool1d_with_indices(x, AdaptiveMaxPoolOptions<1>{.output_size = output_size});
}
inline Pooled adaptive_max_pool1d_with_indices(const TensorArg& x, const Extent<1>& output_size, const AdaptiveMaxPoolOptions<1>& options) {
  return adaptive_max_pool1d_with_indices(x, detail::with_field("adaptive_max_pool1d_with_indices", "output_size",
                                                                &AdaptiveMaxPoolOptions<1>::output_size, output_size, options));
}
inline void adaptive_max_pool1d_into(TensorSpan out, const TensorArg& x, const AdaptiveMaxPoolOptions<1>& options = {}) {
  AdaptiveMaxPoolFunctions<1>::into(out, x, options);
}
inline Tensor adaptive_max_pool1d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                           const AdaptiveMaxPoolOptions<1>& options = {}) {
  return AdaptiveMaxPoolFunctions<1>::backward(grad, indices, input_shape, options);
}
inline Tensor adaptive_max_pool1d_double_backward(const TensorArg& gg, const TensorArg& indices,
                                                  const AdaptiveMaxPoolOptions<1>& options = {}) {
  return AdaptiveMaxPoolFunctions<1>::double_backward(gg, indices, options);
}

// ---- 2-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor adaptive_avg_pool2d(const TensorArg& x, const AdaptiveAvgPoolOptions<2>& options) {
  return AdaptiveAvgPoolFunctions<2>::forward(x, options);
}
inline Tensor adaptive_avg_pool2d(const TensorArg& x, const Extent<2>& output_size) {
  return adaptive_avg_pool2d(x, AdaptiveAvgPoolOptions<2>{.output_size = output_size});
}
inline void adaptive_avg_pool2d_into(TensorSpan out, const TensorArg& x) { AdaptiveAvgPoolFunctions<2>::into(out, x); }
inline Tensor adaptive_avg_pool2d_backward(const TensorArg& grad, const Dims& input_shape) {
  return AdaptiveAvgPoolFunctions<2>::backward(grad, input_shape);
}
inline void adaptive_avg_pool2d_backward_into(TensorSpan grad_input, const TensorArg& grad) {
  AdaptiveAvgPoolFunctions<2>::backward_into(grad_input, grad);
}
inline Tensor adaptive_avg_pool2d_double_backward(const TensorArg& gg, const Extent<2>& output_size) {
  return AdaptiveAvgPoolFunctions<2>::double_backward(gg, {.output_size = output_size});
}

inline Tensor adaptive_max_pool2d(const TensorArg& x, const AdaptiveMaxPoolOptions<2>& options) {
  return AdaptiveMaxPoolFunctions<2>::forward(x, options);
}
inline Tensor adaptive_max_pool2d(const TensorArg& x, const Extent<2>& output_size) {
  return adaptive_max_pool2d(x, AdaptiveMaxPoolOptions<2>{.output_size = output_size});
}
inline Tensor adaptive_max_pool2d(const TensorArg& x, const Extent<2>& output_size, const AdaptiveMaxPoolOptions<2>& options) {
  return adaptive_max_pool2d(
      x, detail::with_field("adaptive_max_pool2d", "output_size", &AdaptiveMaxPoolOptions<2>::output_size, output_size, options));
}
inline Pooled adaptive_max_pool2d_with_indices(const TensorArg& x, const AdaptiveMaxPoolOptions<2>& options) {
  return AdaptiveMaxPoolFunctions<2>::with_indices(x, options);
}
inline Pooled adaptive_max_pool2d_with_indices(const TensorArg& x, const Extent<2>& output_size) {
  return adaptive_max_pool2d_with_indices(x, AdaptiveMaxPoolOptions<2>{.output_size = output_size});
}
inline Pooled adaptive_max_pool2d_with_indices(const TensorArg& x, const Extent<2>& output_size, const AdaptiveMaxPoolOptions<2>& options) {
  return adaptive_max_pool2d_with_indices(x, detail::with_field("adaptive_max_pool2d_with_indices", "output_size",
                                                                &AdaptiveMaxPoolOptions<2>::output_size, output_size, options));
}
inline void adaptive_max_pool2d_into(TensorSpan out, const TensorArg& x, const AdaptiveMaxPoolOptions<2>& options = {}) {
  AdaptiveMaxPoolFunctions<2>::into(out, x, options);
}
inline Tensor adaptive_max_pool2d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                           const AdaptiveMaxPoolOptions<2>& options = {}) {
  return AdaptiveMaxPoolFunctions<2>::backward(grad, indices, input_shape, options);
}
inline Tensor adaptive_max_pool2d_double_backward(const TensorArg& gg, const TensorArg& indices,
                                                  const AdaptiveMaxPoolOptions<2>& options = {}) {
  return AdaptiveMaxPoolFunctions<2>::double_backward(gg, indices, options);
}

// ---- 3-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor adaptive_avg_pool3d(const TensorArg& x, const AdaptiveAvgPoolOptions<3>& options) {
  return AdaptiveAvgPoolFunctions<3>::forward(x, options);
}
inline Tensor adaptive_avg_pool3d(const TensorArg& x, const Extent<3>& output_size) {
  return adaptive_avg_pool3d(x, AdaptiveAvgPoolOptions<3>{.output_size = output_size});
}
inline void adaptive_avg_pool3d_into(TensorSpan out, const TensorArg& x) { AdaptiveAvgPoolFunctions<3>::into(out, x); }
inline Tensor adaptive_avg_pool3d_backward(const TensorArg& grad, const Dims& input_shape) {
  return AdaptiveAvgPoolFunctions<3>::backward(grad, input_shape);
}
inline void adaptive_avg_pool3d_backward_into(TensorSpan grad_input, const TensorArg& grad) {
  AdaptiveAvgPoolFunctions<3>::backward_into(grad_input, grad);
}
inline Tensor adaptive_avg_pool3d_double_backward(const TensorArg& gg, const Extent<3>& output_size) {
  return AdaptiveAvgPoolFunctions<3>::double_backward(gg, {.output_size = output_size});
}

inline Tensor adaptive_max_pool3d(const TensorArg& x, const AdaptiveMaxPoolOptions<3>& options) {
  return AdaptiveMaxPoolFunctions<3>::forward(x, options);
}
inline Tensor adaptive_max_pool3d(const TensorArg& x, const Extent<3>& output_size) {
  return adaptive_max_pool3d(x, AdaptiveMaxPoolOptions<3>{.output_size = output_size});
}
inline Tensor adaptive_max_pool3d(const TensorArg& x, const Extent<3>& output_size, const AdaptiveMaxPoolOptions<3>& options) {
  return adaptive_max_pool3d(
      x, detail::with_field("adaptive_max_pool3d", "output_size", &AdaptiveMaxPoolOptions<3>::output_size, output_size, options));
}
inline Pooled adaptive_max_pool3d_with_indices(const TensorArg& x, const AdaptiveMaxPoolOptions<3>& options) {
  return AdaptiveMaxPoolFunctions<3>::with_indices(x, options);
}
inline Pooled adaptive_max_pool3d_with_indices(const TensorArg& x, const Extent<3>& output_size) {
  return adaptive_max_pool3d_with_indices(x, AdaptiveMaxPoolOptions<3>{.output_size = output_size});
}
inline Pooled adaptive_max_pool3d_with_indices(const TensorArg& x, const Extent<3>& output_size, const AdaptiveMaxPoolOptions<3>& options) {
  return adaptive_max_pool3d_with_indices(x, detail::with_field("adaptive_max_pool3d_with_indices", "output_size",
                                                                &AdaptiveMaxPoolOptions<3>::output_size, output_size, options));
}
inline void adaptive_max_pool3d_into(TensorSpan out, const TensorArg& x, const AdaptiveMaxPoolOptions<3>& options = {}) {
  AdaptiveMaxPoolFunctions<3>::into(out, x, options);
}
inline Tensor adaptive_max_pool3d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                           const AdaptiveMaxPoolOptions<3>& options = {}) {
  return AdaptiveMaxPoolFunctions<3>::backward(grad, indices, input_shape, options);
}
inline Tensor adaptive_max_pool3d_double_backward(const TensorArg& gg, const TensorArg& indices,
                                                  const AdaptiveMaxPoolOptions<3>& options = {}) {
  return AdaptiveMaxPoolFunctions<3>::double_backward(gg, indices, options);
}

}  // namespace tidepool::inline v0_1
