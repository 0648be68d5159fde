// Inputs and weights of a file, and the sizes that it leaves open.
#include <algorithm>
#include <set>

#include "analyze/onnx/graph.h"
#include "analyze/onnx/operators.h"
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

// The sizes of symbolic dimensions, by name.
class Sizes {
 public:
  Sizes(const std::vector<const ValueInfo*>& inputs, const OnnxOptions& options) : inputs_(inputs), options_(options) {
    if (options.inputs.size() > inputs.size())
      fail("`inputs` has " + std::to_string(options.inputs.size()) + " shapes, the file has " + std::to_string(inputs.size()) + " inputs");
    std::set<std::string> names;
    for (const ValueInfo* input : inputs)
      for (const Dimension& dim : input->shape) names.insert(std::string(dim.name));
    for (const auto& [name, size] : options.sizes) {
      if (name.empty() || !names.contains(name)) fail("the file has no symbolic size '" + shown(name) + "'" + listed(names));
      if (size < 1) fail("the size '" + shown(name) + "' must be at least 1, got " + std::to_string(size));
      known_[name] = size;
    }
    for (size_t i = 0; i < options.inputs.size(); ++i) bind(*inputs[i], options.inputs[i]);
    take_batches();
    ask();
  }

  Dims shape_of(size_t input) const {
    if (input < options_.inputs.size()) return options_.inputs[input];
    Dims shape;
    const ValueInfo& value = *inputs_[input];
    for (size_t dim = 0; dim < value.shape.size(); ++dim) shape.push_back(*size_of(value, dim));
    return shape;
  }

 private:
  static bool is_open(const Dimension& dim) { return dim.size < 0; }

  static std::string listed(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
      if (!name.empty()) text += (text.empty() ? "; it has '" : ", '") + shown(name) + "'";
    return text;
  }

  std::optional<int64_t> size_of(const ValueInfo& value, size_t dim) const {
    const Dimension& d = value.shape[dim];
    if (!is_open(d)) return d.size;
    if (!d.name.empty())
      if (const auto found = known_.find(d.name); found != known_.end()) return found->second;
    if (dim == 0 && value.shape.size() > 1) return 1;
    return {};
  }

  // A given shape decides the symbolic sizes in it.
  void bind(const ValueInfo& input, const Dims& shape) {
    const std::string name = "input '" + shown(input.name) + "'";
    if (!input.has_shape) return;
    if (input.shape.size() != shape.size())
      fail(name + " has " + std::to_string(input.shape.size()) + " dimensions, the given shape is " + to_string(shape),
           ErrorCode::shape_mismatch);
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      const Dimension& d = input.shape[dim];
      const int64_t size = shape[static_cast<int>(dim)];
      if (!is_open(d) || d.name.empty()) continue;
      const auto [found, is_new] = known_.emplace(d.name, size);
      if (!is_new && found->second != size)
        fail("the size '" + shown(d.name) + "' is " + std::to_string(found->second) + " and " + std::to_string(size) + " (" + name + ")",
             ErrorCode::shape_mismatch);
    }
  }

  void take_batches() {
    for (size_t i = options_.inputs.size(); i < inputs_.size(); ++i)
      if (inputs_[i]->shape.size() > 1 && is_open(inputs_[i]->shape[0]) && !inputs_[i]->shape[0].name.empty())
        known_.emplace(inputs_[i]->shape[0].name, 1);
  }

  // One error for all sizes that are missing.
  void ask() const {
    std::set<std::string> missing;
    std::string nameless;
    for (size_t i = options_.inputs.size(); i < inputs_.size(); ++i) {
      const ValueInfo& value = *inputs_[i];
      if (value.is_tensor && !value.has_shape && nameless.empty()) nameless = "input '" + shown(value.name) + "' has no shape in the file";
      for (size_t dim = 0; dim < value.shape.size(); ++dim) {
        if (size_of(value, dim)) continue;
        if (!value.shape[dim].name.empty())
          missing.insert(std::string(value.shape[dim].name));
        else if (nameless.empty())
          nameless = "dimension " + std::to_string(dim) + " of input '" + shown(value.name) + "' has neither size nor name in the file";
      }
    }
    if (!nameless.empty()) fail(nameless + ": give the whole shape, with `inputs`");
    if (missing.empty()) return;
    std::string names;
    size_t count = 0;
    for (const std::string& name : missing)
      if (++count <= 20) names += (names.empty() ? "'" : ", '") + shown(name) + "'";
    fail("the file leaves the " + std::string(count == 1 ? "size " : "sizes ") + names + (count > 20 ? ", …" : "") + " open: give " +
         (count == 1 ? "it" : "them") + " with `sizes`, such as {\"" + shown(*missing.begin()) + "\", 224}, or whole shapes with `inputs`");
  }

  const std::vector<const ValueInfo*>& inputs_;
  const OnnxOptions& options_;
  std::map<std::string_view, int64_t> known_;  // views of the file and of the options
};

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
  const Sizes sizes(inputs, options);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = shown(inputs[i]->name);
    if (!inputs[i]->is_tensor && i >= options.inputs.size()) {
      graph.define_unknown(inputs[i]->name, "sequence or map", -1, "inputs");
      continue;
    }
    const Dims shape = sizes.shape_of(i);
    for (int dim = 0; dim < shape.rank; ++dim)
      if (shape[dim] < 1)
        fail("input '" + name + "' is empty: its shape is " + to_string(shape) + "; give sizes of at least 1 with `inputs`");
    graph.define(inputs[i]->name, {.node = graph.net.input(name, shape), .type = inputs[i]->type}, "inputs");
  }
}

}  // namespace tidepool::inline v0_1::analyze::onnx
