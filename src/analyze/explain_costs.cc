#include <string>
#include <vector>

#include "analyze/explain.h"
#include "analyze/numbers.h"
#include "analyze/placement.h"
#include "core/checked.h"

namespace tidepool::inline v0_1::analyze {

namespace {

std::string product_text(const std::vector<int64_t>& factors) {
  std::string text;
  for (const int64_t factor : factors) text += (text.empty() ? "" : " × ") + grouped(factor);
  return text;
}

int64_t product(const std::vector<int64_t>& factors) {
  int64_t all = 1;
  for (const int64_t factor : factors)
    if (!detail::checked_mul(all, factor, &all)) return -1;
  return all;
}

const Dims& input_shape(const Network& network, int node) { return network.node(network.node(node).inputs.at(0)).shape; }

// The factors of the number of weights, without biases; empty for layers without weights.
std::vector<int64_t> weight_factors(const Network& network, int node) {
  const Node& layer = network.node(node);
  std::vector<int64_t> factors;
  const auto kernel = [&](const Sizes& sizes) {
    for (int axis = 0; axis + 2 < layer.shape.rank; ++axis) factors.push_back(sizes[axis]);
  };
  if (const auto* conv = std::get_if<Conv>(&layer.layer)) {
    factors = {conv->out_channels, input_shape(network, node)[1] / conv->groups};
    kernel(conv->kernel_size);
  } else if (const auto* transposed = std::get_if<ConvTranspose>(&layer.layer)) {
    factors = {input_shape(network, node)[1], transposed->out_channels / transposed->groups};
    kernel(transposed->kernel_size);
  } else if (const auto* linear = std::get_if<Linear>(&layer.layer)) {
    factors = {input_shape(network, node)[-1], linear->out_features};
  }
  return factors;
}

int64_t biases(const Layer& layer) {
  if (const auto* conv = std::get_if<Conv>(&layer)) return conv->bias ? conv->out_channels : 0;
  if (const auto* transposed = std::get_if<ConvTranspose>(&layer)) return transposed->bias ? transposed->out_channels : 0;
  if (const auto* linear = std::get_if<Linear>(&layer)) return linear->bias ? linear->out_features : 0;
  return 0;
}

// "(224 + 3 + 3 − 7) / 2 + 1 = 112, rounded down"
std::string size_formula(const Axis& axis) {
  const int64_t extent = (axis.kernel() - 1) * axis.dilation() + 1;
  const std::string n = std::to_string(axis.input());
  std::string text = axis.pad_before() == 0 && axis.pad_after() == 0
                         ? "(" + n
                         : "(" + n + " + " + std::to_string(axis.pad_before()) + " + " + std::to_string(axis.pad_after());
  text += " − " + std::to_string(extent) + ") / " + std::to_string(axis.stride()) + " + 1 = " + std::to_string(axis.output());
  const int64_t room = axis.input() + axis.pad_before() + axis.pad_after() - extent;
  const bool down = room >= 0 && room / axis.stride() + 1 == axis.output();
  const bool exact = room % axis.stride() == 0;
  return text + (exact ? "" : down ? ", rounded down" : ", rounded up");
}

}  // namespace

std::string shape_text(const Dims& shape) {
  std::vector<int64_t> sizes;
  for (int dim = shape.rank > 1 ? 1 : 0; dim < shape.rank; ++dim) sizes.push_back(shape[dim]);
  std::string text;
  for (const int64_t size : sizes) text += (text.empty() ? "" : " × ") + std::to_string(size);
  return text.empty() ? "1" : text;
}

int64_t features_of(const Dims& shape) { return shape.rank == 0 ? 1 : shape[shape.rank > 1 ? 1 : 0]; }

std::string explain_shape(const Network& network, int node) {
  const Node& layer = network.node(node);
  const Dims& shape = layer.shape;
  if (shape.rank < 3) return grouped(features_of(shape)) + (features_of(shape) == 1 ? " value." : " values for each sample.");
  std::vector<int64_t> sides;
  for (int dim = 2; dim < shape.rank; ++dim) sides.push_back(shape[dim]);
  std::string text = grouped(shape[1]) + (shape[1] == 1 ? " channel of " : " channels of ") + product_text(sides) + " cells.";
  if (layer.inputs.size() != 1) return text;
  const Dims& input = input_shape(network, node);
  if (input == shape) return text + " The same as before this layer.";
  if (!std::holds_alternative<Conv>(layer.layer) && !std::holds_alternative<Pool>(layer.layer)) return text;
  const Placement placed = placement_of(network, layer);
  std::string last;
  for (int dim = 2; dim < input.rank; ++dim) {
    const DimReads& reads = placed.reads[0][static_cast<size_t>(dim)];
    if (!reads.map.is<WindowReads>()) continue;
    const std::string formula = size_formula(std::get<WindowReads>(reads.map.reads()).axis);
    if (formula != last) text += (last.empty() ? " (input + padding − window) / stride + 1: " : "; ") + formula;
    last = formula;
  }
  return text + (last.empty() ? "" : ".");
}

std::string explain_parameters(const Network& network, int node) {
  const Node& layer = network.node(node);
  if (layer.parameters == 0) return "Nothing is trained in this layer.";
  const std::vector<int64_t> factors = weight_factors(network, node);
  const int64_t bias = biases(layer.layer);
  std::string text = grouped(layer.parameters) + " trained values";
  if (!factors.empty() && product(factors) >= 0 && product(factors) + bias == layer.parameters)
    text += ": " + product_text(factors) + " weights" + (bias > 0 ? " and " + grouped(bias) + " biases" : ", no bias");
  else if (const auto* norm = std::get_if<Elementwise>(&layer.layer); norm != nullptr && norm->parameters_per_channel > 0)
    text += ": " + grouped(norm->parameters_per_channel) + " for each channel";
  return text + "." + (layer.weights.empty() ? "" : " Layers that share them count them once.");
}

std::string explain_multiply_adds(const Network& network, int node) {
  const Node& layer = network.node(node);
  if (layer.multiply_adds == 0) return "This layer multiplies no weights.";
  const std::vector<int64_t> factors = weight_factors(network, node);
  const int64_t weights = factors.empty() ? -1 : product(factors);
  std::string text = grouped(layer.multiply_adds) + " multiplications, each with an addition";
  if (weights > 0 && layer.multiply_adds % weights == 0)
    text += ": " + grouped(weights) + " weights at " + grouped(layer.multiply_adds / weights) +
            (layer.multiply_adds == weights ? " position" : " positions");
  return text + ".";
}

std::string explain_memory(const Network& network, const Report& report, int node) {
  const LayerReport& layer = report.layers[static_cast<size_t>(node)];
  std::vector<int64_t> sizes(network.node(node).shape.begin(), network.node(node).shape.end());
  std::string text = layer.output_bytes == 0 ? "The output is the memory of the input under another shape."
                                             : "The output has " + (sizes.empty() ? "1" : product_text(sizes)) + " numbers, " +
                                                   grouped(layer.output_bytes) + " bytes.";
  if (layer.saved_bytes > 0) text += " Training keeps " + short_bytes(layer.saved_bytes) + " more for the backward pass.";
  if (layer.moved_bytes > 0)
    text += " Reading the input and the parameters and writing the output moves " + short_bytes(layer.moved_bytes) + ", " +
            short_seconds(layer.seconds) + " at the speed of memory.";
  return text;
}

}  // namespace tidepool::inline v0_1::analyze
