// The table of all operators.
#include "analyze/onnx/operators.h"

#include <map>

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

std::map<std::string_view, Operator> make_table() {
  std::map<std::string_view, Operator> table;
  for (const auto& family : {convolution_operators(), pooling_operators(), resize_operators(), product_operators(), unary_operators(),
                             binary_operators(), normalisation_operators(), reduction_operators(), shape_operators(), slice_operators(),
                             arrangement_operators(), quantised_operators()})
    for (const Operator& op : family) table.emplace(op.op, op);
  return table;
}

struct WeightInputs {
  std::string_view op;
  size_t first, last;
};

constexpr WeightInputs weight_inputs[] = {
    {"Conv", 1, 2},
    {"ConvTranspose", 1, 2},
    {"ConvInteger", 1, 3},
    {"QLinearConv", 1, 8},
    {"BatchNormalization", 1, 4},
    {"InstanceNormalization", 1, 2},
    {"LayerNormalization", 1, 2},
    {"GroupNormalization", 1, 2},
    {"RMSNormalization", 1, 1},
    {"PRelu", 1, 1},
    {"QuantizeLinear", 1, 2},
    {"DequantizeLinear", 1, 2},
    // Not weights, but no data either.
    {"Clip", 1, 2},
    {"Dropout", 1, 2},
};

}  // namespace

const Operator* find_operator(std::string_view domain, std::string_view op) {
  static const auto& table = *new auto(make_table());  // never destroyed, because static destructors may still read files
  const bool microsoft = domain == "com.microsoft";    // ONNX Runtime's own; quantised.cc has those that are converted
  if (!microsoft && !domain.empty() && domain != "ai.onnx") return nullptr;
  const auto found = table.find(op);
  if (found == table.end()) return nullptr;
  // Operators of both domains may share a name but not a meaning.
  const bool is_microsofts = op == "QLinearAdd" || op == "QLinearMul" || op == "QLinearSigmoid" || op == "QLinearLeakyRelu" ||
                             op == "QLinearGlobalAveragePool" || op == "FastGelu" || op == "QuickGelu";
  const bool in_both = op == "Gelu";
  return microsoft == is_microsofts || in_both ? &found->second : nullptr;
}

bool is_weight(std::string_view op, size_t input) {
  for (const WeightInputs& known : weight_inputs)
    if (known.op == op) return input >= known.first && input <= known.last;
  return false;
}

}  // namespace tidepool::inline v0_1::analyze::onnx
