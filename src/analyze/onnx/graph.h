// The network under construction, and what the names of the ONNX graph stand for.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "analyze/onnx/model.h"
#include "analyze/onnx/value.h"
#include "tidepool/analyze/network.h"
#include "tidepool/analyze/onnx.h"

namespace tidepool::inline v0_1::analyze::onnx {

class Graph {
 public:
  explicit Graph(const Model& model) : model_(model) {}

  // Throws Error if the name has a value.
  void define(std::string_view name, Value value, const std::string& by);
  // An output that an operator leaves to no layer: it becomes an Unknown layer when something reads it.
  void define_unknown(std::string_view name, const std::string& function, int behind, const std::string& by);
  // Null if nothing has this name.
  const Value* find(std::string_view name);

  // A constant with these elements. They are dropped if the file makes too many of them.
  Value constant(const Dims& shape, int64_t type, Numbers numbers);
  bool computes() const noexcept { return numbers_left_ > 0; }
  // The node of a value: for a constant, one that is added when it is needed first.
  int node_of(const Value& value);
  // The value's shape; only of constants and nodes that are known.
  Dims shape_of(const Value& value) const { return value.is_constant() ? value.shape : net.node(value.node).shape; }
  bool is_known(const Value& value) const { return value.is_constant() || net.node(value.node).is_known(); }

  const Model& model() const noexcept { return model_; }
  int64_t opset() const noexcept { return model_.opset; }

  Network net;

 private:
  struct Named {
    Value value = {};
    std::string unknown = {};  // the function of the Unknown layer that is still to be added
    int behind = -1;           // its input
  };

  const Model& model_;
  std::map<std::string_view, Named> values_;
  std::map<std::string, int> constants_;  // nodes of constants, by name
  int64_t numbers_left_ = int64_t{1} << 20;
};

// Inputs and initializers of the file, in inputs.cc.
void define_inputs(Graph& graph, const OnnxOptions& options);

}  // namespace tidepool::inline v0_1::analyze::onnx
