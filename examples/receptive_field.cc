// How many input cells along one side an output depends on, at every depth of a network: 3→6→12→24→48 channels, each step a 3×3
// convolution with padding 1, a ReLU and a 2×2 pool, on 3×64×64.
#include <tidepool/nn.h>

#include <iomanip>
#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

// Measures the receptive field: counts the input rows that receive a gradient from one output in the middle.
double rows_with_gradient(const tp::Tensor& y, const tp::Tensor& input) {
  const int64_t middle = y.shape()[2] / 2 - 1;
  auto gradient = tp::grad(y[0][0][middle][middle], {input}, {.retain_graph = true})[0];
  auto rows = tp::sum(gradient[0][0], {1}) > 0;
  return tp::sum(rows.to(tp::DType::f32)).item();
}

int main() {
  auto input = tp::ones({1, 3, 64, 64}).set_requires_grad();
  int64_t field = 1, jump = 1, shortcut = 1, all = 0;  // jump: input cells from one output to its neighbour
  const auto report = [&](const char* name, int depth, const tp::Tensor& y, int64_t parameters) {
    std::cout << name << depth << std::setw(10) << y[0].shape() << std::setw(13) << y.numel() << std::setw(12) << parameters << std::setw(7)
              << field << std::setw(13) << rows_with_gradient(y, input) << std::setw(10) << shortcut << "\n";
  };

  std::cout << "layer    output  activations  parameters  field  by gradient  shortcut\n";
  auto x = input;
  for (int depth = 1; depth <= 4; ++depth) {
    nn::Conv2d conv(x.shape()[1], 3 << depth, 3, 1, 1);
    {
      const tp::NoGrad no_grad;
      tp::fill_(conv.weight, 1);  // positive, so that ReLU lets every gradient through
    }
    x = tp::relu(conv(x));
    field += (3 - 1) * jump;
    shortcut += 2;
    all += conv.num_parameters();
    report("conv", depth, x, conv.num_parameters());

    // Average pooling reads the same windows as max pooling, and passes a gradient to every cell of them.
    x = tp::avg_pool2d(x, 2);
    field += (2 - 1) * jump;
    jump *= 2;
    shortcut *= 2;
    report("pool", depth, x, 0);
  }
  std::cout << all << " parameters. The shortcut \"a pool doubles the field\" is not exact.\n";
}
