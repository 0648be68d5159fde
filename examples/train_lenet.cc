// Trains LeNet three times: with max pooling, with average pooling, and with strided convolutions in place of the pools.
// Usage: train_lenet [MNIST FOLDER]. Without a folder it generates its digits. `tidepool train` does the same with a progress bar and
// checkpoints.
#include <tidepool/data/loader.h>
#include <tidepool/nn.h>
#include <tidepool/plot/svg.h>

#include <fstream>
#include <iostream>
namespace tp = tidepool;

int main(int argc, char** argv) {
  using namespace tp::data;
  tp::set_num_threads(1);  // this network is too small to gain from more
  const ImageSet digits = argc > 1 ? read_mnist(argv[1], Split::train) : make_glyphs(6000, 1);
  const ImageSet unseen = argc > 1 ? read_mnist(argv[1], Split::test) : make_glyphs(1000, 2);
  std::cout << digits.name << "\n";

  using tp::nn::Downsampling;
  const std::pair<std::string, Downsampling> ways[] = {
      {"max", Downsampling::max_pool}, {"avg", Downsampling::avg_pool}, {"stride", Downsampling::strided_conv}};
  std::vector<tp::plot::Series> curves;
  for (const auto& [name, downsampling] : ways) {
    tp::manual_seed(1);
    tp::nn::LeNet net({.downsampling = downsampling});
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
    double right = 0;
    while (const auto batch = test.next()) right += tp::sum((tp::argmax(net(batch->images)) == batch->labels).to(tp::DType::f32)).item();
    std::cout << name << ": " << net.num_parameters() << " parameters, "
              << (right > 0.96 * static_cast<double>(unseen.size()) ? "more" : "less") << " than 96 % right\n";
  }
  std::ofstream("train_lenet.svg") << tp::plot::line_chart({"LeNet on digits", "step", "loss", true}, curves);
}
