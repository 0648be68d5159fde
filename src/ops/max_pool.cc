#include "tidepool/ops/max_pool.h"

#include <memory>
#include <string>

#include "tidepool/plan.h"

namespace tidepool {
namespace {

template <int N>
WindowOptions window_options(const MaxPoolOptions<N>& o) {
  return {.kernel_size = o.kernel_size,
          .stride = o.stride,
          .padding = o.padding,
          .dilation = o.dilation,
          .ceil_mode = o.ceil_mode,
          .preset = o.preset};
}

// One call of a public function: its op and rank, and the name that its errors carry.
struct Call {
  Op op;
  int rank;
  const char* suffix;

  std::string name() const { return function_name(op, rank) + suffix; }

  // Plans speak of the op; the user called this function.
  [[noreturn]] void fail(const Error& e) const {
    const size_t colon = e.message().find(':');
    throw Error(e.code(), name() + (colon == std::string::npos ? ": " + e.message() : e.message().substr(colon)));
  }
};

template <class Enum>
void check_enum(const Call& call, const char* name, Enum value, Enum last) {
  if (value > last)
    throw Error(ErrorCode::invalid_argument,
                call.name() + ": " + name + " must be one of its named values, got " + std::to_string(static_cast<int>(value)));
}

template <int N>
Geometry geometry_of(const Call& call, const Dims& shape, const MaxPoolOptions<N>& o) {
  check_enum(call, "nan", o.nan, NanPolicy::ignore);
  check_enum(call, "index_base", o.index_base, IndexBase::window);
  return Geometry::windowed(call.name(), N, shape, window_options(o)).value();
}

Layout common_layout(const TensorView& x, const TensorView& out, const Geometry& g) {
  const Layout a = layout_of(x.shape, x.strides, g.rank(), g.batched());
  return a == layout_of(out.shape, out.strides, g.rank(), g.batched()) ? a : Layout::strided;
}

MemoryFormat format_like(const TensorView& x, const Geometry& g) {
  return layout_of(x.shape, x.strides, g.rank(), g.batched()) == Layout::channels_last ? MemoryFormat::channels_last
                                                                                       : MemoryFormat::contiguous;
}

// channels_last_strides counts dim 1 as channels; an unbatched tensor has them in dim 0.
Tensor allocate(const Dims& shape, DType dtype, MemoryFormat format, bool batched) {
  if (batched || format == MemoryFormat::contiguous) return Tensor(shape, dtype, format);
  Dims with_batch{1};
  for (int64_t s : shape.span()) with_batch.push_back(s);
  Tensor t(with_batch, dtype, format);
  TensorSpan span = t.span();
  Dims strides;
  for (int i = 1; i < with_batch.rank; ++i) strides.push_back(t.strides()[i]);
  span.shape = shape;
  span.strides = strides;
  return {std::make_shared<Tensor>(t), span};
}

// What must hold before anything else can be said of an array.
void check_view(const Call& call, const char* name, const TensorView& t) {
  if (dtype_size(t.dtype) == 0)
    throw Error(ErrorCode::dtype_mismatch,
                call.name() + ": " + name + " must have a known dtype, got code " + std::to_string(static_cast<int>(t.dtype)));
  if (t.strides.rank != t.shape.rank)
    throw Error(ErrorCode::shape_mismatch, call.name() + ": " + name + " must have " + std::to_string(t.shape.rank) + " strides, got " +
                                               std::to_string(t.strides.rank));
}

template <int N>
void run(const Call& call, Pass pass, const Geometry& g, const RunArrays& arrays, bool indices, const MaxPoolOptions<N>& o) {
  Problem p{.op = call.op, .pass = pass, .dtype = arrays.input.dtype, .nan = o.nan, .geometry = g};
  if (indices) p.indices = o.index_base;
  // Backward planes are walked through their strides; the layout only says which way to walk.
  const TensorView shaped_like_input = pass == Pass::backward ? TensorView(arrays.output) : arrays.input;
  const TensorView shaped_like_output = pass == Pass::backward ? arrays.input : TensorView(arrays.output);
  const bool ranks_match = shaped_like_input.rank() == g.input_shape().rank && shaped_like_output.rank() == g.input_shape().rank;
  if (ranks_match) p.layout = common_layout(shaped_like_input, shaped_like_output, g);
  try {
    cached_plan(p).run(arrays);
  } catch (const Error& e) {
    call.fail(e);
  }
}

template <int N>
void forward_into(const Call& call, TensorSpan out, TensorSpan* indices, TensorView x, const MaxPoolOptions<N>& o) {
  check_view(call, "input", x);
  check_view(call, "out", out);
  if (indices != nullptr) check_view(call, "indices", *indices);
  const Geometry g = geometry_of(call, x.shape, o);
  run(call, Pass::forward, g, {.input = x, .output = out, .indices_out = indices ? *indices : TensorSpan{}}, indices != nullptr, o);
}

template <int N>
Pooled forward(const Call& call, TensorView x, bool indices, const MaxPoolOptions<N>& o) {
  check_view(call, "input", x);
  const Geometry g = geometry_of(call, x.shape, o);
  const MemoryFormat format = format_like(x, g);
  Pooled result;
  result.values = allocate(g.output_shape(), x.dtype, format, g.batched());
  if (indices) result.indices = allocate(g.output_shape(), index_dtype(o.index_base, g, o.nan), format, g.batched());
  run(call, Pass::forward, g, {.input = x, .output = result.values.span(), .indices_out = indices ? result.indices.span() : TensorSpan{}},
      indices, o);
  return result;
}

template <int N>
void backward_into(const Call& call, TensorSpan grad_input, TensorView grad, TensorView indices, const MaxPoolOptions<N>& o) {
  check_view(call, "grad", grad);
  check_view(call, "grad_input", grad_input);
  check_view(call, "indices", indices);
  const Geometry g = geometry_of(call, grad_input.shape, o);
  run(call, Pass::backward, g, {.input = grad, .output = grad_input, .indices_in = indices}, true, o);
}

template <int N>
Tensor backward(const Call& call, TensorView grad, TensorView indices, const Dims& input_shape, const MaxPoolOptions<N>& o) {
  check_view(call, "grad", grad);
  const Geometry g = geometry_of(call, input_shape, o);
  if (!is_floating(grad.dtype))
    throw Error(ErrorCode::dtype_mismatch, call.name() + ": gradients need a floating dtype, got " + std::string(dtype_name(grad.dtype)));
  if (!(grad.shape == g.output_shape()))
    throw Error(ErrorCode::shape_mismatch,
                call.name() + ": grad must have shape " + to_string(g.output_shape()) + ", got " + to_string(grad.shape));
  Tensor result = allocate(input_shape, grad.dtype, format_like(grad, g), g.batched());
  backward_into(call, result.span(), grad, indices, o);
  return result;
}

template <int N>
void double_backward_into(const Call& call, TensorSpan out, TensorView gg, TensorView indices, const MaxPoolOptions<N>& o) {
  check_view(call, "gg", gg);
  check_view(call, "out", out);
  check_view(call, "indices", indices);
  const Geometry g = geometry_of(call, gg.shape, o);
  run(call, Pass::double_backward, g, {.input = gg, .output = out, .indices_in = indices}, true, o);
}

template <int N>
Tensor double_backward(const Call& call, TensorView gg, TensorView indices, const MaxPoolOptions<N>& o) {
  check_view(call, "gg", gg);
  const Geometry g = geometry_of(call, gg.shape, o);
  Tensor result = allocate(g.output_shape(), gg.dtype, format_like(gg, g), g.batched());
  double_backward_into(call, result.span(), gg, indices, o);
  return result;
}

}  // namespace

#define TIDEPOOL_MAX_POOL(name, op_, N)                                                                                                   \
  Tensor name(TensorView x, const MaxPoolOptions<N>& o) { return forward(Call{op_, N, ""}, x, false, o).values; }                         \
  Pooled name##_with_indices(TensorView x, const MaxPoolOptions<N>& o) { return forward(Call{op_, N, "_with_indices"}, x, true, o); }     \
  void name##_into(TensorSpan out, TensorView x, const MaxPoolOptions<N>& o) { forward_into(Call{op_, N, "_into"}, out, nullptr, x, o); } \
  void name##_with_indices_into(TensorSpan out, TensorSpan indices, TensorView x, const MaxPoolOptions<N>& o) {                           \
    forward_into(Call{op_, N, "_with_indices_into"}, out, &indices, x, o);                                                                \
  }                                                                                                                                       \
  Tensor name##_backward(TensorView grad, TensorView indices, const Dims& input_shape, const MaxPoolOptions<N>& o) {                      \
    return backward(Call{op_, N, "_backward"}, grad, indices, input_shape, o);                                                            \
  }                                                                                                                                       \
  void name##_backward_into(TensorSpan grad_input, TensorView grad, TensorView indices, const MaxPoolOptions<N>& o) {                     \
    backward_into(Call{op_, N, "_backward_into"}, grad_input, grad, indices, o);                                                          \
  }                                                                                                                                       \
  Tensor name##_double_backward(TensorView gg, TensorView indices, const MaxPoolOptions<N>& o) {                                          \
    return double_backward(Call{op_, N, "_double_backward"}, gg, indices, o);                                                             \
  }                                                                                                                                       \
  void name##_double_backward_into(TensorSpan out, TensorView gg, TensorView indices, const MaxPoolOptions<N>& o) {                       \
    double_backward_into(Call{op_, N, "_double_backward_into"}, out, gg, indices, o);                                                     \
  }                                                                                                                                       \
  Dims name##_shape(const Dims& input_shape, const MaxPoolOptions<N>& o) {                                                                \
    return geometry_of(Call{op_, N, "_shape"}, input_shape, o).output_shape();                                                            \
  }
TIDEPOOL_MAX_POOL(max_pool1d, Op::max, 1)
TIDEPOOL_MAX_POOL(max_pool2d, Op::max, 2)
TIDEPOOL_MAX_POOL(max_pool3d, Op::max, 3)
TIDEPOOL_MAX_POOL(min_pool1d, Op::min, 1)
TIDEPOOL_MAX_POOL(min_pool2d, Op::min, 2)
TIDEPOOL_MAX_POOL(min_pool3d, Op::min, 3)
#undef TIDEPOOL_MAX_POOL

}  // namespace tidepool
