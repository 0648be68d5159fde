// Functions of one value that keep every element in its place.
#include <algorithm>
#include <iterator>

#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

struct Function {
  std::string_view op, function;
  bool saves_output = false;  // its derivative is computed from the output
};

constexpr Function functions[] = {
    {"Relu", "relu", true},
    {"LeakyRelu", "leaky_relu", true},
    {"ThresholdedRelu", "thresholded_relu"},
    {"Sigmoid", "sigmoid", true},
    {"Tanh", "tanh", true},
    {"Elu", "elu", true},
    {"Celu", "celu", true},
    {"Selu", "selu", true},
    {"Gelu", "gelu"},
    {"FastGelu", "gelu"},
    {"QuickGelu", "gelu"},
    {"Mish", "mish"},
    {"Swish", "silu"},
    {"HardSigmoid", "hardsigmoid", true},
    {"HardSwish", "hardswish"},
    {"Softplus", "softplus"},
    {"Softsign", "softsign"},
    {"Shrink", "shrink"},
    {"Clip", "clip"},
    {"Abs", "abs"},
    {"Neg", "neg"},
    {"Exp", "exp", true},
    {"Log", "log"},
    {"Sqrt", "sqrt", true},
    {"Reciprocal", "reciprocal", true},
    {"Sin", "sin"},
    {"Cos", "cos"},
    {"Tan", "tan"},
    {"Asin", "asin"},
    {"Acos", "acos"},
    {"Atan", "atan"},
    {"Sinh", "sinh"},
    {"Cosh", "cosh"},
    {"Asinh", "asinh"},
    {"Acosh", "acosh"},
    {"Atanh", "atanh"},
    {"Erf", "erf"},
    {"Sign", "sign"},
    {"Floor", "floor"},
    {"Ceil", "ceil"},
    {"Round", "round"},
    {"IsNaN", "is_nan"},
    {"IsInf", "is_inf"},
    {"Not", "not"},
    {"BitwiseNot", "bitwise_not"},
    {"Bernoulli", "bernoulli"},
    {"Trilu", "trilu"},
    {"QLinearSigmoid", "sigmoid", true},
    {"QLinearLeakyRelu", "leaky_relu", true},
};

void function(Call& call) {
  const std::string_view op = call.node().op;
  const auto* found = std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.op == op; });
  // FastGelu of ONNX Runtime adds a bias first.
  if (op == "FastGelu" && call.has(1)) return call.unknown();
  const bool is_relu6 = op == "Clip" && call.has(1) && call.has(2) && call.input(1).numbers && call.input(2).numbers &&
                        *call.input(1).numbers == Numbers(Reals{0}) && *call.input(2).numbers == Numbers(Reals{6});
  call.give(call.emit(Elementwise{.kind = Elementwise::Kind::activation,
                                  .function = is_relu6 ? "relu6" : std::string(found->function),
                                  .saves_output = found->saves_output || is_relu6},
                      call.input(0)));
}

void dropout(Call& call) {
  call.give(0, call.emit(Elementwise{.kind = Elementwise::Kind::dropout, .function = "dropout"}, call.input(0)));
  // The mask is all ones when nothing is dropped.
  if (call.wants(1)) call.give(1, Value{.shape = call.shape(0), .type = type_bool});
}

void same(Call& call) { call.give(identity(call, call.input(0), call.node().op == "Identity" ? "identity" : "cast")); }

constexpr auto operators = [] {
  std::array<Operator, std::size(functions) + 4> all{};
  for (size_t i = 0; i < std::size(functions); ++i) all[i] = {functions[i].op, function};
  all[std::size(functions)] = {"Dropout", dropout};
  all[std::size(functions) + 1] = {"Identity", same};
  all[std::size(functions) + 2] = {"Cast", same};
  all[std::size(functions) + 3] = {"CastLike", same};
  return all;
}();

}  // namespace

Value identity(Call& call, const Value& input, std::string_view function) {
  if (input.is_constant()) return input;
  return call.emit(Elementwise{.kind = Elementwise::Kind::identity, .function = std::string(function)}, input);
}

std::span<const Operator> unary_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
