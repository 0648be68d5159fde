// Global pooling: one output per channel, in 1, 2 and 3 dimensions. See docs/ops/adaptive_pool.md and docs/ops/lp_pool.md.
#pragma once

#include "tidepool/export.h"
#include "tidepool/ops/pooled.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

// The same functions as members of a template, for code that is generic in the rank: GlobalAvgPoolFunctions<2>::forward(x) is
// global_avg_pool2d(x).
template <Op op, int N>
struct TIDEPOOL_API GlobalSumFunctions {
  static const char* name() noexcept;
  static Tensor forward(const TensorArg& x);
  static Tensor backward(const TensorArg& grad, const Dims& input_shape);
  static Tensor double_backward(const TensorArg& gg);
};
template <int N>
using GlobalAvgPoolFunctions = GlobalSumFunctions<Op::avg, N>;
template <int N>
using GlobalSumPoolFunctions = GlobalSumFunctions<Op::sum, N>;

template <int N>
struct TIDEPOOL_API GlobalMaxPoolFunctions {
  static const char* name() noexcept;
  static Tensor forward(const TensorArg& x);
  static Pooled with_indices(const TensorArg& x);
  static Tensor backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape);
  static Tensor double_backward(const TensorArg& gg, const TensorArg& indices);
};

template <int N>
struct TIDEPOOL_API GlobalLpPoolFunctions {
  static const char* name() noexcept;
  static Tensor forward(const TensorArg& x, double norm_type = 2);
  static Tensor backward(const TensorArg& grad, const TensorArg& x, double norm_type = 2);
  static Tensor double_backward(const TensorArg& gg, const TensorArg& x, double norm_type = 2);
  static Tensor double_backward_input(const TensorArg& gg, const TensorArg& grad, const TensorArg& x, double norm_type = 2);
};

// Shown for 2-D; the same functions exist for 1-D and 3-D:
//
//   global_avg_pool2d(x), global_sum_pool2d(x), with _backward(grad, input_shape) and _double_backward(gg)
//   global_max_pool2d(x), global_max_pool2d_with_indices(x), with _backward(grad, indices, input_shape) and _double_backward(gg, indices)
//   global_lp_pool2d(x, p), with the backward functions of lp_pool.h
//
// The result has spatial size 1. Calls with a Tensor that requires gradients are recorded. Invalid arguments throw Error.

// ---- 1-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor global_avg_pool1d(const TensorArg& x) { return GlobalAvgPoolFunctions<1>::forward(x); }
inline Tensor global_avg_pool1d_backward(const TensorArg& grad, const Dims& input_shape) {
  return GlobalAvgPoolFunctions<1>::backward(grad, input_shape);
}
inline Tensor global_avg_pool1d_double_backward(const TensorArg& gg) { return GlobalAvgPoolFunctions<1>::double_backward(gg); }

inline Tensor global_sum_pool1d(const TensorArg& x) { return GlobalSumPoolFunctions<1>::forward(x); }
inline Tensor global_sum_pool1d_backward(const TensorArg& grad, const Dims& input_shape) {
  return GlobalSumPoolFunctions<1>::backward(grad, input_shape);
}
inline Tensor global_sum_pool1d_double_backward(const TensorArg& gg) { return GlobalSumPoolFunctions<1>::double_backward(gg); }

inline Tensor global_max_pool1d(const TensorArg& x) { return GlobalMaxPoolFunctions<1>::forward(x); }
inline Pooled global_max_pool1d_with_indices(const TensorArg& x) { return GlobalMaxPoolFunctions<1>::with_indices(x); }
inline Tensor global_max_pool1d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape) {
  return GlobalMaxPoolFunctions<1>::backward(grad, indices, input_shape);
}
inline Tensor global_max_pool1d_double_backward(const TensorArg& gg, const TensorArg& indices) {
  return GlobalMaxPoolFunctions<1>::double_backward(gg, indices);
}

inline Tensor global_lp_pool1d(const TensorArg& x, double norm_type = 2) { return GlobalLpPoolFunctions<1>::forward(x, norm_type); }
inline Tensor global_lp_pool1d_backward(const TensorArg& grad, const TensorArg& x, double norm_type = 2) {
  return GlobalLpPoolFunctions<1>::backward(grad, x, norm_type);
}
inline Tensor global_lp_pool1d_double_backward(const TensorArg& gg, const TensorArg& x, double norm_type = 2) {
  return GlobalLpPoolFunctions<1>::double_backward(gg, x, norm_type);
}
inline Tensor global_lp_pool1d_double_backward_input(const TensorArg& gg, const TensorArg& grad, const TensorArg& x, double norm_type = 2) {
  return GlobalLpPoolFunctions<1>::double_backward_input(gg, grad, x, norm_type);
}

// ---- 2-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor global_avg_pool2d(const TensorArg& x) { return GlobalAvgPoolFunctions<2>::forward(x); }
inline Tensor global_avg_pool2d_backward(const TensorArg& grad, const Dims& input_shape) {
  return GlobalAvgPoolFunctions<2>::backward(grad, input_shape);
}
inline Tensor global_avg_pool2d_double_backward(const TensorArg& gg) { return GlobalAvgPoolFunctions<2>::double_backward(gg); }

inline Tensor global_sum_pool2d(const TensorArg& x) { return GlobalSumPoolFunctions<2>::forward(x); }
inline Tensor global_sum_pool2d_backward(const TensorArg& grad, const Dims& input_shape) {
  return GlobalSumPoolFunctions<2>::backward(grad, input_shape);
}
inline Tensor global_sum_pool2d_double_backward(const TensorArg& gg) { return GlobalSumPoolFunctions<2>::double_backward(gg); }

inline Tensor global_max_pool2d(const TensorArg& x) { return GlobalMaxPoolFunctions<2>::forward(x); }
inline Pooled global_max_pool2d_with_indices(const TensorArg& x) { return GlobalMaxPoolFunctions<2>::with_indices(x); }
inline Tensor global_max_pool2d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape) {
  return GlobalMaxPoolFunctions<2>::backward(grad, indices, input_shape);
}
inline Tensor global_max_pool2d_double_backward(const TensorArg& gg, const TensorArg& indices) {
  return GlobalMaxPoolFunctions<2>::double_backward(gg, indices);
}

inline Tensor global_lp_pool2d(const TensorArg& x, double norm_type = 2) { return GlobalLpPoolFunctions<2>::forward(x, norm_type); }
inline Tensor global_lp_pool2d_backward(const TensorArg& grad, const TensorArg& x, double norm_type = 2) {
  return GlobalLpPoolFunctions<2>::backward(grad, x, norm_type);
}
inline Tensor global_lp_pool2d_double_backward(const TensorArg& gg, const TensorArg& x, double norm_type = 2) {
  return GlobalLpPoolFunctions<2>::double_backward(gg, x, norm_type);
}
inline Tensor global_lp_pool2d_double_backward_input(const TensorArg& gg, const TensorArg& grad, const TensorArg& x, double norm_type = 2) {
  return GlobalLpPoolFunctions<2>::double_backward_input(gg, grad, x, norm_type);
}

// ---- 3-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor global_avg_pool3d(const TensorArg& x) { return GlobalAvgPoolFunctions<3>::forward(x); }
inline Tensor global_avg_pool3d_backward(const TensorArg& grad, const Dims& input_shape) {
  return GlobalAvgPoolFunctions<3>::backward(grad, input_shape);
}
inline Tensor global_avg_pool3d_double_backward(const TensorArg& gg) { return GlobalAvgPoolFunctions<3>::double_backward(gg); }

inline Tensor global_sum_pool3d(const TensorArg& x) { return GlobalSumPoolFunctions<3>::forward(x); }
inline Tensor global_sum_pool3d_backward(const TensorArg& grad, const Dims& input_shape) {
  return GlobalSumPoolFunctions<3>::backward(grad, input_shape);
}
inline Tensor global_sum_pool3d_double_backward(const TensorArg& gg) { return GlobalSumPoolFunctions<3>::double_backward(gg); }

inline Tensor global_max_pool3d(const TensorArg& x) { return GlobalMaxPoolFunctions<3>::forward(x); }
inline Pooled global_max_pool3d_with_indices(const TensorArg& x) { return GlobalMaxPoolFunctions<3>::with_indices(x); }
inline Tensor global_max_pool3d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape) {
  return GlobalMaxPoolFunctions<3>::backward(grad, indices, input_shape);
}
inline Tensor global_max_pool3d_double_backward(const TensorArg& gg, const TensorArg& indices) {
  return GlobalMaxPoolFunctions<3>::double_backward(gg, indices);
}

inline Tensor global_lp_pool3d(const TensorArg& x, double norm_type = 2) { return GlobalLpPoolFunctions<3>::forward(x, norm_type); }
inline Tensor global_lp_pool3d_backward(const TensorArg& grad, const TensorArg& x, double norm_type = 2) {
  return GlobalLpPoolFunctions<3>::backward(grad, x, norm_type);
}
inline Tensor global_lp_pool3d_double_backward(const TensorArg& gg, const TensorArg& x, double norm_type = 2) {
  return GlobalLpPoolFunctions<3>::double_backward(gg, x, norm_type);
}
inline Tensor global_lp_pool3d_double_backward_input(const TensorArg& gg, const TensorArg& grad, const TensorArg& x, double norm_type = 2) {
  return GlobalLpPoolFunctions<3>::double_backward_input(gg, grad, x, norm_type);
}

}  // namespace tidepool::inline v0_1
