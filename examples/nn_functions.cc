#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

void show(const char* name, const tp::Tensor& x) { std::cout << name << " " << x.shape() << ": " << tp::flatten(x, 0) << "\n"; }

int main() {
  auto a = tp::tensor({{1, 2}, {3, 4}});
  show("matmul", nn::matmul(a, a));
  show("linear", nn::linear(a, /*weight=*/a, /*bias=*/tp::tensor({100, 200})));

  // Convolutions with weights of 1 are sums of neighbours.
  show("conv1d", nn::conv1d(tp::arange({1, 1, 5}), tp::ones({1, 1, 3}), {}, {.padding = 1}));
  show("conv2d", nn::conv2d(tp::arange({1, 1, 3, 3}), tp::ones({1, 1, 2, 2})));
  show("conv3d", nn::conv3d(tp::arange({1, 1, 2, 2, 2}), tp::ones({1, 1, 2, 2, 2})));
  show("conv_transpose2d", nn::conv_transpose2d(tp::arange({1, 1, 2, 2}), tp::ones({1, 1, 2, 2}), {}, {.stride = 2}));
  show("batch_norm", nn::batch_norm(tp::tensor({{{{4, 8}}}}), tp::zeros({1}), tp::full({1}, 4), {}, {}, {.eps = 0}));

  // Random numbers come from one generator, whose state can be saved and restored.
  tp::manual_seed(7);
  const tp::RandomState before = tp::random_state();
  auto once = nn::dropout(tp::ones({8}), 0.5);
  tp::set_random_state(before);
  auto twice = nn::dropout(tp::ones({8}), 0.5);
  std::cout << "dropout " << (tp::equal(once, twice) ? "repeats" : "differs") << "\n";

  // Three optimisers minimise x² with a decreasing learning rate.
  auto descend = [](const char* name, nn::Optimizer& optimizer, tp::Tensor x) {
    nn::StepLR schedule(optimizer, /*step_size=*/2, /*gamma=*/0.5);
    for (int i = 0; i < 4; ++i, schedule.step()) {
      optimizer.zero_grad();
      tp::sum(x * x).backward();
      optimizer.step();
    }
    std::cout << name << " " << x << ", rate " << optimizer.lr() << ", state";
    for (const auto& [entry, value] : optimizer.state()) std::cout << " " << entry;
    std::cout << "\n";
  };
  auto x = tp::ones({1}).set_requires_grad(), y = tp::ones({1}).set_requires_grad(), z = tp::ones({1}).set_requires_grad();
  nn::SGD sgd({x}, {.lr = 0.125, .momentum = 0.5});
  nn::Adam adam({y}, {.lr = 0.125});
  nn::AdamW adamw({z}, {.lr = 0.125, .weight_decay = 0.5});
  descend("SGD  ", sgd, x);
  descend("Adam ", adam, y);
  descend("AdamW", adamw, z);
}
