// Chooses how a node is converted.
#include <algorithm>

#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

// A node behind an unknown layer: only listed. Its shape and weights are not known either.
void give_blocked(Call& call) {
  std::vector<Value> inputs;
  for (const Value& value : call.values())
    if (!value.is_constant()) inputs.push_back(value);
  const Value value = call.emit(Merge{Merge::Kind::other, call.function()}, inputs);
  for (size_t i = 0; i < call.outputs(); ++i) call.give(i, value);
}

void convert(Call& call) {
  const std::vector<Value> values = call.values();
  const auto is_known = [&](const Value& value) { return call.graph().is_known(value); };
  if (!std::all_of(values.begin(), values.end(), is_known)) return give_blocked(call);
  if (fold(call)) return;
  const Operator* op = find_operator(call.node().domain, call.node().op);
  if (op == nullptr) return call.unknown();
  op->convert(call);
}

}  // namespace

void add_node(Graph& graph, const NodeProto& node) {
  Call call(graph, node);
  try {
    convert(call);
    call.finish();
  } catch (const Error& error) {
    // What the core says does not name the node.
    if (error.message().starts_with("read_onnx: ")) throw;
    call.fail(error.message(), error.code());
  }
}

}  // namespace tidepool::inline v0_1::analyze::onnx
