// Sums, means and the like over whole dimensions.
#include <algorithm>
#include <array>
#include <iterator>

#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

struct Function {
  std::string_view op, function;
};

constexpr Function functions[] = {
    {"ReduceMean", "mean"},
    {"ReduceSum", "sum"},
    {"ReduceMax", "max"},
    {"ReduceMin", "min"},
    {"ReduceProd", "prod"},
    {"ReduceL1", "l1"},
    {"ReduceL2", "l2"},
    {"ReduceLogSum", "log_sum"},
    {"ReduceLogSumExp", "log_sum_exp"},
    {"ReduceSumSquare", "sum_square"},
};

void reduce(Call& call) {
  const std::string_view op = call.node().op;
  const auto* found = std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.op == op; });
  const Dims shape = call.shape(0);
  bool depends_on_data = false;
  const auto listed = call.attribute_or_input("axes", 1, &depends_on_data);
  if (depends_on_data) return call.unknown();
  if ((!listed || listed->empty()) && call.integer("noop_with_empty_axes", 0) != 0)
    return call.give(identity(call, call.input(0), "identity"));
  Reduce layer{.function = std::string(found->function), .dims = {}, .keepdim = call.integer("keepdims", 1) != 0};
  if (listed && !listed->empty())
    layer.dims = call.axes(*listed, shape.rank);
  else
    for (int dim = 0; dim < shape.rank; ++dim) layer.dims.push_back(dim);
  std::sort(layer.dims.begin(), layer.dims.end());
  call.give(call.emit(layer, call.input(0)));
}

void arg(Call& call) {
  const int axis = call.axis(call.integer("axis", 0), call.shape(0).rank);
  call.give(call.emit(Reduce{call.node().op == "ArgMax" ? "argmax" : "argmin", {axis}, call.integer("keepdims", 1) != 0}, call.input(0)));
}

constexpr auto operators = [] {
  std::array<Operator, std::size(functions) + 2> all{};
  for (size_t i = 0; i < std::size(functions); ++i) all[i] = {functions[i].op, reduce};
  all[std::size(functions)] = {"ArgMax", arg};
  all[std::size(functions) + 1] = {"ArgMin", arg};
  return all;
}();

}  // namespace

std::span<const Operator> reduction_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
