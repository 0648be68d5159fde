#include <tidepool/nn.h>

#include <cstdio>
namespace tp = tidepool;
namespace nn = tidepool::nn;

// A batch of noisy pictures of a horizontal (class 0) or vertical (class 1) bar, and their classes.
std::pair<tp::Tensor, tp::Tensor> bars(int64_t count, uint64_t seed) {
  auto x = tp::randn({count, 1, 12, 12}, seed) * 0.3;
  auto kinds = tp::zeros({count}, tp::DType::i64);
  for (int64_t n = 0; n < count; ++n) {
    const int kind = n % 2 == 0 ? 0 : 1;
    auto bar = x[n][0].select(kind, 2 + n % 8).slice(0, 2, 10);  // cells 2 to 9 of a row or a column
    bar += tp::full({8}, 1.5);
    kinds.flat<int64_t>()[static_cast<size_t>(n)] = kind;
  }
  return {x, kinds};
}

int main() {
  tp::manual_seed(1);
  nn::Sequential net{nn::Conv2d(1, 8, 3, {.padding = 1}),
                     nn::BatchNorm2d(8),
                     nn::ReLU(),
                     nn::MaxPool2d(2),
                     nn::Dropout(0.1),
                     nn::AdaptiveMaxPool2d(1),
                     nn::Flatten(),
                     nn::Linear(8, 2)};
  nn::Adam optimizer(net.parameters(), {.lr = 0.02});
  nn::CosineAnnealingLR schedule(optimizer, /*t_max=*/60);
  nn::CrossEntropyLoss loss_of;
  const auto [x, kinds] = bars(64, 2);
  for (int epoch = 0; epoch < 60; ++epoch, schedule.step()) {
    optimizer.zero_grad();
    auto loss = loss_of(net(x), kinds);
    loss.backward();
    optimizer.step();
    if (epoch == 0) std::printf("first loss %.1f\n", loss.item());
    if (epoch == 59) std::printf("last loss %s\n", loss.item() < 0.2 ? "below 0.2" : "still above 0.2");
  }

  net.eval();
  const tp::NoGrad no_grad;
  const auto [unseen, truth] = bars(64, 3);
  auto guess = tp::argmax(net(unseen));
  const double right = tp::sum((guess == truth).to(tp::DType::f32)).item();
  std::printf("%s on pictures it has not seen\n", right >= 60 ? "right" : "wrong");
}
