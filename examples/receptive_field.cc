// How many input cells along one side an output depends on, at every depth of a network: 3→6→12→24→48 channels, each step a 3×3
// convolution with padding 1, a ReLU and a 2×2 pool, on 3×64×64.
#include <tidepool/nn.h>

#include <cstdio>
namespace tp = tidepool;
namespace nn = tidepool::nn;

// Measures the receptive field: counts the input rows that receive a gradient from one output in the middle.
int64_t rows_with_gradient(const tp::Tensor& y, tp::Tensor& x) {
  const int64_t middle = y.size(2) / 2 - 1;
  auto one_output = tp::zeros(y.shape());
  one_output.data<float>()[middle * y.size(3) + middle] = 1;
  x.zero_grad();
  tp::sum(y * one_output).backward();
  int64_t rows = 0;
  for (int64_t row = 0; row < x.size(2); ++row) {
    bool any = false;
    for (int64_t column = 0; column < x.size(3); ++column) any = any || x.grad().item({0, 0, row, column}) != 0;
    rows += any ? 1 : 0;
  }
  return rows;
}

int main() {
  // Average pooling reads the same windows as max pooling, and passes a gradient to every cell of them. Weights of 1 keep ReLU open.
  std::vector<nn::Conv2d> convs;
  for (int64_t in : {3, 6, 12, 24}) convs.emplace_back(in, in == 3 ? 6 : 2 * in, nn::ConvOptions<2>{.kernel_size = 3, .padding = 1});
  for (nn::Conv2d& conv : convs) {
    const tp::NoGrad no_grad;
    tp::fill_(conv.weight, 1);
    tp::fill_(conv.bias, 0);
  }

  std::printf("layer  output    parameters  field  by gradient  shortcut\n");
  auto input = tp::full({1, 3, 64, 64}, 1).set_requires_grad();
  int64_t field = 1, jump = 1, shortcut = 1, all = 0;  // jump: input cells from one output to its neighbour
  const auto report = [&](const char* name, size_t depth, const tp::Tensor& y, int64_t parameters) {
    std::printf("%s%zu  %-9s %10lld %6lld %12lld %9lld\n", name, depth, tp::to_string(y.shape()).substr(2).c_str(),
                static_cast<long long>(parameters), static_cast<long long>(field), static_cast<long long>(rows_with_gradient(y, input)),
                static_cast<long long>(shortcut));
  };
  for (size_t depth = 1; depth <= convs.size(); ++depth) {
    // Run again from the input, because a backward pass frees what the forward pass recorded.
    const auto features = [&] {
      auto x = input;
      for (size_t i = 0; i + 1 < depth; ++i) x = tp::avg_pool2d(tp::relu(convs[i](x)), {.kernel_size = 2});
      return tp::relu(convs[depth - 1](x));
    };
    const int64_t parameters = convs[depth - 1].num_parameters();
    all += parameters;
    field += (3 - 1) * jump;
    shortcut += 2;
    report("conv", depth, features(), parameters);
    field += (2 - 1) * jump;
    jump *= 2;
    shortcut *= 2;
    report("pool", depth, tp::avg_pool2d(features(), {.kernel_size = 2}), 0);
  }
  std::printf("%lld parameters. The shortcut \"a pool doubles the field\" is not exact.\n", static_cast<long long>(all));
}
