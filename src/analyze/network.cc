#include "tidepool/analyze/network.h"

#include <algorithm>

#include "analyze/placement.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

[[noreturn]] void fail(ErrorCode code, const std::string& message) { detail::throw_error({code, "analyze: " + message}); }

}  // namespace

int Network::input(std::string name, const Dims& shape) {
  for (int dim = 0; dim < shape.rank; ++dim)
    if (shape[dim] < 1 || shape[dim] > largest_size)
      fail(ErrorCode::invalid_argument, "sizes must be between 1 and " + std::to_string(largest_size) + ", got " +
                                            std::to_string(shape[dim]) + " (input '" + name + "', dimension " + std::to_string(dim) + ")");
  if (Result<int64_t> numel = checked_numel(shape); !numel) fail(numel.error().code(), "input '" + name + "': " + numel.error().message());
  Node node;
  node.layer = Input{};
  node.name = unique_name(std::move(name), node.layer);
  node.shape = shape;
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

int Network::constant(const Dims& shape, int64_t parameters, std::string name, std::string weights) {
  const int index = input(std::move(name), shape);
  Node& node = nodes_.back();
  node.layer = Constant{};
  node.parameters = parameters;
  node.weights = std::move(weights);
  return index;
}

int Network::add(Layer layer, const std::vector<int>& inputs, std::string name, std::string weights) {
  Node node;
  node.name = unique_name(std::move(name), layer);
  node.inputs = inputs;
  node.weights = std::move(weights);
  std::vector<Dims> shapes;
  for (const int input : inputs) {
    const Node& before = this->node(input);
    if (!before.is_known() && node.blocked_by < 0) node.blocked_by = before.blocked_by;
    shapes.push_back(before.shape);
  }
  if (std::holds_alternative<Unknown>(layer)) {
    node.blocked_by = static_cast<int>(nodes_.size());
  } else if (node.is_known()) {
    const Result<Placement> placed = place(layer, shapes);
    if (!placed) fail(placed.error().code(), "layer '" + node.name + "' (" + to_string(layer) + "): " + placed.error().message());
    node.shape = placed->shape;
    node.parameters = placed->parameters;
    node.multiply_adds = placed->multiply_adds;
  }
  node.layer = std::move(layer);
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

void Network::set_parameters(int node, int64_t parameters) {
  this->node(node);
  if (parameters < 0) fail(ErrorCode::invalid_argument, "parameters must not be negative, got " + std::to_string(parameters));
  nodes_[static_cast<size_t>(node)].parameters = parameters;
}

void Network::output(int node) {
  this->node(node);
  if (std::find(outputs_.begin(), outputs_.end(), node) == outputs_.end()) outputs_.push_back(node);
}

const Node& Network::node(int index) const {
  if (index < 0 || index >= static_cast<int>(nodes_.size()))
    fail(ErrorCode::out_of_range, "there is no node " + std::to_string(index) + ", the network has " + std::to_string(nodes_.size()));
  return nodes_[static_cast<size_t>(index)];
}

std::vector<int> Network::inputs() const {
  std::vector<int> found;
  for (size_t i = 0; i < nodes_.size(); ++i)
    if (std::holds_alternative<Input>(nodes_[i].layer)) found.push_back(static_cast<int>(i));
  return found;
}

std::vector<int> Network::outputs() const {
  if (!outputs_.empty()) return outputs_;
  std::vector<bool> read(nodes_.size());
  for (const Node& node : nodes_)
    for (const int input : node.inputs) read[static_cast<size_t>(input)] = true;
  std::vector<int> found;
  for (size_t i = 0; i < nodes_.size(); ++i)
    if (!read[i]) found.push_back(static_cast<int>(i));
  return found;
}

int Network::find(const std::string& name) const {
  for (size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].name == name) return static_cast<int>(i);
  fail(ErrorCode::invalid_argument, "there is no layer '" + name + "'");
}

// A name that is given twice gets a number: "head", "head_2". Without a name, the kind of the layer does: "conv1", "conv2".
std::string Network::unique_name(std::string name, const Layer& layer) {
  if (!name.empty() && names_.insert(name).second) return name;
  const std::string stem = name.empty() ? kind_of(layer) : name + "_";
  int64_t& count = numbers_[stem];
  if (!name.empty() && count == 0) count = 1;
  do {
    name = stem + std::to_string(++count);
  } while (!names_.insert(name).second);
  return name;
}

}  // namespace tidepool::inline v0_1::analyze
