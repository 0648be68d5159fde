// Runs activations and normalisations.
#include <string_view>

#include "nn/run_layer.h"

namespace tidepool::inline v0_1::nn::detail {
namespace {

Tensor relu6(const Tensor& x) { return relu(x) - relu(x - 6); }
Tensor hardsigmoid(const Tensor& x) { return relu6(x + 3) * (1.0 / 6); }

struct Activation {
  std::string_view name;
  Tensor (*function)(const Tensor& x);
};

// The functions of the text form and of trace.h, with PyTorch's default parameters.
constexpr Activation activations[] = {
    {"relu", relu},
    {"relu6", relu6},
    {"leaky_relu", [](const Tensor& x) { return leaky_relu(x); }},
    {"sigmoid", sigmoid},
    {"tanh", tanh},
    {"gelu", gelu},
    {"silu", [](const Tensor& x) { return x * sigmoid(x); }},
    {"hardswish", [](const Tensor& x) { return x * hardsigmoid(x); }},
    {"hardsigmoid", hardsigmoid},
    {"elu", [](const Tensor& x) { return relu(x) + exp(-relu(-x)) - 1; }},
    {"softplus", [](const Tensor& x) { return relu(x) + log(exp(-relu(x) - relu(-x)) + 1); }},
    {"neg", neg},
    {"exp", exp},
    {"identity", [](const Tensor& x) { return x; }},
};

}  // namespace

Tensor run(const LayerRun& run, const analyze::Elementwise& layer) {
  const Tensor& x = run.x[0];
  if (run.structural || layer.kind != analyze::Elementwise::Kind::activation) return x;
  for (const Activation& activation : activations)
    if (activation.name == layer.function) return activation.function(x);
  run.refuse();
}

Tensor run(const LayerRun& run, const analyze::StatisticsNorm& layer) {
  const Tensor& x = run.x[0];
  if (run.structural) return x;
  std::vector<int> dims;
  if (layer.function == "layer_norm" || layer.function == "group_norm")  // of one group
    for (int dim = 1; dim < x.rank(); ++dim) dims.push_back(dim);
  else if (layer.function == "instance_norm")
    for (int dim = 2; dim < x.rank(); ++dim) dims.push_back(dim);
  else if (layer.function == "batch_norm")
    for (int dim = 0; dim < x.rank(); ++dim) {
      if (dim != 1) dims.push_back(dim);
    }
  if (dims.empty()) run.refuse();
  const Tensor centred = x - mean(x, dims, true);
  return centred * pow(mean(centred * centred, dims, true) + 1e-5, -0.5);
}

}  // namespace tidepool::inline v0_1::nn::detail
