// A convolution y = C(x, w) is linear in x and in w. Let D(g, w) be the gradient with respect to x and W(x, g) the one with respect to w,
// where g is the gradient of y. The gradients of these three functions are again C, D and W (gg is the incoming gradient of D or W):
//
//            first argument  second argument
//   C(x, w)  D(g, w)         W(x, g)
//   D(g, w)  C(gg, w)        W(gg, g)
//   W(x, g)  D(g, gg)        C(x, gg)
#include "nn/check.h"
#include "nn/onednn.h"
#include "tidepool/nn/functional.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1::nn {
namespace {

using onednn::ConvParams;

struct Problem {
  std::string op;
  ConvParams params;
  Dims x, w, y;  // shapes
};

Tensor gradient_of_input(const Problem& p, const Tensor& g, const Tensor& w);
Tensor gradient_of_weights(const Problem& p, const Tensor& x, const Tensor& g);

bool empty(const Problem& p) {
  for (const Dims* dims : {&p.x, &p.w, &p.y})
    for (int64_t size : dims->span())
      if (size == 0) return true;
  return false;
}

Tensor convolve(const Problem& p, const Tensor& x, const Tensor& w, const Tensor& bias) {
  const MemoryFormat format = detail::format_of(x);
  Tensor value = empty(p) ? zeros(p.y) : Tensor(p.y, DType::f32, format);
  if (!empty(p)) {
    const Tensor in = detail::dense(x.detach(), format), weights = contiguous(w.detach());
    const Tensor row = bias.defined() ? contiguous(bias.detach()) : Tensor();
    const TensorView row_view = row.view();
    onednn::conv_forward(value.span(), in, weights, row.defined() ? &row_view : nullptr, p.params);
  }
  if (!recording(x) && !recording(w) && !recording(bias)) return value;
  return record(p.op, {x, w, bias}, value, [p, x = Saved(x), w = Saved(w), has_bias = bias.requires_grad()](const Tensor& g) {
    std::vector<int> all_but_channels{0};
    for (int d = 2; d < p.y.rank; ++d) all_but_channels.push_back(d);
    return Gradients{x.requires_grad() ? gradient_of_input(p, g, w.get()) : Tensor(),
                     w.requires_grad() ? gradient_of_weights(p, x.get(), g) : Tensor(), has_bias ? sum(g, all_but_channels) : Tensor()};
  });
}

Tensor gradient_of_input(const Problem& p, const Tensor& g, const Tensor& w) {
  const MemoryFormat format = detail::format_of(g);
  Tensor value = empty(p) ? zeros(p.x) : Tensor(p.x, DType::f32, format);
  if (!empty(p)) {
    const Tensor gradient = detail::dense(g.detach(), format), weight = contiguous(w.detach());
    onednn::conv_backward_data(value.span(), gradient, weight, p.params);
  }
  if (!recording(g) && !recording(w)) return value;
  return record(p.op, {g, w}, value, [p, g = Saved(g), w = Saved(w)](const Tensor& gg) {
    return Gradients{g.requires_grad() ? convolve(p, gg, w.get(), {}) : Tensor(),
                     w.requires_grad() ? gradient_of_weights(p, gg, g.get()) : Tensor()};
  });
}

Tensor gradient_of_weights(const Problem& p, const Tensor& x, const Tensor& g) {
  Tensor value = empty(p) ? zeros(p.w) : Tensor(p.w);
  if (!empty(p)) {
    const MemoryFormat format =
        detail::channels_last(x) || detail::channels_last(g) ? MemoryFormat::channels_last : MemoryFormat::contiguous;
    const Tensor input = detail::dense(x.detach(), format), gradient = detail::dense(g.detach(), format);
    onednn::conv_backward_weights(value.span(), input, gradient, p.params);
  }
  if (!recording(x) && !recording(g)) return value;
  return record(p.op, {x, g}, value, [p, x = Saved(x), g = Saved(g)](const Tensor& gg) {
    return Gradients{x.requires_grad() ? gradient_of_input(p, g.get(), gg) : Tensor(),
                     g.requires_grad() ? convolve(p, x.get(), gg, {}) : Tensor()};
  });
}

[[noreturn]] void refuse(const std::string& op, ErrorCode code, const std::string& text) { throw Error(code, op + ": " + text); }

constexpr const char* axis_name(int rank, int axis) {
  constexpr const char* names[] = {"d", "h", "w"};
  return names[3 - rank + axis];
}

int64_t at_least(const std::string& op, const char* name, int64_t value, int64_t least, int rank, int axis) {
  if (value < least)
    refuse(op, ErrorCode::invalid_argument,
           std::string(name) + " must be at least " + std::to_string(least) + ", got " + std::to_string(value) + " (axis " +
               axis_name(rank, axis) + ")");
  return value;
}

template <int N>
void check_counts(const std::string& op, const char* name, const Sizes& sizes) {
  if (sizes.count != 1 && sizes.count != N)
    refuse(op, ErrorCode::invalid_argument,
           std::string(name) + " must have 1 or " + std::to_string(N) + " values, got " + std::to_string(sizes.count));
}

template <int N>
ConvParams params_of(const std::string& op, const Dims& w, const Sizes& stride, const Pads& padding, const Sizes& dilation,
                     int64_t groups) {
  check_counts<N>(op, "stride", stride);
  check_counts<N>(op, "dilation", dilation);
  ConvParams p;
  p.groups = groups;
  for (int a = 0; a < N; ++a) {
    p.stride.push_back(at_least(op, "stride", stride[a], 1, N, a));
    p.dilation.push_back(at_least(op, "dilation", dilation[a], 1, N, a));
    Sides sides = padding[a];
    const int64_t reach = dilation[a] * (w[a + 2] - 1);
    if (padding.mode == PaddingMode::valid) sides = {};
    if (padding.mode == PaddingMode::same_upper || padding.mode == PaddingMode::same_lower) {
      if (stride[a] != 1)
        refuse(op, ErrorCode::invalid_argument,
               "stride must be 1 with padding same, got " + std::to_string(stride[a]) + " (axis " + axis_name(N, a) + ")");
      const bool upper = padding.mode == PaddingMode::same_upper;
      sides = {upper ? reach / 2 : reach - reach / 2, upper ? reach - reach / 2 : reach / 2};
    }
    p.before.push_back(at_least(op, "padding", sides.before, 0, N, a));
    p.after.push_back(at_least(op, "padding", sides.after, 0, N, a));
  }
  return p;
}

void check_weight(const std::string& op, const Tensor& x, const Tensor& w, int rank, int64_t groups, bool transposed) {
  detail::check_f32(op.c_str(), "input", x);
  detail::check_f32(op.c_str(), "weight", w);
  if (w.rank() != rank + 2)
    refuse(op, ErrorCode::shape_mismatch, "weight must have " + std::to_string(rank + 2) + " dimensions, got " + std::to_string(w.rank()));
  if (groups < 1) refuse(op, ErrorCode::invalid_argument, "groups must be at least 1, got " + std::to_string(groups));
  if (w.size(0) % groups != 0)
    refuse(op, ErrorCode::shape_mismatch,
           "groups must divide the weight's " + std::to_string(w.size(0)) + " channels, got " + std::to_string(groups));
  const int64_t channels = transposed ? w.size(0) : w.size(1) * groups;
  if (x.size(1) != channels)
    refuse(op, ErrorCode::shape_mismatch,
           "input must have " + std::to_string(channels) + " channels, got " + std::to_string(x.size(1)) + " (shape " +
               to_string(x.shape()) + ")");
}

std::vector<int64_t> values(const Dims& dims) { return {dims.begin(), dims.end()}; }

// The options of a convolution for those who follow calls.
std::vector<CallOption> trace_of(const ConvParams& p) {
  CallOption padding{"padding", {}};
  for (int a = 0; a < p.stride.rank; ++a) {
    padding.values.push_back(p.before[a]);
    padding.values.push_back(p.after[a]);
  }
  return {{"stride", values(p.stride)}, padding, {"dilation", values(p.dilation)}, {"groups", {p.groups}}};
}

// Calls `call` with a batch: an input of C, spatial… is treated as a batch of one sample.
template <class Call>
Tensor batched(const std::string& op, int rank, const Tensor& x, const Call& call) {
  if (x.rank() == rank + 2) return call(x);
  if (x.rank() != rank + 1)
    refuse(
        op, ErrorCode::shape_mismatch,
        "input must have " + std::to_string(rank + 1) + " or " + std::to_string(rank + 2) + " dimensions, got " + std::to_string(x.rank()));
  Dims one{1}, shape;
  for (int64_t size : x.shape().span()) one.push_back(size);
  const Tensor y = call(reshape(x, one));
  for (int d = 1; d < y.rank(); ++d) shape.push_back(y.size(d));
  return reshape(y, shape);
}

template <int N>
Tensor conv(const Tensor& input, const Tensor& w, const Tensor& bias, const ConvOptions<N>& o) {
  const std::string op = "conv" + std::to_string(N) + "d";
  return batched(op, N, input, [&](const Tensor& x) {
    check_weight(op, x, w, N, o.groups, false);
    if (bias.defined()) detail::check_f32_vector(op.c_str(), "bias", bias, w.size(0));
    Problem p{.op = op,
              .params = params_of<N>(op, w.shape(), o.stride, o.padding, o.dilation, o.groups),
              .x = x.shape(),
              .w = w.shape(),
              .y = {x.size(0), w.size(0)}};
    for (int a = 0; a < N; ++a) {
      const int64_t reach = p.params.dilation[a] * (w.size(a + 2) - 1) + 1;
      const int64_t padded = x.size(a + 2) + p.params.before[a] + p.params.after[a];
      if (padded < reach)
        refuse(op, ErrorCode::invalid_argument,
               "window must fit the padded input of " + std::to_string(padded) + ", got " + std::to_string(reach) + " (axis " +
                   axis_name(N, a) + ")");
      p.y.push_back((padded - reach) / p.params.stride[a] + 1);
    }
    return tidepool::detail::traced(
        p.op.c_str(), {&x, &w, &bias}, [&] { return trace_of(p.params); }, [&] { return convolve(p, x, w, bias); });
  });
}

}  // namespace

Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias, const ConvOptions<1>& o) { return conv<1>(x, weight, bias, o); }
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, const ConvOptions<2>& o) { return conv<2>(x, weight, bias, o); }
Tensor conv3d(const Tensor& x, const Tensor& weight, const Tensor& bias, const ConvOptions<3>& o) { return conv<3>(x, weight, bias, o); }

Tensor conv_transpose2d(const Tensor& input, const Tensor& w, const Tensor& bias, const ConvTransposeOptions& o) {
  const std::string op = "conv_transpose2d";
  return batched(op, 2, input, [&](const Tensor& x) {
    check_weight(op, x, w, 2, o.groups, true);
    if (bias.defined()) detail::check_f32_vector(op.c_str(), "bias", bias, w.size(1) * o.groups);
    check_counts<2>(op, "output_padding", o.output_padding);
    // A transposed convolution is the gradient of this convolution with respect to its input. The convolution maps the larger array to x.
    Problem p{.op = op,
              .params = params_of<2>(op, w.shape(), o.stride, o.padding, o.dilation, o.groups),
              .x = {x.size(0), w.size(1) * o.groups},
              .w = w.shape(),
              .y = x.shape()};
    for (int a = 0; a < 2; ++a) {
      const int64_t more = at_least(op, "output_padding", o.output_padding[a], 0, 2, a);
      if (more >= std::max(p.params.stride[a], p.params.dilation[a]))
        refuse(op, ErrorCode::invalid_argument,
               "output_padding must be less than stride or dilation, got " + std::to_string(more) + " (axis " + axis_name(2, a) + ")");
      const int64_t size = (x.size(a + 2) - 1) * p.params.stride[a] + p.params.dilation[a] * (w.size(a + 2) - 1) + 1 + more -
                           p.params.before[a] - p.params.after[a];
      p.x.push_back(at_least(op, "output", size, 1, 2, a));
      p.params.after[a] -= more;
    }
    const auto options = [&] {
      std::vector<CallOption> list = trace_of(p.params);
      CallOption more{"output_padding", {}};
      for (int a = 0; a < 2; ++a) {
        more.values.push_back(o.output_padding[a]);
        list[1].values[static_cast<size_t>(2 * a + 1)] += o.output_padding[a];  // without it, as the caller wrote
      }
      list.push_back(more);
      return list;
    };
    return tidepool::detail::traced(op.c_str(), {&x, &w, &bias}, options, [&] {
      const Tensor y = gradient_of_input(p, x, w);
      return bias.defined() ? add(y, reshape(bias, {1, bias.numel(), 1, 1})) : y;
    });
  });
}

}  // namespace tidepool::inline v0_1::nn
