#include "nn/traced_layer.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "tidepool/problem.h"

namespace tidepool::inline v0_1::nn::detail {
namespace {

using analyze::Layer;

std::vector<int64_t> values(const Call& call, std::string_view name) {
  for (const CallOption& option : call.options)
    if (name == option.name) return option.values;
  return {};
}
int64_t value(const Call& call, std::string_view name) {
  const std::vector<int64_t> found = values(call, name);
  return found.empty() ? 0 : found[0];
}

// One number if all are equal.
Sizes sizes(std::vector<int64_t> list) {
  if (!list.empty() && std::equal(list.begin() + 1, list.end(), list.begin())) list.erase(list.begin() + 1, list.end());
  return Sizes::from(list);
}

Pads pads(const std::vector<int64_t>& list) {
  std::vector<Sides> sides;
  for (size_t i = 0; i + 1 < list.size(); i += 2) sides.emplace_back(list[i], list[i + 1]);
  if (!sides.empty() && std::equal(sides.begin() + 1, sides.end(), sides.begin())) sides.resize(1);
  return Pads::from(sides);
}

Sizes kernel_of(const Tensor& weight) { return Sizes::from(weight.shape().span().subspan(2)); }

TracedLayer conv(const Call& call) {
  const Tensor& weight = call.inputs[1];
  return {{analyze::Conv{.out_channels = weight.size(0),
                         .kernel_size = kernel_of(weight),
                         .stride = sizes(values(call, "stride")),
                         .padding = pads(values(call, "padding")),
                         .dilation = sizes(values(call, "dilation")),
                         .groups = value(call, "groups"),
                         .bias = call.inputs[2].defined()}},
          1};
}

TracedLayer conv_transpose(const Call& call) {
  const Tensor& weight = call.inputs[1];
  return {{analyze::ConvTranspose{.out_channels = weight.size(1) * value(call, "groups"),
                                  .kernel_size = kernel_of(weight),
                                  .stride = sizes(values(call, "stride")),
                                  .padding = pads(values(call, "padding")),
                                  .output_padding = sizes(values(call, "output_padding")),
                                  .dilation = sizes(values(call, "dilation")),
                                  .groups = value(call, "groups"),
                                  .bias = call.inputs[2].defined()}},
          1};
}

TracedLayer linear(const Call& call) {
  return {{analyze::Linear{.out_features = call.inputs[1].size(0), .bias = call.inputs[2].defined()}}, 1};
}

TracedLayer batch_norm(const Call& call) {
  const int64_t parameters = (call.inputs[1].defined() ? 1 : 0) + (call.inputs[2].defined() ? 1 : 0);
  if (value(call, "training") != 0) return {{analyze::StatisticsNorm{"batch_norm", parameters * call.result.size(1)}}, 1};
  return {{analyze::Elementwise{analyze::Elementwise::Kind::normalisation, "bn", parameters, false}}, 1};
}

WindowOptions windows(const Call& call) {
  WindowOptions w;
  w.kernel_size = sizes(values(call, "kernel_size"));
  const std::vector<int64_t> stride = values(call, "stride");
  if (stride != values(call, "kernel_size")) w.stride = sizes(stride);
  w.padding = pads(values(call, "padding"));
  w.dilation = sizes(values(call, "dilation"));
  w.ceil_mode = static_cast<Rounding>(value(call, "rounding"));
  const int64_t count = static_cast<int64_t>(stride.size());
  for (int axis = 0; axis < count; ++axis) {
    const int64_t reach = (w.kernel_size[axis] - 1) * w.dilation[axis] + 1;
    if (2 * std::max(w.padding[axis].before, w.padding[axis].after) > reach) w.preset = Preset::onnx;  // which has no limit
  }
  return w;
}

// An array without a batch dimension gets one for the layer. `whole` and `result` are shapes with one.
TracedLayer batched(const Call& call, Layer layer) {
  const auto spatial = static_cast<int>(values(call, "kernel_size").size());
  if (call.inputs[0].rank() == spatial + 2) return {{std::move(layer)}};
  Dims with_batch{1};
  for (const int64_t size : call.inputs[0].shape()) with_batch.push_back(size);
  return {{analyze::Reshape{with_batch}, std::move(layer), analyze::Reshape{call.result.shape()}}};
}

bool take(std::string_view& name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  return true;
}

// "adaptive_max_pool2d", "avg_pool1d", …. Nothing if it is not the forward function of a pooling.
std::optional<TracedLayer> pool(const Call& call) {
  std::string_view name = call.function;
  const bool adaptive = take(name, "adaptive_") || take(name, "global_"), fractional = take(name, "fractional_");
  for (const Op op : all_ops) {
    if (op == Op::unpool || name.substr(0, name.size() - 2) != std::string(op_name(op)) + "_pool") continue;
    const Sizes output = sizes(values(call, "output_size"));
    if (fractional) return batched(call, analyze::FractionalPool{sizes(values(call, "kernel_size")), output});
    if (adaptive) return batched(call, analyze::AdaptivePool{op, output});
    return batched(call, analyze::Pool{op, windows(call)});
  }
  if (!take(name, "max_unpool") || name.size() != 2) return std::nullopt;
  const auto rank = static_cast<int>(values(call, "kernel_size").size());
  analyze::Unpool unpool{.windows = windows(call)};
  std::vector<int64_t> output;
  output.reserve(static_cast<size_t>(rank));
  for (int axis = 0; axis < rank; ++axis) output.push_back(call.result.size(axis - rank));
  unpool.output_size = sizes(output);
  return batched(call, unpool);
}

TracedLayer slice(const Call& call) {
  const auto dim = static_cast<int>(value(call, "dim"));
  const int64_t start = value(call, "start"), step = value(call, "step"), count = call.result.size(dim);
  if (step < 1) return {{analyze::Unknown{call.function}}};  // backwards
  return {{analyze::Slice{.dim = dim, .begin = start, .end = start + (count - 1) * step + 1, .step = step}}};
}

TracedLayer select(const Call& call) {
  const int64_t index = value(call, "index");
  return {{analyze::Slice{.dim = static_cast<int>(value(call, "dim")), .begin = index, .end = index + 1, .step = 1},
           analyze::Reshape{call.result.shape()}}};
}

TracedLayer transpose(const Call& call) {
  const int rank = call.result.rank();
  analyze::Transpose layer;
  for (int dim = 0; dim < rank; ++dim) layer.order.push_back(dim);
  const auto place = [&](std::string_view name) {
    const int64_t dim = value(call, name);
    return static_cast<size_t>(dim < 0 ? dim + rank : dim);
  };
  std::swap(layer.order[place("dim0")], layer.order[place("dim1")]);
  return {{layer}};
}

// Along the dimension in which the result is larger than its parts.
TracedLayer concat(const Call& call) {
  for (int dim = 0; dim < call.result.rank(); ++dim)
    if (call.result.size(dim) != call.inputs[0].size(dim)) return {{analyze::Concat{dim}}};
  return {};
}

TracedLayer reduce(const Call& call) {
  analyze::Reduce layer{.function = call.function, .dims = {}, .keepdim = value(call, "keepdim") != 0};
  for (const int64_t dim : values(call, "dims")) layer.dims.push_back(static_cast<int>(dim < 0 ? dim + call.inputs[0].rank() : dim));
  return {{layer}};
}

TracedLayer flatten(const Call& call) {
  const std::vector<int64_t> dims = values(call, "dims");
  const int last = static_cast<int>(dims[1]) == call.inputs[0].rank() - 1 ? -1 : static_cast<int>(dims[1]);
  return {{analyze::Flatten{static_cast<int>(dims[0]), last}}};
}

TracedLayer dropout(const Call&) { return {{analyze::Elementwise{analyze::Elementwise::Kind::dropout, "dropout"}}}; }
TracedLayer reshape(const Call& call) { return {{analyze::Reshape{call.result.shape()}}}; }
TracedLayer softmax(const Call& call) { return {{analyze::Softmax{static_cast<int>(value(call, "dim"))}}}; }
TracedLayer unchanged(const Call&) { return {}; }

struct Function {
  std::string_view name;
  TracedLayer (*layer)(const Call&);
};
constexpr Function functions[] = {
    {"conv1d", conv},         {"conv2d", conv},           {"conv3d", conv},     {"conv_transpose2d", conv_transpose},
    {"linear", linear},       {"batch_norm", batch_norm}, {"dropout", dropout}, {"slice", slice},
    {"select", select},       {"transpose", transpose},   {"concat", concat},   {"sum", reduce},
    {"mean", reduce},         {"flatten", flatten},       {"reshape", reshape}, {"softmax", softmax},
    {"log_softmax", softmax}, {"clone", unchanged},       {"to", unchanged},
};

// Functions of one tensor that compute every element from the element at the same place.
struct Activation {
  std::string_view name;
  bool saves_output;  // for the backward pass
};
constexpr Activation activations[] = {
    {"relu", true}, {"leaky_relu", true}, {"sigmoid", true}, {"tanh", true}, {"gelu", false},
    {"exp", true},  {"log", false},       {"sqrt", true},    {"pow", false}, {"neg", true},
};

// Arithmetic of two tensors, or of a tensor and a number.
std::optional<TracedLayer> arithmetic(const Call& call) {
  using Kind = analyze::Merge::Kind;
  const bool adds = call.function == "add" || call.function == "sub", multiplies = call.function == "mul" || call.function == "div";
  if (!adds && !multiplies) return std::nullopt;
  if (call.inputs.size() == 1)
    return TracedLayer{{analyze::Elementwise{analyze::Elementwise::Kind::activation, adds ? "shift" : "scale", 0, true}}};
  const Kind kind = call.function == "add" ? Kind::add : call.function == "mul" ? Kind::multiply : Kind::other;
  return TracedLayer{{analyze::Merge{kind, call.function}}};
}

}  // namespace

TracedLayer traced_layer(const Call& call) {
  for (const Function& known : functions)
    if (known.name == call.function) return known.layer(call);
  for (const Activation& known : activations)
    if (known.name == call.function)
      return {{analyze::Elementwise{analyze::Elementwise::Kind::activation, call.function, 0, known.saves_output}}};
  if (call.function == "matmul") return {{analyze::MatMul{}}};
  if (auto layer = arithmetic(call)) return *layer;
  if (auto layer = pool(call)) return *layer;
  return {{analyze::Unknown{call.function}}};
}

}  // namespace tidepool::inline v0_1::nn::detail
