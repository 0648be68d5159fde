#include "tidepool/ops/fractional_max_pool.h"

#include "ops/call.h"
#include "ops/fractional_starts.h"
#include "tidepool/creation.h"

namespace tidepool {
namespace {

using detail::Call;
using detail::check_view;

Call named(int rank, const char* suffix) { return {Op::max, rank, "fractional_" + function_name(Op::max, rank) + suffix}; }

// The output sizes asked for, as numbers or as a share of the input.
template <int N>
Sizes output_sizes(const Call& call, const Dims& shape, const FractionalMaxPoolOptions<N>& o) {
  if (o.output_size.is_set() == o.output_ratio.is_set())
    call.fail(ErrorCode::invalid_argument,
              o.output_size.is_set() ? "output_size and output_ratio do not go together" : "output_size or output_ratio must be given");
  if (o.output_size.is_set()) return o.output_size;
  if (o.output_ratio.count != 1 && o.output_ratio.count != N)
    call.fail(ErrorCode::invalid_argument,
              "output_ratio must have 1 or " + std::to_string(N) + " values, got " + std::to_string(o.output_ratio.count));
  std::array<int64_t, N> sizes{};
  for (int i = 0; i < N; ++i) {
    const double ratio = o.output_ratio[i];
    if (!(ratio > 0 && ratio < 1))
      call.fail(ErrorCode::invalid_argument,
                "output_ratio must lie between 0 and 1, got " + std::to_string(ratio) + " (axis " + std::string(axis_name(N, i)) + ")");
    // Truncated, as PyTorch does. A length that is no length is the geometry's to refuse.
    if (shape.rank > N) sizes[static_cast<size_t>(i)] = static_cast<int64_t>(static_cast<double>(shape[shape.rank - N + i]) * ratio);
  }
  return Sizes::from(sizes);
}

template <int N>
Geometry geometry_of(const Call& call, const Dims& shape, const FractionalMaxPoolOptions<N>& o) {
  detail::check_enum(call, "nan", o.nan, NanPolicy::ignore);
  detail::check_enum(call, "index_base", o.index_base, IndexBase::window);
  return Geometry::fractional(call.function, N, shape, o.kernel_size, output_sizes(call, shape, o)).value();
}

// The starts of every plane's windows, from the samples given or drawn.
template <int N>
Tensor starts_of(const Call& call, const Geometry& g, DType dtype, const FractionalMaxPoolOptions<N>& o) {
  const DType sample_dtype = is_floating(dtype) ? dtype : DType::f32;
  const bool given = o.samples.rank() != 0 || o.samples.data != nullptr;
  if (!given) return detail::fractional_starts(call, g, rand({g.batch(), g.channels(), N}, o.seed, sample_dtype));
  detail::check_samples(call, g, o.samples, sample_dtype);
  return detail::fractional_starts(call, g, o.samples);
}

template <int N>
Problem problem_of(Pass pass, DType dtype, const Geometry& g, bool indices, const FractionalMaxPoolOptions<N>& o) {
  Problem p{.op = Op::max, .pass = pass, .dtype = dtype, .nan = o.nan, .geometry = g};
  if (indices) p.indices = o.index_base;
  return p;
}

template <int N>
Pooled forward(const Call& call, TensorView x, bool indices, const FractionalMaxPoolOptions<N>& o) {
  check_view(call, "input", x);
  const Geometry g = geometry_of(call, x.shape, o);
  const Tensor starts = starts_of(call, g, x.dtype, o);
  Pooled result;
  result.values = detail::allocate_like(x, g.output_shape(), x.dtype, g);
  if (indices) result.indices = detail::allocate_like(x, g.output_shape(), index_dtype(o.index_base, g, o.nan), g);
  detail::run(
      call, problem_of(Pass::forward, x.dtype, g, indices, o),
      {.input = x, .output = result.values.span(), .indices_out = indices ? result.indices.span() : TensorSpan{}, .starts = starts});
  return result;
}

template <int N>
void forward_into(const Call& call, TensorSpan out, TensorView x, const FractionalMaxPoolOptions<N>& o) {
  check_view(call, "input", x);
  check_view(call, "out", out);
  const Geometry g = geometry_of(call, x.shape, o);
  const Tensor starts = starts_of(call, g, x.dtype, o);
  detail::run(call, problem_of(Pass::forward, x.dtype, g, false, o), {.input = x, .output = out, .starts = starts});
}

// Both backward passes follow indices; only compact ones need to know where the windows were.
template <int N>
Tensor follow(const Call& call, Pass pass, TensorView from, TensorView indices, const Dims& input_shape,
              const FractionalMaxPoolOptions<N>& o) {
  check_view(call, "indices", indices);
  const Geometry g = geometry_of(call, input_shape, o);
  detail::check_gradient_dtype(call, from);
  const Problem p = problem_of(pass, from.dtype, g, true, o);
  if (pass == Pass::backward) detail::check_shape(call, "grad", from, source_shape(p));
  const Tensor starts = o.index_base == IndexBase::window ? starts_of(call, g, from.dtype, o) : Tensor();
  Tensor result = detail::allocate_like(from, result_shape(p), from.dtype, g);
  detail::run(call, p, {.input = from, .output = result.span(), .indices_in = indices, .starts = starts});
  return result;
}

template <int N>
Tensor backward(const Call& call, TensorView grad, TensorView indices, const Dims& input_shape, const FractionalMaxPoolOptions<N>& o) {
  check_view(call, "grad", grad);
  return follow(call, Pass::backward, grad, indices, input_shape, o);
}

template <int N>
Tensor double_backward(const Call& call, TensorView gg, TensorView indices, const FractionalMaxPoolOptions<N>& o) {
  check_view(call, "gg", gg);
  return follow(call, Pass::double_backward, gg, indices, gg.shape, o);
}

template <int N>
Tensor samples(const Call& call, const Dims& shape, DType dtype, uint64_t seed) {
  if (shape.rank != N + 1 && shape.rank != N + 2)
    call.fail(ErrorCode::shape_mismatch, "input_shape must have " + std::to_string(N + 1) + " or " + std::to_string(N + 2) +
                                             " dimensions, got " + std::to_string(shape.rank));
  if (!is_floating(dtype)) dtype = DType::f32;
  const bool batched = shape.rank == N + 2;
  return rand({batched ? shape[0] : 1, shape[batched ? 1 : 0], N}, seed, dtype);
}

}  // namespace

#define TIDEPOOL_FRACTIONAL_MAX_POOL(N)                                                                                       \
  Tensor fractional_max_pool##N##d(TensorView x, const FractionalMaxPoolOptions<N>& o) {                                      \
    return forward(named(N, ""), x, false, o).values;                                                                         \
  }                                                                                                                           \
  Pooled fractional_max_pool##N##d_with_indices(TensorView x, const FractionalMaxPoolOptions<N>& o) {                         \
    return forward(named(N, "_with_indices"), x, true, o);                                                                    \
  }                                                                                                                           \
  void fractional_max_pool##N##d_into(TensorSpan out, TensorView x, const FractionalMaxPoolOptions<N>& o) {                   \
    forward_into(named(N, "_into"), out, x, o);                                                                               \
  }                                                                                                                           \
  Tensor fractional_max_pool##N##d_backward(TensorView grad, TensorView indices, const Dims& shape,                           \
                                            const FractionalMaxPoolOptions<N>& o) {                                           \
    return backward(named(N, "_backward"), grad, indices, shape, o);                                                          \
  }                                                                                                                           \
  Tensor fractional_max_pool##N##d_double_backward(TensorView gg, TensorView indices, const FractionalMaxPoolOptions<N>& o) { \
    return double_backward(named(N, "_double_backward"), gg, indices, o);                                                     \
  }                                                                                                                           \
  Dims fractional_max_pool##N##d_shape(const Dims& shape, const FractionalMaxPoolOptions<N>& o) {                             \
    return geometry_of(named(N, "_shape"), shape, o).output_shape();                                                          \
  }                                                                                                                           \
  Tensor fractional_max_pool##N##d_samples(const Dims& shape, DType dtype, uint64_t seed) {                                   \
    return samples<N>(named(N, "_samples"), shape, dtype, seed);                                                              \
  }
TIDEPOOL_FRACTIONAL_MAX_POOL(2)
TIDEPOOL_FRACTIONAL_MAX_POOL(3)
#undef TIDEPOOL_FRACTIONAL_MAX_POOL

}  // namespace tidepool
