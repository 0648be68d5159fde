// Operators of quantised networks: the same layers with scales and zero points, which are left out.
#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

void quantise(Call& call) {
  const Value& value = call.input(0);
  // Weights that are stored in few bits are weights.
  if (value.is_constant()) {
    Value constant = value;
    constant.type = type_f32;
    constant.numbers = nullptr;
    return call.give(constant);
  }
  const std::string function = call.node().op == "DequantizeLinear" ? "dequantize" : "quantize";
  call.give(call.emit(Elementwise{.kind = Elementwise::Kind::activation, .function = function}, value));
}

// x, scale, zero point, weights, scale, zero point, scale, zero point, bias
void qlinear_conv(Call& call) {
  const Value* bias = call.has(8) ? &call.input(8) : nullptr;
  if (!call.input(3).is_constant() || (bias != nullptr && !bias->is_constant())) return call.unknown();
  call.give(convolution(call, call.input(0), call.input(3), bias));
}

// x, weights, zero points
void conv_integer(Call& call) {
  if (!call.input(1).is_constant()) return call.unknown();
  call.give(convolution(call, call.input(0), call.input(1), nullptr));
}

// a, scale, zero point, b, scale, zero point, scale, zero point
void qlinear_matmul(Call& call) { call.give(matrix_product(call, call.input(0), call.input(3))); }

void qlinear_add(Call& call) { call.give(call.emit(Merge{Merge::Kind::add, "add"}, {call.input(0), call.input(3)})); }
void qlinear_mul(Call& call) { call.give(call.emit(Merge{Merge::Kind::multiply, "mul"}, {call.input(0), call.input(3)})); }

constexpr Operator operators[] = {
    {"QuantizeLinear", quantise},  {"DequantizeLinear", quantise},    {"DynamicQuantizeLinear", quantise}, {"QLinearConv", qlinear_conv},
    {"ConvInteger", conv_integer}, {"QLinearMatMul", qlinear_matmul}, {"QLinearAdd", qlinear_add},         {"QLinearMul", qlinear_mul},
};

}  // namespace

std::span<const Operator> quantised_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
