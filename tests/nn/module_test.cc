#include "tidepool/nn/module.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>

#include "support/tensors.h"
#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

struct Block : Module {
  Conv2d& conv = add("conv", Conv2d(3, 8, {.kernel_size = 3, .padding = 1, .bias = false}));
  BatchNorm2d& norm = add("norm", BatchNorm2d(8));
  Tensor forward(const Tensor& x) override { return relu(norm(conv(x))); }
};

struct Net : Module {
  Sequential& body = add("body", Sequential{Block(), MaxPool2d(2), AdaptiveAvgPool2d(1), Flatten()});
  Linear& head = add("head", Linear(8, 10));
  Tensor forward(const Tensor& x) override { return head(body(x)); }
};

std::vector<std::string> names(const StateDict& entries) {
  std::vector<std::string> result;
  for (const auto& entry : entries) result.push_back(entry.first);
  return result;
}

// In parentheses the compiler would choose the order in which layers draw their initial weights.
static_assert(!std::is_constructible_v<Sequential, Linear, Linear>);
static_assert(!std::is_constructible_v<Sequential, Linear>);

TEST(Sequential, DrawsInitialWeightsInTheWrittenOrder) {
  manual_seed(3);
  const Linear first(2, 4), second(4, 3);
  manual_seed(3);
  const Sequential net{Linear(2, 4), ReLU(), Linear(4, 3)};
  const std::vector<Tensor> drawn = net.parameters();
  ASSERT_EQ(drawn.size(), 4U);
  EXPECT_EQ(to_string(drawn[0]), to_string(first.weight));
  EXPECT_EQ(to_string(drawn[1]), to_string(first.bias));
  EXPECT_EQ(to_string(drawn[2]), to_string(second.weight));
  EXPECT_EQ(to_string(drawn[3]), to_string(second.bias));
}

TEST(Module, NamesItsPartsAsPyTorchDoes) {
  const Net net;
  EXPECT_EQ(names(net.named_parameters()),
            (std::vector<std::string>{"body.0.conv.weight", "body.0.norm.weight", "body.0.norm.bias", "head.weight", "head.bias"}));
  EXPECT_EQ(names(net.state_dict()),
            (std::vector<std::string>{"body.0.conv.weight", "body.0.norm.weight", "body.0.norm.bias", "body.0.norm.running_mean",
                                      "body.0.norm.running_var", "body.0.norm.num_batches_tracked", "head.weight", "head.bias"}));
  EXPECT_EQ(net.num_parameters(), 3 * 8 * 9 + 16 + 90);
}

TEST(Module, PrintsAsPyTorchDoes) {
  EXPECT_EQ(Net().to_string(), R"(Net(
  (body): Sequential(
    (0): Block(
      (conv): Conv2d(3, 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), bias=False)
      (norm): BatchNorm2d(8, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    )
    (1): MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False)
    (2): AdaptiveAvgPool2d(output_size=1)
    (3): Flatten(start_dim=1, end_dim=-1)
  )
  (head): Linear(in_features=8, out_features=10, bias=True)
))");
}

// The right side is what PyTorch 2.13 prints for the same arguments.
TEST(Module, LayersPrintAsPyTorchDoes) {
  const auto expect = [](const Module& m, const char* text) { EXPECT_EQ(m.to_string(), text); };
  expect(MaxPool1d(2), "MaxPool1d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False)");
  expect(MaxPool2d({.kernel_size = {3, 2}, .stride = {2, 1}, .padding = {0, 1}, .dilation = 2, .ceil_mode = true}),
         "MaxPool2d(kernel_size=(3, 2), stride=(2, 1), padding=(0, 1), dilation=2, ceil_mode=True)");
  expect(AvgPool1d(2), "AvgPool1d(kernel_size=(2,), stride=(2,), padding=(0,))");
  expect(AvgPool2d({.kernel_size = {3, 2}, .stride = 2, .padding = 1}), "AvgPool2d(kernel_size=(3, 2), stride=2, padding=1)");
  expect(LPPool1d(2, 3), "LPPool1d(norm_type=2, kernel_size=3, stride=None, ceil_mode=False)");
  expect(LPPool2d({.norm_type = 1.5, .kernel_size = {3, 2}, .stride = 2}),
         "LPPool2d(norm_type=1.5, kernel_size=(3, 2), stride=2, ceil_mode=False)");
  expect(FractionalMaxPool2d({.kernel_size = 2, .output_size = 3}), "FractionalMaxPool2d()");
  expect(MaxUnpool1d(2), "MaxUnpool1d(kernel_size=(2,), stride=(2,), padding=(0,))");
  expect(MaxUnpool2d(3, 2, 1), "MaxUnpool2d(kernel_size=(3, 3), stride=(2, 2), padding=(1, 1))");
  expect(AdaptiveMaxPool2d(Extent<2>{2, keep_size}), "AdaptiveMaxPool2d(output_size=(2, None))");
  expect(AdaptiveAvgPool3d(Extent<3>{1, 2, 3}), "AdaptiveAvgPool3d(output_size=(1, 2, 3))");
  expect(BatchNorm2d(4), "BatchNorm2d(4, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)");
  expect(GELU(), "GELU(approximate='none')");
  expect(Dropout(0.25), "Dropout(p=0.25, inplace=False)");
  expect(LeakyReLU(), "LeakyReLU(negative_slope=0.01)");
  expect(ConvTranspose2d(3, 4, {.kernel_size = 2, .stride = 2, .output_padding = 1, .bias = false}),
         "ConvTranspose2d(3, 4, kernel_size=(2, 2), stride=(2, 2), output_padding=(1, 1), bias=False)");
  expect(Conv1d(1, 2, 3), "Conv1d(1, 2, kernel_size=(3,), stride=(1,))");
  expect(Conv2d(3, 4, {.kernel_size = 3, .padding = same}), "Conv2d(3, 4, kernel_size=(3, 3), stride=(1, 1), padding=same)");
  expect(Conv2d(4, 2, {.kernel_size = 3, .stride = {2, 1}, .padding = {1, 0}, .dilation = {1, 2}, .groups = 2}),
         "Conv2d(4, 2, kernel_size=(3, 3), stride=(2, 1), padding=(1, 0), dilation=(1, 2), groups=2)");
  expect(ConvTranspose2d(4, 2, {.kernel_size = 3, .padding = {0, 1}, .groups = 2, .dilation = {2, 1}}),
         "ConvTranspose2d(4, 2, kernel_size=(3, 3), stride=(1, 1), padding=(0, 1), dilation=(2, 1), groups=2)");
  expect(Linear(2, 3, false), "Linear(in_features=2, out_features=3, bias=False)");
  expect(CrossEntropyLoss(), "CrossEntropyLoss()");
  expect(ReLU(), "ReLU()");
}

TEST(Module, TheSameSeedGivesTheSameNetwork) {
  manual_seed(5);
  Net a;
  manual_seed(5);
  Net b;
  Net c;
  const Tensor x = randn({2, 3, 8, 8}, 1);
  EXPECT_EQ(to_string(a.eval()(x)), to_string(b.eval()(x)));
  EXPECT_NE(to_string(a(x)), to_string(c.eval()(x)));
}

// Whatever compiler made it.
TEST(Module, SequentialInBracesDrawsWeightsInItsOrder) {
  manual_seed(5);
  const Linear first(3, 4), second(4, 2);
  manual_seed(5);
  Sequential net{Linear(3, 4), ReLU(), Linear(4, 2)};
  const StateDict state = net.state_dict();
  EXPECT_EQ(to_string(state[0].second.detach()), to_string(first.weight.detach()));
  EXPECT_EQ(to_string(state[2].second.detach()), to_string(second.weight.detach()));
}

TEST(Module, FirstWeightsAreUniformWithinTheFanIn) {
  manual_seed(1);
  const Conv2d conv(16, 64, {.kernel_size = 3});
  const double bound = 1 / std::sqrt(16 * 9.0);
  const Tensor w = conv.weight.detach();
  double largest = 0;
  for (int64_t i = 0; i < w.numel(); ++i) largest = std::max(largest, std::fabs(static_cast<double>(w.data<float>()[i])));
  EXPECT_LE(largest, bound);
  EXPECT_GT(largest, 0.99 * bound);
  EXPECT_NEAR(mean(w * w).item(), bound * bound / 3, 0.03 * bound * bound);
}

TEST(Module, ASavedStateLoadsIntoAnother) {
  Net a, b;
  const Tensor x = randn({2, 3, 8, 8}, 1);
  a(x);  // moves the running statistics
  b.load_state_dict(a.state_dict());
  EXPECT_EQ(to_string(a.eval()(x)), to_string(b.eval()(x)));
  EXPECT_TRUE(b.parameters()[0].requires_grad());
}

// The values are those before the call, also where they lie in the module itself.
TEST(Module, AStateMayExchangeItsOwnWeights) {
  Sequential net{Linear(3, 3), Linear(3, 3)};
  StateDict values = net.state_dict();
  std::swap(values[0].second, values[2].second);
  const Tensor first = values[0].second.clone(), second = values[2].second.clone();
  net.load_state_dict(values);
  EXPECT_TRUE(equal(net.state_dict()[0].second, first));
  EXPECT_TRUE(equal(net.state_dict()[2].second, second));
}

TEST(Module, TrainAndEvalReachAllParts) {
  Net net;
  EXPECT_TRUE(net.body.is_training());
  net.eval();
  EXPECT_FALSE(net.body.children()[0].second->is_training());
}

TEST(Module, CanBeMoved) {
  Net a;
  const Tensor x = randn({1, 3, 8, 8}, 1);
  const std::string before = to_string(a.eval()(x));
  Net b = std::move(a);
  EXPECT_EQ(to_string(b(x)), before);
}

// Counts the layers that exist.
struct Counted : Module {
  struct Count {
    explicit Count(int* c) : count(c) { ++*count; }
    Count(Count&& other) noexcept : Count(other.count) {}
    ~Count() { --*count; }
    int* count;
  };
  explicit Counted(int* c) : alive(c) {}
  Tensor forward(const Tensor& x) override { return x + static_cast<double>(*alive.count); }
  Count alive;
};

struct Holder : Module {
  explicit Holder(int* count) : layer(add("layer", Counted(count))) {}
  Tensor forward(const Tensor& x) override { return layer(x); }
  Counted& layer;
};

// A network that was moved from still refers to its layers. They live as long as it does, also when the new owner is gone.
TEST(Module, MovedFromKeepsItsLayersAlive) {
  int count = 0;
  {
    Holder a(&count);
    std::optional<Holder> b(std::move(a));
    EXPECT_EQ(&a.layer, &b->layer);  // NOLINT(bugprone-use-after-move): this is the test
    b.reset();
    ASSERT_EQ(count, 1);
    EXPECT_EQ(a.layer(zeros({1})).item(), 1);
    EXPECT_EQ(a.forward(zeros({1})).item(), 1);
  }
  EXPECT_EQ(count, 0);
}

// Its parameters belong to the other network. Training or saving them here as well would be a mistake.
TEST(Module, MovedFromIsRefused) {
  Net a;
  const Tensor x = randn({1, 3, 8, 8}, 1);
  std::optional<Net> b(std::move(a));
  const size_t parameters = b->parameters().size();
  const std::function<void()> uses[] = {[&] { a(x); },  // NOLINT(bugprone-use-after-move): this is the test
                                        [&] { a.parameters(); },
                                        [&] { a.named_parameters(); },
                                        [&] { a.named_buffers(); },
                                        [&] { a.num_parameters(); },
                                        [&] { a.zero_grad(); },
                                        [&] { a.children(); },
                                        [&] { a.train(); },
                                        [&] { a.state_dict(); },
                                        [&] { a.load_state_dict({}); },
                                        [&] { a.load_state_dict(b->state_dict()); },
                                        [&] { a.add("more", ReLU()); },
                                        [&] { a.add_parameter("more", zeros({1})); },
                                        [&] { a.add_buffer("more", zeros({1})); }};
  for (const auto& use : uses) EXPECT_EQ(test::message_of(use), "Net: module must be whole, got one that was moved from");
  EXPECT_EQ(a.to_string(), "Net(moved from)");
  EXPECT_EQ(b->parameters().size(), parameters);
  EXPECT_EQ(b->children().size(), 2U);
  b.reset();
  for (const auto& use : uses) EXPECT_EQ(test::message_of(use), "Net: module must be whole, got one that was moved from");
}

TEST(Module, LayersThatWereMovedFromAreRefused) {
  Linear linear(2, 3);
  Sequential net{std::move(linear), ReLU()};
  const Sequential moved = std::move(net);
  EXPECT_EQ(moved.to_string(), "Sequential(\n  (0): Linear(in_features=2, out_features=3, bias=True)\n  (1): ReLU()\n)");
  EXPECT_EQ(linear.to_string(), "Linear(moved from)");  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(test::message_of([&] { linear(ones({1, 2})); }), "Linear: module must be whole, got one that was moved from");
  EXPECT_EQ(test::message_of([&] { net(ones({1, 2})); }), "Sequential: module must be whole, got one that was moved from");
  EXPECT_EQ(test::message_of([&] { net.forward(ones({1, 2})); }), "Sequential: module must be whole, got one that was moved from");
  EXPECT_EQ(test::message_of([&] { net.append(ReLU()); }), "Sequential: module must be whole, got one that was moved from");
}

TEST(Module, CanBeAssignedAgain) {
  Sequential net{Linear(2, 3)};
  Sequential moved = std::move(net);
  net = Sequential{Linear(4, 5), ReLU()};
  EXPECT_EQ(net(ones({1, 4})).shape(), (Dims{1, 5}));
  EXPECT_EQ(moved(ones({1, 2})).shape(), (Dims{1, 3}));
  net.append(Linear(5, 6));
  EXPECT_EQ(net(ones({1, 4})).shape(), (Dims{1, 6}));
  Sequential& same = net;
  net = std::move(same);
  EXPECT_EQ(net(ones({1, 4})).shape(), (Dims{1, 6}));
  net = std::move(moved);
  moved = Sequential{ReLU()};
  std::swap(net, moved);
  EXPECT_EQ(moved(ones({1, 2})).shape(), (Dims{1, 3}));
  EXPECT_EQ(net.num_parameters(), 0);
  net = std::move(moved);
  const Sequential last = std::move(moved);  // NOLINT(bugprone-use-after-move): this is the test
  EXPECT_EQ(last.to_string(), "Sequential(moved from)");
}

}  // namespace
}  // namespace tidepool::nn
