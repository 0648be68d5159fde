// Networks on a thread with a stack of 256 KB. oneDNN generates and runs its code there.
#include "support/small_stack.h"

#include "support/in_folder.h"
#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

class NnSmallStack : public test::InFolder {};

TEST_F(NnSmallStack, TrainsLeNet) {
  test::on_small_stack([] {
    LeNet net;
    SGD optimizer(net.parameters(), {.lr = 0.01, .momentum = 0.9});
    const Tensor x = randn({4, 1, 28, 28}, 1), kinds = Tensor::from<int64_t>({4}, {0, 1, 2, 3});
    for (int i = 0; i < 2; ++i) {
      optimizer.zero_grad();
      cross_entropy(net(x), kinds).backward();
      optimizer.step();
    }
    EXPECT_EQ(net.eval()(x).shape(), (Dims{4, 10}));
  });
}

TEST_F(NnSmallStack, RunsLayersForwardAndBackward) {
  test::on_small_stack([] {
    for (const MemoryFormat format : {MemoryFormat::contiguous, MemoryFormat::channels_last}) {
      Sequential net{Conv2d(3, 64, 3, {.padding = 1, .groups = 1}),
                     BatchNorm2d(64),
                     GELU(),
                     Conv2d(64, 64, 5, 2),
                     AvgPool2d(2),
                     ConvTranspose2d(64, 8, 2, 2),
                     Dropout(0.1),
                     AdaptiveAvgPool2d(1),
                     Flatten(),
                     Linear(8, 1000)};
      Tensor x = randn({2, 3, 64, 64}, 1).clone(format).set_requires_grad();
      sum(net(x)).backward();
      EXPECT_EQ(x.grad().shape(), x.shape());
    }
    Tensor x = randn({1, 2, 8, 8, 8}, 1).set_requires_grad(), w = randn({4, 2, 3, 3, 3}, 2).set_requires_grad();
    const Tensor first = grad(sum(conv3d(x, w) * conv3d(x, w)), {x}, {.create_graph = true})[0];
    sum(first).backward();
    EXPECT_EQ(w.grad().shape(), w.shape());
  });
}

TEST_F(NnSmallStack, SavesLoadsAndPrints) {
  test::on_small_stack([this] {
    LeNet net;
    for (const char* name : {"w.safetensors", "w.npz"}) {
      save_weights(path(name), net.state_dict());
      net.load_state_dict(load_weights(path(name)));
    }
    EXPECT_FALSE(net.to_string().empty());
  });
}

}  // namespace
}  // namespace tidepool::nn
