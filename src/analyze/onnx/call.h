// One node of the ONNX graph while it is converted: its inputs, attributes and results.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/onnx/graph.h"
#include "tidepool/error.h"
#include "tidepool/extent.h"

namespace tidepool::inline v0_1::analyze::onnx {

// Everything that breaks a rule throws an Error with the node's name and operator.
class Call {
 public:
  Call(Graph& graph, const NodeProto& node) : graph_(graph), node_(node) {}

  // Inputs. One that is left out has no value.
  size_t inputs() const noexcept { return node_.inputs.size(); }
  bool has(size_t i) const noexcept { return i < node_.inputs.size() && !node_.inputs[i].empty(); }
  const Value& input(size_t i) const;
  Dims shape(size_t i) const { return graph_.shape_of(input(i)); }
  // All inputs that are not left out.
  std::vector<Value> values() const;
  // The elements of a constant input of integers in one dimension or none; nothing if they depend on data or are not known.
  std::optional<Ints> ints(size_t i) const;
  std::optional<Reals> reals(size_t i) const;

  // Attributes. Each throws if the attribute has another type.
  bool has_attribute(std::string_view name) const { return node_.find(name) != nullptr; }
  int64_t integer(std::string_view name, int64_t otherwise) const;
  std::string_view text(std::string_view name, std::string_view otherwise) const;
  std::optional<Ints> integers(std::string_view name) const;
  std::optional<Reals> reals(std::string_view name) const;
  const Attribute* attribute(std::string_view name, Attribute::Type type, std::string_view type_name) const;
  // One number for each spatial axis, or `otherwise` for all.
  Sizes sizes(std::string_view name, int axes, int64_t otherwise) const;
  // An axis counted from the end if it is negative.
  int axis(int64_t axis, int rank) const;
  std::vector<int> axes(const Ints& axes, int rank) const;
  // Axes, from the attribute in old opsets and from the input in new ones.
  std::optional<Ints> attribute_or_input(std::string_view attribute, size_t input, bool* depends_on_data) const;

  // Layers. The layer of constants is a constant, and no node.
  Value emit(Layer layer, const std::vector<Value>& inputs, const std::string& weights = {});
  Value emit(Layer layer, const Value& input) { return emit(std::move(layer), std::vector{input}); }
  Value reshape(const Value& input, const Dims& shape);  // the value itself if it has the shape
  Value slice(const Value& input, int dim, int64_t begin, int64_t end, int64_t step = 1);

  // Results.
  size_t outputs() const noexcept { return node_.outputs.size(); }
  bool wants(size_t output) const noexcept { return output < node_.outputs.size() && !node_.outputs[output].empty(); }
  void give(size_t output, Value value);
  void give(Value value) { give(0, std::move(value)); }
  // The whole operator as an Unknown layer.
  void unknown();
  // Defines the outputs that nothing was given for.
  void finish();

  [[noreturn]] void fail(const std::string& rule, ErrorCode code = ErrorCode::invalid_argument) const;

  Graph& graph() noexcept { return graph_; }
  const Graph& graph() const noexcept { return graph_; }
  const NodeProto& node() const noexcept { return node_; }
  int64_t opset() const noexcept { return graph_.opset(); }
  // The operator with its domain, if that is not ONNX's own.
  std::string function() const;
  // "node 'conv1' (Conv)"
  std::string described() const;
  // The name of the node, or of its first output if it has none.
  std::string name() const;
  std::string output_name() const;

 private:
  std::vector<int> node_inputs() const;

  Graph& graph_;
  const NodeProto& node_;
  std::vector<bool> given_ = std::vector<bool>(node_.outputs.size());
};

// Dims with one size more or less.
Dims inserted(const Dims& shape, int at, int64_t size);
Dims erased(const Dims& shape, int at);

}  // namespace tidepool::inline v0_1::analyze::onnx
