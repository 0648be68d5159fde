// Functions of several values at the same place, with broadcasting.
#include <algorithm>
#include <array>
#include <iterator>

#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

struct Function {
  std::string_view op, function;
  Merge::Kind kind = Merge::Kind::other;
};

constexpr Function functions[] = {
    {"Add", "add", Merge::Kind::add},
    {"Sub", "sub", Merge::Kind::add},
    {"Sum", "add", Merge::Kind::add},
    {"Mean", "mean", Merge::Kind::add},
    {"Mul", "mul", Merge::Kind::multiply},
    {"Div", "div"},
    {"Pow", "pow"},
    {"Mod", "mod"},
    {"Max", "max"},
    {"Min", "min"},
    {"Equal", "equal"},
    {"Greater", "greater"},
    {"GreaterOrEqual", "greater_or_equal"},
    {"Less", "less"},
    {"LessOrEqual", "less_or_equal"},
    {"And", "and"},
    {"Or", "or"},
    {"Xor", "xor"},
    {"BitShift", "bit_shift"},
    {"BitwiseAnd", "bitwise_and"},
    {"BitwiseOr", "bitwise_or"},
    {"BitwiseXor", "bitwise_xor"},
    {"Where", "where"},
};

// Before opset 7, the second input is put along the dimensions from `axis` on.
Value placed_along(Call& call, const Value& value, const Dims& first, int64_t axis) {
  Dims shape = call.graph().shape_of(value);
  const int at = call.axis(axis, first.rank);
  if (at + shape.rank > first.rank) call.fail("axis " + std::to_string(axis) + " leaves no place for " + to_string(shape));
  while (at + shape.rank < first.rank) shape.push_back(1);
  return call.reshape(value, shape);
}

// A constant that is the same for all elements needs no node.
bool is_scalar(const Value& value, int rank) { return value.is_constant() && count_of(value.shape) == 1 && value.shape.rank <= rank; }

void merge(Call& call) {
  const std::string_view op = call.node().op;
  const auto* found = std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.op == op; });
  std::vector<Value> values = call.values();
  if (values.empty()) call.fail("inputs are missing");
  if (call.opset() < 7 && values.size() == 2 && call.has_attribute("axis"))
    values[1] = placed_along(call, values[1], call.shape(0), call.integer("axis", 0));
  int rank = 0;
  for (const Value& value : values) rank = std::max(rank, value.is_constant() ? 0 : call.graph().shape_of(value).rank);
  std::vector<Value> needed;
  for (const Value& value : values)
    if (!is_scalar(value, rank)) needed.push_back(value);
  if (needed.size() == 1 && values.size() > 1 && !needed[0].is_constant())
    return call.give(call.emit(Elementwise{.kind = Elementwise::Kind::activation, .function = std::string(found->function)}, needed[0]));
  call.give(call.emit(Merge{found->kind, std::string(found->function)}, needed.empty() ? values : needed));
}

// One slope for each channel, or of any shape that broadcasts.
void prelu(Call& call) {
  const Dims shape = call.shape(0), slope = call.shape(1);
  int wide = -1;  // the dimension of the input that the slopes vary along, if it is one
  int wides = 0;
  for (int dim = 0; dim < slope.rank; ++dim)
    if (slope[dim] > 1) wide = shape.rank - slope.rank + dim, ++wides;
  // Before opset 7 a list of slopes is one for each channel.
  const bool listed = call.opset() < 7 && slope.rank == 1 && shape.rank > 1 && slope[0] == shape[1];
  if (call.input(1).is_constant() && shape.rank > 1 && count_of(slope) == shape[1] && (listed || (wides == 1 && wide == 1)))
    return call.give(call.emit(Elementwise{.kind = Elementwise::Kind::activation, .function = "prelu", .parameters_per_channel = 1},
                               {call.input(0)}, call.input(1).weights));
  Value slopes = call.input(1);
  if (slopes.is_constant()) slopes.parameters = count_of(slope);  // trained, even if it is only one
  call.give(call.emit(Merge{Merge::Kind::other, "prelu"}, {call.input(0), slopes}));
}

constexpr auto operators = [] {
  std::array<Operator, std::size(functions) + 1> all{};
  for (size_t i = 0; i < std::size(functions); ++i) all[i] = {functions[i].op, merge};
  all[std::size(functions)] = {"PRelu", prelu};
  return all;
}();

}  // namespace

std::span<const Operator> binary_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
