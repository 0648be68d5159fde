// Max unpooling: converts options to sizes and windows, and calls ops/unpooling.h.
#include "tidepool/ops/max_unpool.h"

#include <algorithm>

#include "functional/function_name.h"
#include "functional/linear.h"
#include "functional/pool_trace.h"
#include "ops/unpooling.h"
#include "tidepool/autograd.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::function_name_of;
using detail::Unpooling;

template <int N>
WindowOptions window_options(const MaxUnpoolOptions<N>& o) {
  return {.kernel_size = o.kernel_size, .stride = o.stride, .padding = o.padding, .dilation = o.dilation, .preset = o.preset};
}

// The spatial sizes in the option output_size, which is either a list of them or a whole shape with the batch and channels of the input.
template <int N>
Sizes output_sizes(const char* function, const Dims& pooled, const Dims& given) {
  if (given.rank == 0) return {};
  const int lead = pooled.rank - N;
  if (given.rank != N && given.rank != pooled.rank)
    detail::fail(
        function, ErrorCode::invalid_argument,
        "output_size must have " + std::to_string(N) + " or " + std::to_string(pooled.rank) + " values, got " + std::to_string(given.rank));
  if (given.rank != N && !std::equal(pooled.begin(), pooled.begin() + lead, given.begin()))
    detail::fail(function, ErrorCode::shape_mismatch,
                 "output_size must begin with the batch and channels of the input " + to_string(pooled) + ", got " + to_string(given));
  return Sizes::from(given.span().subspan(static_cast<size_t>(given.rank - N)));
}

template <int N>
Unpooling unpooling(const char* function, const Dims& pooled, const MaxUnpoolOptions<N>& o) {
  detail::check_enum(function, "preset", o.preset, Preset::caffe);
  if (o.index_base) detail::check_enum(function, "index_base", *o.index_base, IndexBase::window);
  const PresetRules& rules = preset_rules(o.preset);
  // Geometry::unpooled reports a wrong rank.
  const bool rank_is_valid = pooled.rank == N + 1 || pooled.rank == N + 2;
  const Sizes size = rank_is_valid ? output_sizes<N>(function, pooled, o.output_size) : Sizes{};
  // The geometry has the default size, and the result may be larger.
  const bool enlarge = rules.unpool_default_size && size.is_set();
  const Geometry g = Geometry::unpooled(function, N, pooled, window_options(o), enlarge ? Sizes{} : size).value();
  Dims result = g.input_shape();
  for (int i = 0; enlarge && i < N; ++i) {
    int64_t& length = result[result.rank - N + i];
    if (size[i] < length)
      detail::fail(function, ErrorCode::invalid_argument,
                   "output_size must be at least " + std::to_string(length) + ", got " + std::to_string(size[i]) + " (axis " +
                       std::string(axis_name(N, i)) + ")");
    length = size[i];
  }
  return {.geometry = g, .index_base = o.index_base.value_or(rules.index_base), .result = result};
}

// When two values have the same index, the last one is stored, but both receive the gradient, as in PyTorch. The backward pass is therefore
// not always the adjoint of the forward pass. It is recorded as a linear function of its own: it gathers, and its adjoint scatters and
// adds.
struct Passes {
  const char* forward;  // the name of the forward function
  Unpooling p;
  Saved indices;

  Tensor gather(const Tensor& t) const { return detail::backward((std::string(forward) + "_backward").c_str(), p, t, indices.get()); }
  Tensor scatter(const Tensor& t) const {
    return detail::double_backward((std::string(forward) + "_double_backward").c_str(), p, t, indices.get());
  }
};

std::shared_ptr<const Passes> make_passes(const char* forward, const Unpooling& p, const TensorArg& indices) {
  return std::make_shared<const Passes>(Passes{forward, p, Saved(detail::owned(indices))});
}

Tensor record_gather(const char* function, const Tensor& x, Tensor value, const std::shared_ptr<const Passes>& passes) {
  return detail::record_passes(function, x, std::move(value), passes, &Passes::gather, &Passes::scatter);
}

Tensor unpool(const char* function, const Unpooling& p, const TensorArg& x, const TensorArg& indices) {
  Tensor value = detail::forward(function, p, x.view(), indices.view());
  if (!recording(x)) return value;
  return detail::traced(
      function, {x.tensor()}, [&] { return detail::window_trace(p.geometry); },
      [&] {
        return record(function, {*x.tensor()}, std::move(value), [function, passes = make_passes(function, p, indices)](const Tensor& g) {
          return Gradients{record_gather(function, g, passes->gather(g.detach()), passes)};
        });
      });
}

Tensor unpool_backward(const char* function, const char* forward, const Unpooling& p, const TensorArg& grad, const TensorArg& indices) {
  Tensor value = detail::backward(function, p, grad.view(), indices.view());
  if (!recording(grad)) return value;
  return record_gather(function, *grad.tensor(), std::move(value), make_passes(forward, p, indices));
}

Tensor unpool_double_backward(const char* function, const char* forward, const Unpooling& p, const TensorArg& gg,
                              const TensorArg& indices) {
  Tensor value = detail::double_backward(function, p, gg.view(), indices.view());
  if (!recording(gg)) return value;
  return detail::record_passes(function, *gg.tensor(), std::move(value), make_passes(forward, p, indices), &Passes::scatter,
                               &Passes::gather);
}

}  // namespace

template <int N>
const char* MaxUnpoolFunctions<N>::name() noexcept {
  return function_name_of<"max_unpool", N>;
}

template <int N>
Tensor MaxUnpoolFunctions<N>::forward(const TensorArg& x, const TensorArg& indices, const Options& o) {
  constexpr const char* function = function_name_of<"max_unpool", N>;
  detail::check_view(function, "input", x.view());
  return unpool(function, unpooling(function, x.shape(), o), x, indices);
}

template <int N>
void MaxUnpoolFunctions<N>::into(TensorSpan out, const TensorArg& x, const TensorArg& indices, const Options& o) {
  constexpr const char* function = function_name_of<"max_unpool", N, "_into">;
  check_not_recording(function, "input", x);
  detail::check_view(function, "input", x.view());
  detail::forward_into(function, unpooling(function, x.shape(), o), out, x.view(), indices.view());
}

template <int N>
Tensor MaxUnpoolFunctions<N>::backward(const TensorArg& grad, const TensorArg& indices, const Options& o) {
  constexpr const char* function = function_name_of<"max_unpool", N, "_backward">;
  detail::check_view(function, "indices", indices.view());
  return unpool_backward(function, name(), unpooling(function, indices.shape(), o), grad, indices);
}

template <int N>
void MaxUnpoolFunctions<N>::backward_into(TensorSpan grad_input, const TensorArg& grad, const TensorArg& indices, const Options& o) {
  constexpr const char* function = function_name_of<"max_unpool", N, "_backward_into">;
  check_not_recording(function, "grad", grad);
  detail::check_view(function, "indices", indices.view());
  detail::backward_into(function, unpooling(function, indices.shape(), o), grad_input, grad.view(), indices.view());
}

template <int N>
Tensor MaxUnpoolFunctions<N>::double_backward(const TensorArg& gg, const TensorArg& indices, const Options& o) {
  constexpr const char* function = function_name_of<"max_unpool", N, "_double_backward">;
  detail::check_view(function, "gg", gg.view());
  return unpool_double_backward(function, name(), unpooling(function, gg.shape(), o), gg, indices);
}

template <int N>
Dims MaxUnpoolFunctions<N>::shape(const Dims& input_shape, const Options& o) {
  return unpooling(function_name_of<"max_unpool", N, "_shape">, input_shape, o).result;
}

template struct MaxUnpoolFunctions<1>;
template struct MaxUnpoolFunctions<2>;
template struct MaxUnpoolFunctions<3>;

}  // namespace tidepool::inline v0_1
