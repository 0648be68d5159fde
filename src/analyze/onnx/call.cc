// Inputs, layers and results of a node.
#include "analyze/onnx/call.h"

#include <algorithm>

#include "analyze/placement.h"
#include "core/checked.h"

namespace tidepool::inline v0_1::analyze::onnx {

void Call::fail(const std::string& rule, ErrorCode code) const { detail::throw_error({code, "read_onnx: " + described() + ": " + rule}); }

std::string Call::function() const {
  return (node_.domain.empty() || node_.domain == "ai.onnx" ? std::string() : shown(node_.domain) + ".") + shown(node_.op);
}

std::string Call::output_name() const { return node_.outputs.empty() ? std::string() : shown(node_.outputs[0]); }

std::string Call::name() const { return node_.name.empty() ? output_name() : shown(node_.name); }

std::string Call::described() const { return "node '" + name() + "' (" + function() + ")"; }

const Value& Call::input(size_t i) const {
  if (!has(i)) fail("input " + std::to_string(i) + " is missing");
  if (const Value* value = graph_.find(node_.inputs[i])) return *value;
  fail("nothing before it has the name '" + shown(node_.inputs[i]) + "' of its input " + std::to_string(i) +
           " (ONNX wants the nodes in the order of execution, without cycles)",
       ErrorCode::parse);
}

std::vector<Value> Call::values() const {
  std::vector<Value> found;
  for (size_t i = 0; i < inputs(); ++i)
    if (has(i)) found.push_back(input(i));
  return found;
}

std::optional<Ints> Call::ints(size_t i) const {
  const Value& value = input(i);
  if (!value.numbers || value.shape.rank > 1) return {};
  const auto* list = std::get_if<Ints>(value.numbers.get());
  if (list == nullptr) fail("input " + std::to_string(i) + " must be integers");
  return *list;
}

std::optional<Reals> Call::reals(size_t i) const {
  const Value& value = input(i);
  if (!value.numbers || value.shape.rank > 1) return {};
  const auto* list = std::get_if<Reals>(value.numbers.get());
  if (list == nullptr) fail("input " + std::to_string(i) + " must be floats");
  return *list;
}

std::optional<Ints> Call::attribute_or_input(std::string_view attribute, size_t input, bool* depends_on_data) const {
  *depends_on_data = false;
  if (auto list = integers(attribute)) return list;
  if (!has(input)) return {};
  auto list = ints(input);
  *depends_on_data = !list.has_value();
  return list;
}

int Call::axis(int64_t axis, int rank) const {
  const int64_t counted = axis < 0 ? axis + rank : axis;
  if (counted < 0 || counted >= rank)
    fail("axis " + std::to_string(axis) + " is out of range for " + std::to_string(rank) + " dimensions", ErrorCode::out_of_range);
  return static_cast<int>(counted);
}

std::vector<int> Call::axes(const Ints& axes, int rank) const {
  std::vector<int> found;
  for (const int64_t a : axes) {
    const int counted = axis(a, rank);
    if (std::find(found.begin(), found.end(), counted) != found.end()) fail("axis " + std::to_string(a) + " is given twice");
    found.push_back(counted);
  }
  return found;
}

Value Call::emit(Layer layer, const std::vector<Value>& inputs, const std::string& weights) {
  bool constant = true, known = true;
  std::vector<Dims> shapes;
  for (const Value& value : inputs) {
    constant = constant && value.is_constant();
    known = known && graph_.is_known(value);
    if (known) shapes.push_back(graph_.shape_of(value));
    // The analysis has no empty arrays. Those of constants are folded before; what is left is a mistake.
    if (value.is_constant() && count_of(value.shape) == 0) fail("arrays must not be empty, got the shape " + to_string(value.shape));
  }
  Value result{.type = inputs.empty() ? 0 : inputs[0].type};
  // Checked here first: the network's own error would not name the operator.
  if (known) {
    const Result<Placement> placed = place(layer, shapes);
    if (!placed) fail(placed.error().message(), placed.error().code());
    result.shape = placed->shape;
  }
  if (!constant) {
    std::vector<int> nodes;
    nodes.reserve(inputs.size());
    for (const Value& value : inputs) nodes.push_back(graph_.node_of(value));
    result.node = graph_.net.add(std::move(layer), nodes, name(), weights);
    return result;
  }
  // Weights in another shape are the same weights. Weights that are computed from several have the name of the result.
  for (const Value& value : inputs) {
    if (value.weights.empty()) continue;
    result.weights = result.weights.empty() || result.weights == value.weights ? value.weights : output_name();
    if (!detail::checked_add(result.parameters, value.parameters, &result.parameters)) result.parameters = INT64_MAX;
  }
  return result;
}

Value Call::reshape(const Value& input, const Dims& shape) {
  const Dims from = graph_.shape_of(input);
  if (from == shape) return input;
  if (!input.is_constant()) return emit(Reshape{shape}, input);
  const Result<int64_t> count = checked_numel(shape);
  if (!count || *count != count_of(from))
    fail("the number of elements must not change, got " + to_string(from) + " and " + to_string(shape), ErrorCode::shape_mismatch);
  Value result = input;
  result.name.clear();
  result.shape = shape;
  return result;
}

Value Call::slice(const Value& input, int dim, int64_t begin, int64_t end, int64_t step) {
  const int64_t size = graph_.shape_of(input)[dim];
  if (begin == 0 && end == size && step == 1) return input;
  return emit(Slice{dim, begin, end, step}, input);
}

std::vector<int> Call::node_inputs() const {
  std::vector<int> nodes;
  for (const Value& value : values())
    if (!value.is_constant()) nodes.push_back(value.node);
  return nodes;
}

void Call::give(size_t output, Value value) {
  if (!wants(output)) return;
  graph_.define(node_.outputs[output], std::move(value), described());
  given_[output] = true;
}

void Call::unknown() {
  const int node = graph_.net.add(Unknown{function()}, node_inputs(), name());
  for (size_t i = 0; i < outputs(); ++i) give(i, Value{.node = node});
}

void Call::finish() {
  const std::vector<int> nodes = node_inputs();
  for (size_t i = 0; i < outputs(); ++i)
    if (wants(i) && !given_[i])
      graph_.define_unknown(node_.outputs[i], function() + ":" + std::to_string(i), nodes.empty() ? -1 : nodes[0], described());
}

Dims inserted(const Dims& shape, int at, int64_t size) {
  Dims result;
  for (int dim = 0; dim < shape.rank; ++dim) {
    if (dim == at) result.push_back(size);
    result.push_back(shape[dim]);
  }
  if (at == shape.rank) result.push_back(size);
  return result;
}

Dims erased(const Dims& shape, int at) {
  Dims result;
  for (int dim = 0; dim < shape.rank; ++dim)
    if (dim != at) result.push_back(shape[dim]);
  return result;
}

}  // namespace tidepool::inline v0_1::analyze::onnx
