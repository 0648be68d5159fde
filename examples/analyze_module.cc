// From a module to its analysis: what forward does is followed, skip connections too, and gradients prove the computed fields.
#include <tidepool/analyze.h>
#include <tidepool/nn.h>

#include <iomanip>
#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

// An encoder and a decoder that meet twice, as in a U-Net.
struct SmallUNet : nn::Module {
  nn::Conv2d& enter = add("enter", nn::Conv2d(1, 8, 3, 1, 1));
  nn::Conv2d& bottom = add("bottom", nn::Conv2d(8, 8, 3, {.padding = 2, .dilation = 2}));
  nn::ConvTranspose2d& up = add("up", nn::ConvTranspose2d(8, 8, 2, 2));
  nn::Conv2d& leave = add("leave", nn::Conv2d(16, 2, 3, 1, 1));

  tp::Tensor forward(const tp::Tensor& x) override {
    auto wide = tp::relu(enter(x));
    auto deep = tp::relu(bottom(tp::max_pool2d(wide, 2)));
    return leave(tp::concat({wide, up(deep)}, 1));
  }
};

int main() {
  tp::manual_seed(1);
  SmallUNet net;
  const tp::analyze::Network layers = nn::network_of(net, {1, 1, 32, 32});
  std::cout << tp::analyze::to_table(layers, tp::analyze::analyze(layers)) << "\n";

  // The gradient of one cell of every layer with respect to the input, against the computed field.
  for (size_t node = 1; node < layers.nodes().size(); ++node) {
    const tp::Dims& shape = layers.nodes()[node].shape;
    const nn::Proof proof = nn::prove(layers, static_cast<int>(node), {shape[2] / 2, shape[3] / 2});
    std::cout << std::left << std::setw(18) << layers.nodes()[node].name << std::right << std::setw(4) << proof.inputs[0].with_gradient
              << " cells with gradient, " << std::setw(3) << proof.inputs[0].computed << " computed, "
              << (proof.equal ? "the same ones\n" : "others\n");
  }

  // Where the gradient is large (Luo et al. 2016): the skip connection makes the middle count most.
  const nn::EffectiveField field = nn::effective_field(layers, layers.outputs()[0], {16, 16}, {.runs = 8})[0];
  double middle = 0;
  for (int64_t row = 14; row < 19; ++row)
    for (int64_t column = 14; column < 19; ++column) middle += field.shares[static_cast<size_t>(row * 32 + column)];
  std::cout << "the 25 cells in the middle have " << std::fixed << std::setprecision(0) << middle * 100 << " % of the gradient\n";
}
