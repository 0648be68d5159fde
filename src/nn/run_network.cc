#include "tidepool/nn/run_network.h"

#include <map>
#include <string>
#include <variant>

#include "core/checked.h"
#include "nn/check.h"
#include "nn/run_layer.h"
#include "tidepool/autograd.h"

namespace tidepool::inline v0_1::nn {
namespace {

using analyze::Network;
using analyze::Node;

constexpr int64_t most_values = int64_t{1} << 29;         // of all activations and weights: 2 GB
constexpr int64_t most_multiply_adds = int64_t{1} << 40;  // about a minute

[[noreturn]] void refuse(ErrorCode code, const std::string& message) { throw Error(code, "run_network: " + message); }

// The nodes that `node` depends on, itself among them.
std::vector<bool> needed_by(const Network& network, int node) {
  network.node(node);  // throws if there is none
  std::vector<bool> needed(network.nodes().size());
  needed[static_cast<size_t>(node)] = true;
  for (int at = node; at >= 0; --at)
    if (needed[static_cast<size_t>(at)])
      for (const int input : network.node(at).inputs) needed[static_cast<size_t>(input)] = true;
  return needed;
}

}  // namespace

void detail::check_can_run(const Network& network, int last) {
  const std::vector<bool> needed = needed_by(network, last);
  int64_t values = 0, multiply_adds = 0;
  for (size_t at = 0; at < needed.size(); ++at) {
    const Node& node = network.nodes()[at];
    if (!needed[at] && !std::holds_alternative<analyze::Input>(node.layer)) continue;
    if (!node.is_known()) {
      const Node& unknown = network.node(node.blocked_by);
      refuse(ErrorCode::unsupported, "layer '" + unknown.name + "' (" + to_string(unknown.layer) + ") cannot be run");
    }
    if (!tidepool::detail::checked_add(values, checked_numel(node.shape).value(), &values) ||
        !tidepool::detail::checked_add(values, node.parameters, &values) || values > most_values)
      refuse(ErrorCode::unsupported, "activations and weights must be at most " + std::to_string(most_values) +
                                         " numbers, got more up to layer '" + node.name + "'");
    if (!tidepool::detail::checked_add(multiply_adds, node.multiply_adds, &multiply_adds) || multiply_adds > most_multiply_adds)
      refuse(ErrorCode::unsupported,
             "multiply-adds must be at most " + std::to_string(most_multiply_adds) + ", got more up to layer '" + node.name + "'");
  }
}

namespace {

// x, with a backward pass that replaces every gradient other than 0 by 1.
Tensor with_unit_gradient(const Tensor& x) {
  return record("unit_gradient", {x}, x.detach(), [](const Tensor& g) { return Gradients{ne(g, 0.0).to(DType::f32)}; });
}

Tensor compute(const detail::LayerRun& run) {
  return std::visit(
      [&](const auto& layer) -> Tensor {
        if constexpr (requires { detail::run(run, layer); })
          return detail::run(run, layer);
        else
          run.refuse();
      },
      run.node.layer);
}

Tensor constant(const Node& node, uint64_t seed, bool structural) { return structural ? ones(node.shape) : rand(node.shape, seed) * 2 - 1; }

}  // namespace

void detail::LayerRun::refuse(const std::string& what) const {
  nn::refuse(ErrorCode::unsupported,
             "layer '" + node.name + "' (" + to_string(node.layer) + ") cannot be run" + (what.empty() ? "" : ": " + what));
}

void detail::LayerRun::check_size(const Dims& shape) const {
  if (const Result<int64_t> numel = checked_numel(shape); !numel || *numel > most_values)
    refuse("it takes an array of " + to_string(shape) + ", more than " + std::to_string(most_values) + " numbers");
}

Tensor run_network(const Network& network, int node, const std::vector<Tensor>& inputs, const RunOptions& options) {
  detail::check_can_run(network, node);
  const std::vector<int> input_nodes = network.inputs();
  if (inputs.size() != input_nodes.size())
    refuse(ErrorCode::invalid_argument,
           "inputs must be " + std::to_string(input_nodes.size()) + ", as many as the network has, got " + std::to_string(inputs.size()));
  const std::vector<bool> needed = needed_by(network, node);
  std::vector<Tensor> values(network.nodes().size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Node& input = network.node(input_nodes[i]);
    detail::check_f32("run_network", "input", inputs[i]);
    if (inputs[i].shape() != input.shape)
      refuse(ErrorCode::shape_mismatch,
             "input '" + input.name + "' must have shape " + to_string(input.shape) + ", got " + to_string(inputs[i].shape()));
    values[static_cast<size_t>(input_nodes[i])] = inputs[i];
  }
  std::map<std::string, size_t> owners;  // the first node with the weights
  for (size_t at = 0; at < needed.size(); ++at) {
    const Node& layer = network.nodes()[at];
    const size_t owner = layer.weights.empty() ? at : owners.try_emplace(layer.weights, at).first->second;
    if (!needed[at]) continue;
    if (!std::holds_alternative<analyze::Input>(layer.layer)) {
      const uint64_t seed = options.seed * 1000003 + owner;
      if (std::holds_alternative<analyze::Constant>(layer.layer)) {
        values[at] = constant(layer, seed, options.structural);
        continue;
      }
      detail::LayerRun run{.node = layer, .x = {}, .seed = seed, .structural = options.structural};
      for (const int input : layer.inputs) run.x.push_back(values[static_cast<size_t>(input)]);
      values[at] = compute(run);
    }
    if (options.structural) values[at] = with_unit_gradient(values[at]);
  }
  return values[static_cast<size_t>(node)];
}

}  // namespace tidepool::inline v0_1::nn
