// Fractional max pooling: converts options and samples to windows, and calls ops/indexed_pooling.h.
#include "tidepool/ops/fractional_max_pool.h"

#include "functional/function_name.h"
#include "functional/indexed_pooling.h"
#include "ops/fractional_starts.h"
#include "tidepool/autograd.h"
#include "tidepool/creation.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::check_view;
using detail::function_name_of;
using detail::IndexedPooling;

// The output sizes, from output_size or output_ratio.
template <int N>
Sizes output_sizes(const char* function, const Dims& shape, const FractionalMaxPoolOptions<N>& o) {
  if (o.output_size.is_set() == o.output_ratio.is_set())
    detail::fail(function, ErrorCode::invalid_argument,
                 o.output_size.is_set() ? "output_size and output_ratio do not go together" : "output_size or output_ratio must be given");
  if (o.output_size.is_set()) return o.output_size;
  if (o.output_ratio.count != 1 && o.output_ratio.count != N)
    detail::fail(function, ErrorCode::invalid_argument,
                 "output_ratio must have 1 or " + std::to_string(N) + " values, got " + std::to_string(o.output_ratio.count));
  std::array<int64_t, N> sizes{};
  for (int i = 0; i < N; ++i) {
    const double ratio = o.output_ratio[i];
    if (!(ratio > 0 && ratio < 1))
      detail::fail(function, ErrorCode::invalid_argument,
                   "output_ratio must lie between 0 and 1, got " + std::to_string(ratio) + " (axis " + std::string(axis_name(N, i)) + ")");
    // Truncated, as in PyTorch. A shape of the wrong rank keeps size 0 here, and Geometry::fractional reports it.
    if (shape.rank > N) sizes[static_cast<size_t>(i)] = static_cast<int64_t>(static_cast<double>(shape[shape.rank - N + i]) * ratio);
  }
  return Sizes::from(sizes);
}

template <int N>
IndexedPooling windows(const char* function, const Dims& shape, const FractionalMaxPoolOptions<N>& o) {
  detail::check_enum(function, "nan", o.nan, NanPolicy::ignore);
  detail::check_enum(function, "index_base", o.index_base, IndexBase::window);
  Geometry g = Geometry::fractional(function, N, shape, o.kernel_size, output_sizes(function, shape, o)).value();
  return {.op = Op::max, .geometry = std::move(g), .nan = o.nan, .index_base = o.index_base};
}

// The starts of all windows, from the given samples or from the seed.
template <int N>
Tensor starts_of(const char* function, const Geometry& g, DType dtype, const FractionalMaxPoolOptions<N>& o) {
  const DType sample_dtype = is_floating(dtype) ? dtype : DType::f32;
  check_not_recording(function, "samples", o.samples);
  const Tensor samples = o.samples.defined() ? o.samples.detach() : rand({g.batch(), g.channels(), N}, o.seed, sample_dtype);
  if (o.samples.defined()) detail::check_samples(function, g, samples, sample_dtype);
  return detail::fractional_starts(function, g, samples);
}

template <int N>
IndexedPooling pooling_of(const char* function, const TensorView& x, const FractionalMaxPoolOptions<N>& o) {
  check_view(function, "input", x);
  IndexedPooling p = windows(function, x.shape, o);
  p.starts = starts_of(function, p.geometry, x.dtype, o);
  return p;
}

// Backward passes read indices, not windows. Only window indices need the starts, because they count from the start of their window.
template <int N>
IndexedPooling backward_pooling(const char* function, DType dtype, const Dims& input_shape, const FractionalMaxPoolOptions<N>& o) {
  IndexedPooling p = windows(function, input_shape, o);
  if (o.index_base == IndexBase::window) p.starts = starts_of(function, p.geometry, dtype, o);
  return p;
}

}  // namespace

template <int N>
const char* FractionalMaxPoolFunctions<N>::name() noexcept {
  return function_name_of<"fractional_max_pool", N>;
}

template <int N>
Tensor FractionalMaxPoolFunctions<N>::forward(const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"fractional_max_pool", N>;
  return detail::pool(function, pooling_of(function, x.view(), o), x);
}

template <int N>
Pooled FractionalMaxPoolFunctions<N>::with_indices(const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"fractional_max_pool", N, "_with_indices">;
  return detail::pool_with_indices(function, name(), pooling_of(function, x.view(), o), x);
}

template <int N>
void FractionalMaxPoolFunctions<N>::into(TensorSpan out, const TensorArg& x, const Options& o) {
  constexpr const char* function = function_name_of<"fractional_max_pool", N, "_into">;
  check_not_recording(function, "input", x);
  detail::forward_into(function, pooling_of(function, x.view(), o), out, x.view());
}

template <int N>
Tensor FractionalMaxPoolFunctions<N>::backward(const TensorArg& grad, const TensorArg& indices, const Dims& input_shape, const Options& o) {
  constexpr const char* function = function_name_of<"fractional_max_pool", N, "_backward">;
  check_view(function, "grad", grad.view());
  check_view(function, "indices", indices.view());
  detail::check_gradient_dtype(function, grad.view());
  return detail::pool_backward(function, name(), backward_pooling(function, grad.dtype(), input_shape, o), grad, indices);
}

template <int N>
Tensor FractionalMaxPoolFunctions<N>::double_backward(const TensorArg& gg, const TensorArg& indices, const Options& o) {
  constexpr const char* function = function_name_of<"fractional_max_pool", N, "_double_backward">;
  check_view(function, "gg", gg.view());
  check_view(function, "indices", indices.view());
  detail::check_gradient_dtype(function, gg.view());
  return detail::pool_double_backward(function, name(), backward_pooling(function, gg.dtype(), gg.shape(), o), gg, indices);
}

template <int N>
Dims FractionalMaxPoolFunctions<N>::shape(const Dims& input_shape, const Options& o) {
  return windows(function_name_of<"fractional_max_pool", N, "_shape">, input_shape, o).geometry.output_shape();
}

template <int N>
Tensor FractionalMaxPoolFunctions<N>::samples(const Dims& shape, DType dtype, uint64_t seed) {
  if (shape.rank != N + 1 && shape.rank != N + 2)
    detail::fail(function_name_of<"fractional_max_pool", N, "_samples">, ErrorCode::shape_mismatch,
                 "input_shape must have " + std::to_string(N + 1) + " or " + std::to_string(N + 2) + " dimensions, got " +
                     std::to_string(shape.rank));
  if (!is_floating(dtype)) dtype = DType::f32;
  const bool batched = shape.rank == N + 2;
  return rand({batched ? shape[0] : 1, shape[batched ? 1 : 0], N}, seed, dtype);
}

template struct FractionalMaxPoolFunctions<2>;
template struct FractionalMaxPoolFunctions<3>;

}  // namespace tidepool::inline v0_1
