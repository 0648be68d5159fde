#include "tidepool/ops/max_unpool.h"

#include <algorithm>

#include "ops/call.h"
#include "plan/overlap.h"

namespace tidepool {
namespace {

using detail::Call;
using detail::check_view;

// One call with its sizes settled. The planes that indices count in may be a corner of the result.
struct UnpoolCall {
  Call call;
  Geometry geometry;
  IndexBase base;
  Dims result;
};

template <int N>
WindowOptions window_options(const MaxUnpoolOptions<N>& o) {
  return {.kernel_size = o.kernel_size, .stride = o.stride, .padding = o.padding, .dilation = o.dilation, .preset = o.preset};
}

// The spatial sizes of what the user gave: sizes alone, or a whole shape whose batch and channels must be those of x.
template <int N>
Sizes output_sizes(const Call& call, const Dims& pooled, const Dims& given) {
  if (given.rank == 0) return {};
  const int lead = pooled.rank - N;
  if (given.rank != N && given.rank != pooled.rank)
    call.fail(ErrorCode::invalid_argument, "output_size must have " + std::to_string(N) + " or " + std::to_string(pooled.rank) +
                                               " values, got " + std::to_string(given.rank));
  if (given.rank != N && !std::equal(pooled.values.begin(), pooled.values.begin() + lead, given.values.begin()))
    call.fail(ErrorCode::shape_mismatch,
              "output_size must begin with the batch and channels of the input " + to_string(pooled) + ", got " + to_string(given));
  return Sizes::from(given.span().subspan(static_cast<size_t>(given.rank - N)));
}

template <int N>
UnpoolCall prepare(const char* suffix, const Dims& pooled, const MaxUnpoolOptions<N>& o) {
  Call call(Op::unpool, N, suffix);
  detail::check_enum(call, "preset", o.preset, Preset::caffe);
  if (o.index_base) detail::check_enum(call, "index_base", *o.index_base, IndexBase::window);
  const PresetRules& rules = preset_rules(o.preset);
  // An absurd rank is the geometry's to refuse.
  const bool plausible = pooled.rank == N + 1 || pooled.rank == N + 2;
  const Sizes size = plausible ? output_sizes<N>(call, pooled, o.output_size) : Sizes{};
  const bool corner = rules.unpool_in_fewest && size.is_set();
  const Geometry g = Geometry::unpooled(call.function, N, pooled, window_options(o), corner ? Sizes{} : size).value();
  Dims result = g.input_shape();
  for (int i = 0; corner && i < N; ++i) {
    int64_t& cells = result[result.rank - N + i];
    if (size[i] < cells)
      call.fail(ErrorCode::invalid_argument, "output_size must be at least " + std::to_string(cells) + ", got " + std::to_string(size[i]) +
                                                 " (axis " + std::string(axis_name(N, i)) + ")");
    cells = size[i];
  }
  return {std::move(call), g, o.index_base.value_or(rules.index_base), result};
}

// The planes that indices count in, as part of `whole`.
template <class View>
View corner_of(const UnpoolCall& c, View whole) {
  whole.shape = c.geometry.input_shape();
  return whole;
}

void run(const UnpoolCall& c, Pass pass, const RunArrays& arrays) {
  detail::run(c.call, {.op = Op::unpool, .pass = pass, .dtype = arrays.input.dtype, .indices = c.base, .geometry = c.geometry}, arrays);
}

// Whether the margins beside the corner would be written over something: the plan sees only the corner.
void check_margins(const UnpoolCall& c, const TensorSpan& out, const TensorView& x, const TensorView& indices) {
  if (out.shape == c.geometry.input_shape()) return;
  if (detail::overlaps_itself(out)) c.call.fail(ErrorCode::aliasing, "out overlaps itself");
  if (detail::may_overlap(out, x)) c.call.fail(ErrorCode::aliasing, "out overlaps input");
  if (detail::may_overlap(out, indices)) c.call.fail(ErrorCode::aliasing, "out overlaps indices");
}

void clear_margins(const UnpoolCall& c, const TensorSpan& out) {
  constexpr uint64_t zero = 0;
  const Dims inner = c.geometry.input_shape();
  for (int dim = 0; dim < out.rank(); ++dim) {
    if (out.size(dim) == inner[dim]) continue;
    TensorSpan rest = out;
    rest.data += inner[dim] * out.stride(dim) * dtype_size(out.dtype);
    rest.shape[dim] -= inner[dim];
    TensorView nothing = rest;
    nothing.data = reinterpret_cast<const std::byte*>(&zero);
    nothing.strides.values.fill(0);
    copy(nothing, rest);
  }
}

void forward_into(const UnpoolCall& c, Pass pass, TensorSpan out, TensorView x, TensorView indices) {
  check_view(c.call, "out", out);
  check_view(c.call, "input", x);
  check_view(c.call, "indices", indices);
  detail::check_shape(c.call, "out", out, c.result);
  check_margins(c, out, x, indices);
  run(c, pass, {.input = x, .output = corner_of(c, out), .indices_in = indices});
  clear_margins(c, out);
}

Tensor forward(const UnpoolCall& c, Pass pass, TensorView x, TensorView indices) {
  check_view(c.call, "input", x);
  detail::check_shape(c.call, "input", x, c.geometry.output_shape());
  if (pass != Pass::forward) detail::check_gradient_dtype(c.call, x);
  Tensor result = detail::allocate_like(x, c.result, x.dtype, c.geometry);
  forward_into(c, pass, result.span(), x, indices);
  return result;
}

void backward_into(const UnpoolCall& c, TensorSpan grad_input, TensorView grad, TensorView indices) {
  check_view(c.call, "grad", grad);
  check_view(c.call, "grad_input", grad_input);
  check_view(c.call, "indices", indices);
  detail::check_gradient_dtype(c.call, grad);
  detail::check_shape(c.call, "grad", grad, c.result);
  run(c, Pass::backward, {.input = corner_of(c, grad), .output = grad_input, .indices_in = indices});
}

Tensor backward(const UnpoolCall& c, TensorView grad, TensorView indices) {
  check_view(c.call, "grad", grad);
  detail::check_gradient_dtype(c.call, grad);
  detail::check_shape(c.call, "grad", grad, c.result);
  Tensor result = detail::allocate_like(grad, c.geometry.output_shape(), grad.dtype, c.geometry);
  backward_into(c, result.span(), grad, indices);
  return result;
}

}  // namespace

#define TIDEPOOL_MAX_UNPOOL(N)                                                                                                    \
  Tensor max_unpool##N##d(TensorView x, TensorView indices, const MaxUnpoolOptions<N>& o) {                                       \
    return forward(prepare("", x.shape, o), Pass::forward, x, indices);                                                           \
  }                                                                                                                               \
  void max_unpool##N##d_into(TensorSpan out, TensorView x, TensorView indices, const MaxUnpoolOptions<N>& o) {                    \
    forward_into(prepare("_into", x.shape, o), Pass::forward, out, x, indices);                                                   \
  }                                                                                                                               \
  Tensor max_unpool##N##d_backward(TensorView grad, TensorView indices, const MaxUnpoolOptions<N>& o) {                           \
    return backward(prepare("_backward", indices.shape, o), grad, indices);                                                       \
  }                                                                                                                               \
  void max_unpool##N##d_backward_into(TensorSpan grad_input, TensorView grad, TensorView indices, const MaxUnpoolOptions<N>& o) { \
    backward_into(prepare("_backward_into", indices.shape, o), grad_input, grad, indices);                                        \
  }                                                                                                                               \
  Tensor max_unpool##N##d_double_backward(TensorView gg, TensorView indices, const MaxUnpoolOptions<N>& o) {                      \
    return forward(prepare("_double_backward", gg.shape, o), Pass::double_backward, gg, indices);                                 \
  }                                                                                                                               \
  Dims max_unpool##N##d_shape(const Dims& input_shape, const MaxUnpoolOptions<N>& o) { return prepare("_shape", input_shape, o).result; }
TIDEPOOL_MAX_UNPOOL(1)
TIDEPOOL_MAX_UNPOOL(2)
TIDEPOOL_MAX_UNPOOL(3)
#undef TIDEPOOL_MAX_UNPOOL

}  // namespace tidepool
