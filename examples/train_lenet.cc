// Trains LeNet three times over: with max pooling, with average pooling, and with strided convolutions in their place.
// Usage: train_lenet [FOLDER OF MNIST]; without one it draws its digits itself. `tidepool train` is this with a progress bar and
// checkpoints.
#include <tidepool/data/loader.h>
#include <tidepool/nn.h>
#include <tidepool/plot/svg.h>

#include <fstream>
#include <iostream>
namespace tp = tidepool;

using Halve = std::function<tp::nn::Sequential(int64_t channels)>;

tp::nn::Sequential lenet(const Halve& halve) {
  tp::nn::manual_seed(1);
  return tp::nn::Sequential{tp::nn::Conv2d(1, 6, {.kernel_size = 5, .padding = 2}),
                            tp::nn::ReLU(),
                            halve(6),
                            tp::nn::Conv2d(6, 16, 5),
                            tp::nn::ReLU(),
                            halve(16),
                            tp::nn::Flatten(),
                            tp::nn::Linear(400, 120),
                            tp::nn::ReLU(),
                            tp::nn::Linear(120, 84),
                            tp::nn::ReLU(),
                            tp::nn::Linear(84, 10)};
}

int main(int argc, char** argv) {
  using namespace tp::data;
  tp::set_num_threads(1);  // pays only for larger networks
  const ImageSet digits = argc > 1 ? read_mnist(argv[1], Split::train) : make_glyphs(6000, 1);
  const ImageSet unseen = argc > 1 ? read_mnist(argv[1], Split::test) : make_glyphs(1000, 2);
  std::cout << digits.name << "\n";

  const std::pair<std::string, Halve> ways[] = {
      {"max", [](int64_t) { return tp::nn::Sequential(tp::nn::MaxPool2d(2)); }},
      {"avg", [](int64_t) { return tp::nn::Sequential(tp::nn::AvgPool2d(2)); }},
      {"stride", [](int64_t c) { return tp::nn::Sequential(tp::nn::Conv2d(c, c, {.kernel_size = 2, .stride = 2}), tp::nn::ReLU()); }}};
  std::vector<tp::plot::Series> curves;
  for (const auto& [name, halve] : ways) {
    tp::nn::Sequential net = lenet(halve);
    tp::nn::Adam adam(net.parameters(), {.lr = 2e-3});
    tp::plot::Series& losses = curves.emplace_back(name);
    DataLoader train(digits, {.batch_size = 32, .seed = 1}), test(unseen, {.batch_size = 500, .shuffle = false});
    for (int epoch = 0; epoch < 3; ++epoch)
      while (const auto batch = train.next()) {
        const tp::Tensor loss = tp::cross_entropy(net(batch->images), batch->labels);
        adam.zero_grad();
        loss.backward();
        adam.step();
        losses.x.push_back(static_cast<double>(losses.x.size()));
        losses.y.push_back(loss.item());
      }
    const tp::NoGrad no_grad;
    int64_t right = 0;
    while (const auto batch = test.next()) {
      const tp::Tensor guess = tp::argmax(net(batch->images));
      for (int64_t i = 0; i < guess.numel(); ++i) right += guess.data<int64_t>()[i] == batch->labels.data<int64_t>()[i] ? 1 : 0;
    }
    std::cout << name << ": " << net.num_parameters() << " parameters, " << (100 * right > 96 * unseen.size() ? "more" : "less")
              << " than 96 % right\n";
  }
  std::ofstream("train_lenet.svg") << tp::plot::line_chart({"LeNet on digits", "step", "loss", true}, curves);
}
