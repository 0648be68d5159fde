// Inputs and weights of a file.
#include <algorithm>
#include <set>

#include "analyze/onnx/graph.h"
#include "analyze/onnx/operators.h"
#include "analyze/onnx/symbolic_sizes.h"
#include "analyze/placement.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

[[noreturn]] void fail(const std::string& rule, ErrorCode code = ErrorCode::invalid_argument) {
  detail::throw_error({code, "read_onnx: " + rule});
}

void define_initializers(Graph& graph) {
  for (const TensorProto& tensor : graph.model().initializers) {
    if (tensor.name.empty()) fail("an initializer has no name", ErrorCode::parse);
    Value value{.shape = shape_of(tensor, graph.model().file), .type = tensor.type};
    value.numbers = numbers_of(tensor, value.shape, graph.model().file);
    value.weights = shown(tensor.name);
    if (is_float(tensor.type) && count_of(value.shape) > 1) value.parameters = count_of(value.shape);
    graph.define(tensor.name, std::move(value), "initializers");
  }
}

// Values that layers read as data, or that are outputs of the graph.
std::set<std::string_view> names_of_data(const Model& model) {
  std::set<std::string_view> names;
  for (const NodeProto& node : model.nodes)
    for (size_t i = 0; i < node.inputs.size(); ++i)
      if (!is_weight(node.op, i)) names.insert(node.inputs[i]);
  for (const ValueInfo& output : model.outputs) names.insert(output.name);
  return names;
}

std::set<std::string_view> names_of_weights(const Model& model) {
  std::set<std::string_view> names;
  for (const NodeProto& node : model.nodes)
    for (size_t i = 0; i < node.inputs.size(); ++i)
      if (is_weight(node.op, i)) names.insert(node.inputs[i]);
  return names;
}

}  // namespace

void define_inputs(Graph& graph, const OnnxOptions& options) {
  define_initializers(graph);
  const Model& model = graph.model();
  const std::set<std::string_view> data = names_of_data(model), weights = names_of_weights(model);
  std::vector<const ValueInfo*> inputs;
  std::set<std::string_view> seen;
  for (const ValueInfo& input : model.inputs) {
    if (!seen.insert(input.name).second) fail("inputs: the name '" + shown(input.name) + "' is defined twice", ErrorCode::parse);
    if (graph.find(input.name) != nullptr) continue;  // it has an initializer
    const bool closed = input.is_tensor && input.has_shape && input.shape.size() <= max_rank &&
                        std::all_of(input.shape.begin(), input.shape.end(), [](const Dimension& dim) { return dim.size >= 0; });
    if (closed && weights.contains(input.name) && !data.contains(input.name)) {
      Value value{.type = input.type, .weights = shown(input.name)};
      for (const Dimension& dim : input.shape) value.shape.push_back(dim.size);
      if (!checked_numel(value.shape))
        fail("input '" + shown(input.name) + "' is too large: " + to_string(value.shape), ErrorCode::overflow);
      if (is_float(input.type) && count_of(value.shape) > 1) value.parameters = count_of(value.shape);
      graph.define(input.name, std::move(value), "inputs");
      continue;
    }
    if (input.shape.size() > max_rank)
      fail("input '" + shown(input.name) + "' has " + std::to_string(input.shape.size()) + " dimensions, at most 8 are supported");
    inputs.push_back(&input);
  }
  const SymbolicSizes sizes(inputs, options);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = shown(inputs[i]->name);
    if (!inputs[i]->is_tensor && i >= options.inputs.size()) {
      graph.define_unknown(inputs[i]->name, "sequence_or_map", -1, "inputs");
      continue;
    }
    const Dims shape = sizes.shape_of(i);
    for (const int64_t size : shape)
      if (size < 0 || size > largest_size)
        fail("input '" + name + "': sizes must be between 1 and " + std::to_string(largest_size) + ", got " + to_string(shape));
    // The elements of an empty input are known: there are none.
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
      const Numbers none = is_float(inputs[i]->type) ? Numbers(Reals()) : Numbers(Ints());
      graph.define(inputs[i]->name, graph.constant(shape, inputs[i]->type, none), "inputs");
      continue;
    }
    if (!checked_numel(shape)) fail("input '" + name + "' is too large: " + to_string(shape), ErrorCode::overflow);
    graph.define(inputs[i]->name, {.node = graph.net.input(name, shape), .type = inputs[i]->type}, "inputs");
  }
}

}  // namespace tidepool::inline v0_1::analyze::onnx
