// Definitions and look-ups of names.
#include "analyze/onnx/graph.h"

#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze::onnx {

void Graph::define(std::string_view name, Value value, const std::string& by) {
  if (value.name.empty()) value.name = name;
  if (!values_.emplace(name, Named{.value = std::move(value)}).second)
    detail::throw_error({ErrorCode::parse, "read_onnx: " + by + ": the name '" + shown(name) + "' is defined twice"});
}

void Graph::define_unknown(std::string_view name, const std::string& function, int behind, const std::string& by) {
  define(name, {}, by);
  Named& named = values_.find(name)->second;
  named.unknown = function;
  named.behind = behind;
}

const Value* Graph::find(std::string_view name) {
  const auto found = values_.find(name);
  if (found == values_.end()) return nullptr;
  Named& named = found->second;
  if (!named.unknown.empty()) {
    const std::vector<int> inputs = named.behind < 0 ? std::vector<int>() : std::vector{named.behind};
    named.value.node = net.add(Unknown{std::exchange(named.unknown, {})}, inputs, shown(name));
  }
  return &named.value;
}

Value Graph::constant(const Dims& shape, int64_t type, Numbers numbers) {
  Value value{.shape = shape, .type = type};
  numbers_left_ -= count_of(shape);
  if (numbers_left_ >= 0) value.numbers = std::make_shared<const Numbers>(std::move(numbers));
  return value;
}

int Graph::node_of(const Value& value) {
  if (!value.is_constant()) return value.node;
  if (const auto found = constants_.find(value.name); found != constants_.end() && !value.name.empty()) return found->second;
  const int node = net.constant(value.shape, value.parameters, shown(value.name), value.weights);
  if (!value.name.empty()) constants_[value.name] = node;
  return node;
}

}  // namespace tidepool::inline v0_1::analyze::onnx
