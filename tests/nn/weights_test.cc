#include "tidepool/nn/weights.h"

#include "support/compare.h"
#include "support/in_folder.h"
#include "tidepool/io/npz.h"
#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

constexpr const char* folder = TIDEPOOL_SOURCE_DIR "/tests/nn/weights/";

// The network of scripts/golden/weights.py.
struct Small : Module {
  Conv2d& conv = add("conv", Conv2d(1, 2, 3));
  BatchNorm2d& bn = add("bn", BatchNorm2d(2));
  Linear& fc = add("fc", Linear(18, 3));
  Tensor forward(const Tensor& x) override { return fc(flatten(max_pool2d(relu(bn(conv(x))), {.kernel_size = 2}))); }
};

class Weights : public test::InFolder {};

TEST_F(Weights, OfPyTorchGivePyTorchsAnswers) {
  const NoGrad no_grad;
  const io::NamedTensors answer = io::read_npz(std::string(folder) + "answer.npz");
  const Tensor &x = answer[0].second, &logits = answer[1].second;
  for (const char* name : {"small.safetensors", "small.npz"}) {
    Small net;
    net.load_state_dict(load_weights(std::string(folder) + name));
    net.eval();
    const Tensor ours = net(x);
    ASSERT_EQ(ours.shape(), logits.shape());
    for (int64_t i = 0; i < ours.numel(); ++i) EXPECT_NEAR(ours.data<float>()[i], logits.data<float>()[i], 1e-5) << name << " " << i;
  }
}

TEST_F(Weights, ComeBackAsTheyWere) {
  manual_seed(3);
  const Small net;
  for (const char* name : {"a.safetensors", "a.npz"}) {
    save_weights(path(name), net.state_dict());
    const StateDict back = load_weights(path(name));
    const StateDict state = net.state_dict();
    ASSERT_EQ(back.size(), state.size());
    for (size_t i = 0; i < state.size(); ++i) {
      EXPECT_EQ(back[i].first, state[i].first);
      EXPECT_TRUE(test::same_bits(state[i].second, back[i].second)) << name << " " << back[i].first;
    }
  }
}

TEST_F(Weights, ThatDoNotFitAreRefused) {
  Small net;
  Sequential other{Linear(2, 2)};
  save_weights(path("other.npz"), other.state_dict());
  EXPECT_THROW(net.load_state_dict(load_weights(path("other.npz"))), Error);
  EXPECT_THROW(load_weights(path("none.npz")), Error);
  EXPECT_THROW(load_weights(path("weights.pt")), Error);
  EXPECT_THROW(save_weights(path("weights.pt"), net.state_dict()), Error);
  EXPECT_EQ(files(), std::set<std::string>{"other.npz"});
}

}  // namespace
}  // namespace tidepool::nn
