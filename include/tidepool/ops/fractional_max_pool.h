// Fractional max pooling in 2 and 3 dimensions: windows of one size at pseudo-random distances. See docs/ops/fractional_max_pool.md.
#pragma once

#include <cstdint>

#include "tidepool/export.h"
#include "tidepool/geometry.h"
#include "tidepool/ops/pooled.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

template <int N>
struct FractionalMaxPoolOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> kernel_size = {};
  Extent<N> output_size = {};  // exactly one of output_size and output_ratio must be set
  Ratio<N> output_ratio = {};  // output size = floor(input size * ratio); between 0 and 1
  Tensor samples = {};         // random numbers in [0, 1), shape N, C, spatial rank, of x's dtype; unset: generated from `seed`
  uint64_t seed = 0;
  NanPolicy nan = NanPolicy::propagate;
  IndexBase index_base = IndexBase::plane;

  // Calls visit(name, field, help) for each field. The command line and the Python package read options with it.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visit) {
    visit("kernel_size", self.kernel_size, "size of the windows");
    visit("output_size", self.output_size, "output size, one number or one per axis");
    visit("output_ratio", self.output_ratio, "output size as a fraction of the input size, between 0 and 1");
    visit("seed", self.seed, "seed for the random positions of the windows; the same seed gives the same windows on every machine");
    visit("nan", self.nan, "propagate: a window with a NaN gives NaN; ignore: NaN elements are left out");
    visit("index_base", self.index_base, "what indices are relative to: plane, tensor, window");
  }
};

// The same functions as members of a template, for code that is generic in the rank: FractionalMaxPoolFunctions<2>::forward(x, options).
template <int N>
struct TIDEPOOL_API FractionalMaxPoolFunctions {
  using Options = FractionalMaxPoolOptions<N>;
  static const char* name() noexcept;
  static Tensor forward(const TensorArg& x, const Options& options);
  static Pooled with_indices(const TensorArg& x, const Options& options);
  static void into(TensorSpan out, const TensorArg& x, const Options& options);
  static Tensor backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape, const Options& options);
  static Tensor double_backward(const TensorArg& gg, const TensorArg& indices, const Options& options);
  static Dims shape(const Dims& input_shape, const Options& options);
  static Tensor samples(const Dims& input_shape, DType dtype, uint64_t seed);
};

// Shown for 2-D; the same functions exist for 3-D:
//
//   fractional_max_pool2d(x, 2, 13)                         the maximum of every window; kernel_size, output_size
//   fractional_max_pool2d(x, 2, {.output_ratio = 0.5})      kernel size, then other options by name
//   fractional_max_pool2d(x, {.kernel_size = 2, .output_size = {13, 12}})
//   fractional_max_pool2d_with_indices(x, …)                maxima and their indices
//   fractional_max_pool2d_into(out, x, options)             writes to existing memory
//   fractional_max_pool2d_backward(grad, indices, input_shape, options)
//   fractional_max_pool2d_double_backward(gg, indices, options)
//   fractional_max_pool2d_shape(input_shape, options)
//   fractional_max_pool2d_samples(input_shape, dtype, seed)  the samples that are generated from `seed`
//
// With the same samples the windows are those of PyTorch. In 2-D sample 0 is for the width and sample 1 for the height; in 3-D the order is
// depth, height, width. Calls with a Tensor that requires gradients are recorded, except for _into, which throws Error for such a Tensor.
// Invalid arguments throw Error.

// ---- 2-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor fractional_max_pool2d(const TensorArg& x, const FractionalMaxPoolOptions<2>& options) {
  return FractionalMaxPoolFunctions<2>::forward(x, options);
}
inline Tensor fractional_max_pool2d(const TensorArg& x, const Extent<2>& kernel_size, const FractionalMaxPoolOptions<2>& options) {
  return fractional_max_pool2d(
      x, detail::with_field("fractional_max_pool2d", "kernel_size", &FractionalMaxPoolOptions<2>::kernel_size, kernel_size, options));
}
inline Tensor fractional_max_pool2d(const TensorArg& x, const Extent<2>& kernel_size, const Extent<2>& output_size) {
  return fractional_max_pool2d(x, FractionalMaxPoolOptions<2>{.kernel_size = kernel_size, .output_size = output_size});
}

inline Pooled fractional_max_pool2d_with_indices(const TensorArg& x, const FractionalMaxPoolOptions<2>& options) {
  return FractionalMaxPoolFunctions<2>::with_indices(x, options);
}
inline Pooled fractional_max_pool2d_with_indices(const TensorArg& x, const Extent<2>& kernel_size,
                                                 const FractionalMaxPoolOptions<2>& options) {
  return fractional_max_pool2d_with_indices(x, detail::with_field("fractional_max_pool2d_with_indices", "kernel_size",
                                                                  &FractionalMaxPoolOptions<2>::kernel_size, kernel_size, options));
}
inline Pooled fractional_max_pool2d_with_indices(const TensorArg& x, const Extent<2>& kernel_size, const Extent<2>& output_size) {
  return fractional_max_pool2d_with_indices(x, FractionalMaxPoolOptions<2>{.kernel_size = kernel_size, .output_size = output_size});
}

inline void fractional_max_pool2d_into(TensorSpan out, const TensorArg& x, const FractionalMaxPoolOptions<2>& options) {
  FractionalMaxPoolFunctions<2>::into(out, x, options);
}
inline Tensor fractional_max_pool2d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                             const FractionalMaxPoolOptions<2>& options) {
  return FractionalMaxPoolFunctions<2>::backward(grad, indices, input_shape, options);
}
inline Tensor fractional_max_pool2d_double_backward(const TensorArg& gg, const TensorArg& indices,
                                                    const FractionalMaxPoolOptions<2>& options) {
  return FractionalMaxPoolFunctions<2>::double_backward(gg, indices, options);
}
inline Dims fractional_max_pool2d_shape(const Dims& input_shape, const FractionalMaxPoolOptions<2>& options) {
  return FractionalMaxPoolFunctions<2>::shape(input_shape, options);
}
inline Tensor fractional_max_pool2d_samples(const Dims& input_shape, DType dtype, uint64_t seed) {
  return FractionalMaxPoolFunctions<2>::samples(input_shape, dtype, seed);
}

// ---- 3-D -------------------------------------------------------------------------------------------------------------------------

inline Tensor fractional_max_pool3d(const TensorArg& x, const FractionalMaxPoolOptions<3>& options) {
  return FractionalMaxPoolFunctions<3>::forward(x, options);
}
inline Tensor fractional_max_pool3d(const TensorArg& x, const Extent<3>& kernel_size, const FractionalMaxPoolOptions<3>& options) {
  return fractional_max_pool3d(
      x, detail::with_field("fractional_max_pool3d", "kernel_size", &FractionalMaxPoolOptions<3>::kernel_size, kernel_size, options));
}
inline Tensor fractional_max_pool3d(const TensorArg& x, const Extent<3>& kernel_size, const Extent<3>& output_size) {
  return fractional_max_pool3d(x, FractionalMaxPoolOptions<3>{.kernel_size = kernel_size, .output_size = output_size});
}

inline Pooled fractional_max_pool3d_with_indices(const TensorArg& x, const FractionalMaxPoolOptions<3>& options) {
  return FractionalMaxPoolFunctions<3>::with_indices(x, options);
}
inline Pooled fractional_max_pool3d_with_indices(const TensorArg& x, const Extent<3>& kernel_size,
                                                 const FractionalMaxPoolOptions<3>& options) {
  return fractional_max_pool3d_with_indices(x, detail::with_field("fractional_max_pool3d_with_indices", "kernel_size",
                                                                  &FractionalMaxPoolOptions<3>::kernel_size, kernel_size, options));
}
inline Pooled fractional_max_pool3d_with_indices(const TensorArg& x, const Extent<3>& kernel_size, const Extent<3>& output_size) {
  return fractional_max_pool3d_with_indices(x, FractionalMaxPoolOptions<3>{.kernel_size = kernel_size, .output_size = output_size});
}

inline void fractional_max_pool3d_into(TensorSpan out, const TensorArg& x, const FractionalMaxPoolOptions<3>& options) {
  FractionalMaxPoolFunctions<3>::into(out, x, options);
}
inline Tensor fractional_max_pool3d_backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape,
                                             const FractionalMaxPoolOptions<3>& options) {
  return FractionalMaxPoolFunctions<3>::backward(grad, indices, input_shape, options);
}
inline Tensor fractional_max_pool3d_double_backward(const TensorArg& gg, const TensorArg& indices,
                                                    const FractionalMaxPoolOptions<3>& options) {
  return FractionalMaxPoolFunctions<3>::double_backward(gg, indices, options);
}
inline Dims fractional_max_pool3d_shape(const Dims& input_shape, const FractionalMaxPoolOptions<3>& options) {
  return FractionalMaxPoolFunctions<3>::shape(input_shape, options);
}
inline Tensor fractional_max_pool3d_samples(const Dims& input_shape, DType dtype, uint64_t seed) {
  return FractionalMaxPoolFunctions<3>::samples(input_shape, dtype, seed);
}

}  // namespace tidepool::inline v0_1
