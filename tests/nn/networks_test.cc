// LeNet, SimpleCNN, VGG-11 and ResNet-18 against PyTorch: the same weights give the same logits, gradients and ten steps of training.
// tests/nn/golden/*.txt were written by scripts/golden/networks.py; TIDEPOOL_NN_GOLDEN_DIR names others, fresh from PyTorch.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>

#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

using Values = std::vector<double>;

// "kind name values…" a line.
class Golden {
 public:
  explicit Golden(const std::string& network) {
    const char* other = std::getenv("TIDEPOOL_NN_GOLDEN_DIR");
    const std::string folder = other != nullptr ? other : TIDEPOOL_SOURCE_DIR "/tests/nn/golden";
    std::ifstream file(folder + "/" + network + ".txt");
    EXPECT_TRUE(file.good()) << folder << "/" << network << ".txt";
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string kind, name;
      words >> kind >> name;
      if (kind == "seed") seed = std::stoull(name);
      for (double value; words >> value;) lines_[kind][name].push_back(value);
    }
  }
  const std::map<std::string, Values>& of(const std::string& kind) { return lines_[kind]; }
  const Values& only(const std::string& kind) { return lines_[kind]["-"]; }

  uint64_t seed = 0;

 private:
  std::map<std::string, std::map<std::string, Values>> lines_;
};

Tensor uniform(const Dims& shape, uint64_t seed) { return rand(shape, seed) * 2 - 1; }

void set_weights(Module& net, uint64_t seed) {
  const NoGrad no_grad;
  uint64_t number = 0;
  for (auto& [name, p] : net.named_parameters()) {
    int64_t fan_in = 1;
    for (int d = 1; d < p.rank(); ++d) fan_in *= p.size(d);
    const float bound = static_cast<float>(p.rank() > 1 ? std::sqrt(6.0 / static_cast<double>(fan_in)) : 0.1);
    Tensor value = uniform(p.shape(), seed + 100 + number++) * static_cast<double>(bound);
    if (p.rank() == 1 && name.ends_with("weight")) value = value + 1;
    Tensor target = p;
    copy_(target, value);
  }
}

// Norm, product with a random direction, and up to eight cells.
Values digest(const Tensor& t, uint64_t seed) {
  const Tensor flat = reshape(t.detach(), {t.numel()}).to(DType::f64);
  const Tensor direction = uniform({t.numel()}, seed).to(DType::f64);
  Values result{std::sqrt(sum(flat * flat).item()), sum(flat * direction).item()};
  const int64_t step = std::max<int64_t>(1, t.numel() / 8);
  for (int64_t i = 0; i < t.numel() && result.size() < 10; i += step) result.push_back(flat.item({i}));
  return result;
}

// The size of a tensor is its norm; of a cell, its root mean square.
void expect_digest(const std::string& what, const Tensor& t, const Values& want, uint64_t seed, double tolerance) {
  const Values got = digest(t, seed);
  ASSERT_EQ(got.size(), want.size()) << what;
  const double cell = want[0] / std::sqrt(static_cast<double>(t.numel()));
  EXPECT_NEAR(got[0], want[0], tolerance * want[0]) << what << " norm";
  EXPECT_NEAR(got[1], want[1], tolerance * want[0]) << what << " direction";
  for (size_t i = 2; i < got.size(); ++i)
    EXPECT_NEAR(got[i], want[i], tolerance * (cell + std::fabs(want[i]))) << what << " cell " << i - 2;
}

struct Network {
  std::string name;
  std::function<std::unique_ptr<Module>()> make;
  Dims input;
};

const std::vector<Network>& networks() {
  static const std::vector<Network> all = {
      {"lenet", [] { return std::make_unique<LeNet>(); }, {4, 1, 28, 28}},
      {"simple_cnn", [] { return std::make_unique<SimpleCNN>(); }, {4, 3, 32, 32}},
      {"vgg11",
       [] { return std::make_unique<VGG11>(VGGOptions{.classes = 10, .width = 8, .hidden = 32, .pooled = 2, .dropout = 0}); },
       {4, 3, 64, 64}},
      {"resnet18", [] { return std::make_unique<ResNet18>(10, 8); }, {4, 3, 64, 64}},
  };
  return all;
}

class Networks : public ::testing::TestWithParam<std::tuple<size_t, MemoryFormat>> {};

TEST_P(Networks, TrainAsInPyTorch) {
  const Network& network = networks()[std::get<0>(GetParam())];
  Golden golden(network.name);
  const std::unique_ptr<Module> net = network.make();
  set_weights(*net, golden.seed);
  const Tensor x = uniform(network.input, golden.seed).clone(std::get<1>(GetParam()));
  Tensor target({network.input[0]}, DType::i64);
  for (int64_t i = 0; i < target.numel(); ++i) target.data<int64_t>()[i] = i % 10;

  SGD optimizer(net->parameters(), {.lr = 0.01, .momentum = 0.9, .weight_decay = 1e-4});
  Values losses;
  for (int step = 0; step < 10; ++step) {
    optimizer.zero_grad();
    const Tensor y = (*net)(x);
    const Tensor loss = cross_entropy(y, target);
    loss.backward();
    losses.push_back(loss.item());
    if (step == 0) {
      const Values& logits = golden.only("logits");
      ASSERT_EQ(static_cast<size_t>(y.numel()), logits.size());
      double size = 0;
      for (double v : logits) size = std::max(size, std::fabs(v));
      for (size_t i = 0; i < logits.size(); ++i) EXPECT_NEAR(y.data<float>()[i], logits[i], 1e-4 * size) << "logit " << i;
      const auto& gradients = golden.of("gradient");
      const StateDict parameters = net->named_parameters();
      EXPECT_EQ(gradients.size(), parameters.size());
      for (const auto& [name, p] : parameters) {
        ASSERT_TRUE(gradients.contains(name)) << name;
        expect_digest("gradient of " + name, p.grad(), gradients.at(name), golden.seed + 7, 1e-3);
      }
    }
    optimizer.step();
  }
  const Values& wanted = golden.only("losses");
  ASSERT_EQ(wanted.size(), losses.size());
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(losses[i], wanted[i], 1e-3 * (1 + wanted[i])) << "step " << i;
  size_t compared = 0;
  for (const auto& [name, t] : net->state_dict()) {
    if (!is_floating(t.dtype())) continue;
    ASSERT_TRUE(golden.of("trained").contains(name)) << name;
    expect_digest(name + " after ten steps", t, golden.of("trained").at(name), golden.seed + 8, 1e-3);
    ++compared;
  }
  EXPECT_EQ(compared, golden.of("trained").size());
}

INSTANTIATE_TEST_SUITE_P(All, Networks,
                         ::testing::Combine(::testing::Range(size_t{0}, networks().size()),
                                            ::testing::Values(MemoryFormat::contiguous, MemoryFormat::channels_last)),
                         [](const auto& one) {
                           return networks()[std::get<0>(one.param)].name +
                                  (std::get<1>(one.param) == MemoryFormat::contiguous ? "" : "_channels_last");
                         });

TEST(Networks, HaveTheParametersOfTheLiterature) {
  EXPECT_EQ(LeNet().num_parameters(), 61706);
  EXPECT_EQ(ResNet18().num_parameters(), 11689512);
  EXPECT_EQ(VGG11({.hidden = 16, .pooled = 1}).num_parameters(), 9220480 + 512 * 16 + 16 + 16 * 16 + 16 + 16 * 1000 + 1000);
}

}  // namespace
}  // namespace tidepool::nn
