// Compiled with -fno-rtti: the library's layers and models have their names; classes of the program need an override.
#include <tidepool/nn.h>

#include <cstdio>
#include <stdexcept>
namespace tp = tidepool;
namespace nn = tidepool::nn;

#if defined(__cpp_rtti)
#error "this program must be compiled with -fno-rtti"
#endif

struct Unnamed : nn::Module {
  nn::ReLU& act = add("act", nn::ReLU());
  nn::MaxPool2d& pool = add("pool", nn::MaxPool2d(2));
  tp::Tensor forward(const tp::Tensor& x) override { return pool(act(x)); }
};

struct Named : Unnamed {
  std::string name() const override { return "Named"; }
};

int main() {
  std::printf("%s\n%s\n", Unnamed().to_string().c_str(), Named().to_string().c_str());
  nn::Sequential all{nn::ReLU(),    nn::Sigmoid(), nn::Tanh(),       nn::GELU(),         nn::Identity(),         nn::LeakyReLU(),
                     nn::Dropout(), nn::Flatten(), nn::Linear(2, 2), nn::BatchNorm2d(1), nn::CrossEntropyLoss(), nn::MSELoss(),
                     nn::LeNet()};
  for (const auto& [position, layer] : all.children()) std::printf("%s ", layer->name().c_str());
  Named net;
  auto x = tp::randn({1, 1, 4, 4}, 1).set_requires_grad();
  tp::sum(net(x)).backward();
  std::printf("\n%s\n", x.grad().shape() == x.shape() ? "gradient" : "none");
  try {
    tp::max_pool2d(x, 2, -1);
  } catch (const tp::Error& error) {
    std::printf("%s\n", error.what());
  }
}
