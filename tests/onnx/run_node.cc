#include "onnx/run_node.h"

#include <algorithm>
#include <span>

#include "tidepool/tidepool.h"

namespace tidepool::onnx_test {
namespace {

const onnx::AttributeProto* find(const onnx::NodeProto& node, const std::string& name) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name) return &attribute;
  return nullptr;
}

int64_t number(const onnx::NodeProto& node, const std::string& name, int64_t otherwise) {
  const auto* attribute = find(node, name);
  return attribute == nullptr ? otherwise : attribute->i();
}

std::vector<int64_t> numbers(const onnx::NodeProto& node, const std::string& name) {
  const auto* attribute = find(node, name);
  if (attribute == nullptr) return {};
  return {attribute->ints().begin(), attribute->ints().end()};
}

template <int N>
Padding<N> padding(const onnx::NodeProto& node) {
  const auto* mode = find(node, "auto_pad");
  if (mode != nullptr && mode->s() == "SAME_UPPER") return same;
  if (mode != nullptr && mode->s() == "SAME_LOWER") return same_lower;
  if (mode != nullptr && mode->s() == "VALID") return valid;
  const std::vector<int64_t> pads = numbers(node, "pads");  // all the befores, then all the afters
  if (pads.empty()) return 0;
  std::vector<Sides> sides;
  for (size_t i = 0; i < pads.size() / 2; ++i) sides.emplace_back(pads[i], pads[i + pads.size() / 2]);
  return std::span<const Sides>(sides);
}

// The options that all windowed ops share.
template <int N, template <int> class Options>
Options<N> windows(const onnx::NodeProto& node) {
  Options<N> o;
  o.kernel_size = std::span<const int64_t>(numbers(node, "kernel_shape"));
  const std::vector<int64_t> strides = numbers(node, "strides"), dilations = numbers(node, "dilations");
  if (strides.empty())
    o.stride = 1;  // ONNX's default, unlike PyTorch's
  else
    o.stride = std::span<const int64_t>(strides);
  if (!dilations.empty()) o.dilation = std::span<const int64_t>(dilations);
  o.padding = padding<N>(node);
  if constexpr (requires { o.ceil_mode; }) o.ceil_mode = number(node, "ceil_mode", 0) != 0;
  o.preset = Preset::onnx;
  return o;
}

// storage_order = 1 counts cells of a plane with the first axis fastest. tidepool counts row-major only.
void count_column_major(Tensor& indices, const Dims& shape) {
  int64_t plane = 1;
  for (int i = 2; i < shape.rank; ++i) plane *= shape[i];
  int64_t* index = indices.data<int64_t>();
  for (int64_t i = 0; i < indices.numel(); ++i) {
    int64_t rest = index[i] % plane, turned = 0;
    int64_t step = plane;
    for (int axis = shape.rank - 1; axis >= 2; --axis) {
      step /= shape[axis];
      turned += rest % shape[axis] * step;
      rest /= shape[axis];
    }
    index[i] += turned - index[i] % plane;
  }
}

template <int N>
std::vector<Tensor> max_pool(const onnx::NodeProto& node, const Tensor& x) {
  const auto o = windows<N, MaxPoolOptions>(node);
  if (node.output_size() < 2) return {MaxPoolFunctions<N>::forward(x, o)};
  Pooled y = MaxPoolFunctions<N>::with_indices(x, o);
  if (number(node, "storage_order", 0) == 1) count_column_major(y.indices, x.shape());
  return {y.values, y.indices};
}

template <int N>
Tensor average_pool(const onnx::NodeProto& node, const Tensor& x) {
  auto o = windows<N, AvgPoolOptions>(node);
  if (find(node, "count_include_pad") != nullptr) o.count_include_pad = number(node, "count_include_pad", 0) != 0;
  return AvgPoolFunctions<N>::forward(x, o);
}

template <int N>
Tensor lp_pool(const onnx::NodeProto& node, const Tensor& x) {
  const auto p = static_cast<double>(number(node, "p", 2));
  if (node.op_type() == "GlobalLpPool") return GlobalLpPoolFunctions<N>::forward(x, p);
  auto o = windows<N, LpPoolOptions>(node);
  o.norm_type = p;
  return LpPoolFunctions<N>::forward(x, o);
}

template <int N>
Tensor max_unpool(const onnx::NodeProto& node, const std::vector<Tensor>& inputs) {
  auto o = windows<N, MaxUnpoolOptions>(node);
  if (inputs.size() > 2) o.output_size = Dims(std::span(inputs[2].data<int64_t>(), static_cast<size_t>(inputs[2].numel())));
  return MaxUnpoolFunctions<N>::forward(inputs[0], inputs[1], o);
}

template <int N>
Tensor global_pool(const onnx::NodeProto& node, const Tensor& x) {
  if (node.op_type() == "GlobalMaxPool") return GlobalMaxPoolFunctions<N>::forward(x);
  return GlobalAvgPoolFunctions<N>::forward(x);
}

template <int N>
std::vector<Tensor> pool(const onnx::NodeProto& node, const std::vector<Tensor>& inputs) {
  const std::string& op = node.op_type();
  if (op == "MaxPool") return max_pool<N>(node, inputs[0]);
  if (op == "AveragePool") return {average_pool<N>(node, inputs[0])};
  if (op == "LpPool" || op == "GlobalLpPool") return {lp_pool<N>(node, inputs[0])};
  if (op == "MaxUnpool") return {max_unpool<N>(node, inputs)};
  if (op == "GlobalMaxPool" || op == "GlobalAveragePool") return {global_pool<N>(node, inputs[0])};
  throw NotRunnable("operator " + op);
}

Tensor reshape(const onnx::NodeProto& node, const Tensor& x) {
  const std::vector<int64_t> axes = numbers(node, "axes");
  const auto listed = [&](int64_t axis) { return std::find(axes.begin(), axes.end(), axis) != axes.end(); };
  Dims shape;
  if (node.op_type() == "Squeeze") {
    for (int i = 0; i < x.rank(); ++i)
      if (!listed(i)) shape.push_back(x.size(i));
  } else {
    for (int i = 0, from = 0; i < x.rank() + static_cast<int>(axes.size()); ++i) shape.push_back(listed(i) ? 1 : x.size(from++));
  }
  return x.reshape(shape);
}

}  // namespace

std::vector<Tensor> run_node(const onnx::NodeProto& node, const std::vector<Tensor>& inputs) {
  if (node.op_type() == "Squeeze" || node.op_type() == "Unsqueeze") return {reshape(node, inputs[0])};
  switch (inputs[0].rank() - 2) {
    case 1:
      return pool<1>(node, inputs);
    case 2:
      return pool<2>(node, inputs);
    case 3:
      return pool<3>(node, inputs);
    default:
      throw NotRunnable("rank " + std::to_string(inputs[0].rank()) + " is not 3 to 5");
  }
}

}  // namespace tidepool::onnx_test
