// The graph that is read from a module, against the same network as text or built by hand.
#include "tidepool/nn/network_of.h"

#include <gmock/gmock.h>

#include "tidepool/analyze/report.h"
#include "tidepool/analyze/text.h"
#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

using analyze::Network;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> layers(const Network& net) {
  std::vector<std::string> texts;
  for (const analyze::Node& node : net.nodes()) {
    std::string text = to_string(node.layer);
    if (!node.inputs.empty()) text += " of";
    for (const int input : node.inputs) text += " " + std::to_string(input);
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> names(const Network& net) {
  std::vector<std::string> found;
  for (const analyze::Node& node : net.nodes()) found.push_back(node.name);
  return found;
}

// The reports of both networks are equal in everything but names.
void expect_equal_reports(const Network& a, const Network& b) {
  ASSERT_EQ(layers(a), layers(b));
  const analyze::Report left = analyze::analyze(a), right = analyze::analyze(b);
  EXPECT_EQ(left.parameters, right.parameters);
  EXPECT_EQ(left.multiply_adds, right.multiply_adds);
  EXPECT_EQ(left.activation_bytes, right.activation_bytes);
  EXPECT_EQ(left.inference_bytes, right.inference_bytes);
  EXPECT_EQ(left.training_bytes, right.training_bytes);
  EXPECT_EQ(left.moved_bytes, right.moved_bytes);
  EXPECT_EQ(left.losses.size(), right.losses.size());
  EXPECT_EQ(left.misalignments.size(), right.misalignments.size());
  ASSERT_EQ(left.axes.size(), right.axes.size());
  for (size_t at = 0; at < left.layers.size(); ++at) {
    EXPECT_EQ(a.nodes()[at].shape, b.nodes()[at].shape) << at;
    EXPECT_EQ(a.nodes()[at].parameters, b.nodes()[at].parameters) << at;
    EXPECT_EQ(left.layers[at].saved_bytes, right.layers[at].saved_bytes) << at;
    for (size_t axis = 0; axis < left.axes.size(); ++axis) {
      const analyze::Field &f = left.layers[at].fields[axis], &g = right.layers[at].fields[axis];
      EXPECT_EQ(f.size, g.size) << at;
      EXPECT_EQ(f.stride, g.stride) << at;
      EXPECT_EQ(f.begin, g.begin) << at;
      EXPECT_EQ(f.centre, g.centre) << at;
      EXPECT_EQ(f.holes, g.holes) << at;
      EXPECT_EQ(f.saturated, g.saturated) << at;
    }
  }
}

template <class Forward>
struct Function : Module {
  explicit Function(Forward f) : call(f) {}
  Tensor forward(const Tensor& x) override { return call(x); }
  Forward call;
};
template <class Forward>
std::vector<std::string> layers_of(const Dims& shape, Forward forward) {
  Function<Forward> module(forward);
  return layers(network_of(module, shape));
}

struct Residual : Module {
  explicit Residual(int64_t channels)
      : conv1(add("conv1", Conv2d(channels, channels, 3, 1, 1))),
        bn1(add("bn1", BatchNorm2d(channels))),
        conv2(add("conv2", Conv2d(channels, channels, 3, 1, 1))) {}
  Tensor forward(const Tensor& x) override { return relu(conv2(relu(bn1(conv1(x)))) + x); }
  Conv2d& conv1;
  BatchNorm2d& bn1;
  Conv2d& conv2;
};

// Two steps down, two up, with skip connections.
struct UNet : Module {
  Conv2d& down1 = add("down1", Conv2d(1, 4, 3, 1, 1));
  Conv2d& down2 = add("down2", Conv2d(4, 8, 3, 1, 1));
  Conv2d& bottom = add("bottom", Conv2d(8, 8, 3, 1, 1));
  ConvTranspose2d& up2 = add("up2", ConvTranspose2d(8, 8, 2, 2));
  Conv2d& merge2 = add("merge2", Conv2d(16, 4, 3, 1, 1));
  ConvTranspose2d& up1 = add("up1", ConvTranspose2d(4, 4, 2, 2));
  Conv2d& merge1 = add("merge1", Conv2d(8, 2, 3, 1, 1));
  MaxPool2d& pool = add("pool", MaxPool2d(2));
  Tensor forward(const Tensor& x) override {
    const Tensor a = relu(down1(x)), b = relu(down2(pool(a)));
    const Tensor c = relu(bottom(pool(b)));
    const Tensor d = relu(merge2(concat({b, up2(c)}, 1)));
    return merge1(concat({a, up1(d)}, 1));
  }
};

TEST(NetworkOf, AResidualBlockIsThatOfTheText) {
  Residual block(6);
  const Network net = network_of(block, {1, 6, 16, 16});
  expect_equal_reports(net, analyze::parse_network({6, 16, 16}, "[ conv 3x3 6 p1, bn, relu, conv 3x3 6 p1 | ] add, relu"));
  EXPECT_THAT(names(net), ElementsAre("input", "conv1", "bn1", "relu1", "conv2", "add1", "relu2"));
  EXPECT_EQ(analyze::analyze(net).parameters, block.num_parameters());
}

TEST(NetworkOf, AUNetIsThatOfTheText) {
  UNet net;
  expect_equal_reports(
      network_of(net, {1, 1, 32, 32}),
      analyze::parse_network({1, 32, 32},
                             "conv 3x3 4 p1, a: relu, max 2, conv 3x3 8 p1, b: relu, max 2, conv 3x3 8 p1, relu, "
                             "up2: convt 2x2 8 s2, from b, concat up2, conv 3x3 4 p1, relu, up1: convt 2x2 4 s2, from a, concat up1, "
                             "conv 3x3 2 p1"));
}

TEST(NetworkOf, LeNetIsThatOfTheText) {
  LeNet net;
  const Network traced = network_of(net, {1, 1, 28, 28});
  expect_equal_reports(traced, analyze::parse_network({1, 28, 28},
                                                      "conv 5x5 6 p2, relu, max 2, conv 5x5 16, relu, max 2, flatten, linear 120, relu, "
                                                      "linear 84, relu, linear 10"));
  EXPECT_EQ(analyze::analyze(traced).parameters, net.num_parameters());
}

TEST(NetworkOf, TheModelsOfTheLibraryKeepTheirParameters) {
  ResNet18 resnet(10, 4);
  EXPECT_EQ(analyze::analyze(network_of(resnet, {2, 3, 64, 64})).parameters, resnet.num_parameters());
  VGG11 vgg({.classes = 10, .width = 4, .hidden = 16});
  EXPECT_EQ(analyze::analyze(network_of(vgg, {1, 3, 64, 64})).parameters, vgg.num_parameters());
  const Network net = network_of(vgg, {1, 3, 64, 64});
  EXPECT_EQ(net.node(1).name, "features.0");
}

TEST(NetworkOf, EveryLayerIsKnown) {
  Sequential line{Conv1d(2, 4, 3, {.dilation = 2}), MaxPool1d(2), AvgPool1d(2), LPPool1d(2, 3), AdaptiveMaxPool1d(5)};
  EXPECT_THAT(layers(network_of(line, {1, 2, 64})),
              ElementsAre("input", "conv 3 4 d2 of 0", "max 2 of 1", "avg 2 of 2", "lp 3 of 3", "adaptive_max 5 of 4"));
  Sequential plane{Conv2d(4, 8, 3, {.padding = same, .groups = 2}),
                   ConvTranspose2d(8, 4, 3, 2, 1, 1),
                   BatchNorm2d(4),
                   BatchNorm2d(4, {.affine = false}),
                   BatchNorm2d(4, {.track_running_stats = false}),
                   ReLU(),
                   LeakyReLU(0.2),
                   Sigmoid(),
                   Tanh(),
                   GELU(),
                   Dropout(0.25),
                   Identity(),
                   MaxPool2d({3, 2}, 2, 1, 1, false, true),
                   AvgPool2d(3, 2),
                   LPPool2d(2, 2),
                   FractionalMaxPool2d(2, {.output_size = 2}),
                   AdaptiveAvgPool2d({1, 2}),
                   Flatten(),
                   Linear(8, 3, false)};
  const Network net = network_of(plane, {1, 4, 12, 12});
  EXPECT_THAT(layers(net), ElementsAre("input", "conv 3x3 8 p1 g2 of 0", "convt 3x3 4 s2 p1 o1 of 1", "bn of 2", "bn w0 of 3",
                                       "norm batch_norm w8 of 4", "relu of 5", "leaky_relu of 6", "sigmoid of 7", "tanh of 8", "gelu of 9",
                                       "dropout of 10", "max 3x2 s2 p1 ceil of 11", "avg 3 s2 of 12", "lp 2 of 13",
                                       "fractional_max 2 out=2 of 14", "adaptive_avg 1x2 of 15", "flatten of 16", "linear 3 nobias of 17"));
  EXPECT_EQ(net.node(3).parameters, 8);
  EXPECT_EQ(net.node(4).parameters, 0);
  EXPECT_EQ(net.node(5).parameters, 8);
  Sequential space{Conv3d(2, 3, 3), MaxPool3d(2), AvgPool3d(2), AdaptiveAvgPool3d(1)};
  EXPECT_THAT(layers(network_of(space, {1, 2, 12, 12, 12})),
              ElementsAre("input", "conv 3x3x3 3 of 0", "max 2 of 1", "avg 2 of 2", "gap of 3"));
}

TEST(NetworkOf, FunctionsOfForwardAreLayers) {
  EXPECT_THAT(layers_of({2, 3, 4, 6},
                        [](const Tensor& x) {
                          const Tensor share = softmax(mean(x, {2, 3}), 1);
                          return share * sum(x, {2, 3});
                        }),
              ElementsAre("input", "mean 2 3 of 0", "softmax of 1", "reduce sum 2 3 of 0", "mul of 2 3"));
  EXPECT_THAT(layers_of({2, 3, 4, 6},
                        [](const Tensor& x) {
                          const Tensor line = x * 2 + 1;
                          return line - x.transpose(2, 3).transpose(-1, -2);
                        }),
              ElementsAre("input", "elementwise scale saves_output of 0", "elementwise shift saves_output of 1", "transpose 0 1 3 2 of 0",
                          "transpose 0 1 3 2 of 3", "merge sub of 2 4"));
  EXPECT_THAT(layers_of({2, 3, 4, 6}, [](const Tensor& x) { return concat({x.slice(2, 1, 4, 2), x.slice(2, 0, 2)}, 3); }),
              ElementsAre("input", "slice 2 1:4:2 of 0", "slice 2 0:2 of 0", "concat 3 of 1 2"));
  EXPECT_THAT(layers_of({2, 3, 4, 6}, [](const Tensor& x) { return reshape(x[0].select(-1, -2), {12}); }),
              ElementsAre("input", "slice 0 0:1 of 0", "reshape 3x4x6 of 1", "slice 2 4:5 of 2", "reshape 3x4 of 3", "reshape 12 of 4"));
  EXPECT_THAT(layers_of({5, 7}, [](const Tensor& x) { return matmul(x, x.transpose(0, 1)); }),
              ElementsAre("input", "transpose 1 0 of 0", "matmul of 0 1"));
  EXPECT_THAT(layers_of({1, 2, 4, 4},
                        [](const Tensor& x) {
                          const Tensor all = exp(x.clone(MemoryFormat::channels_last));
                          return all + global_max_pool2d(x);
                        }),
              ElementsAre("input", "exp of 0", "gmp of 0", "add of 1 2"));
  // Pictures without a batch.
  EXPECT_THAT(layers_of({2, 4, 4}, [](const Tensor& x) { return max_pool2d(conv2d(x, ones({3, 2, 1, 1})), 2); }),
              ElementsAre("input", "reshape 1x2x4x4 of 0", "conv 1x1 3 nobias of 1", "reshape 3x4x4 of 2", "reshape 1x3x4x4 of 3",
                          "max 2 of 4", "reshape 3x2x2 of 5"));
}

TEST(NetworkOf, PoolingAndUnpoolingWithIndices) {
  EXPECT_THAT(layers_of({1, 2, 7, 7},
                        [](const Tensor& x) {
                          const Pooled pooled = max_pool2d_with_indices(x, 2);
                          return max_unpool2d(pooled.values, pooled.indices, {.kernel_size = 2, .output_size = {7, 7}});
                        }),
              ElementsAre("input", "max 2 of 0", "unpool 2 out=7 of 1"));
}

TEST(NetworkOf, ParametersAreThoseOfTheModule) {
  Function fixed([](const Tensor& x) { return nn::conv2d(x, ones({2, 2, 3, 3})); });
  EXPECT_EQ(analyze::analyze(network_of(fixed, {1, 2, 5, 5})).parameters, 0);
  Conv2d conv(2, 2, 3);  // the module itself is a layer
  const Network net = network_of(conv, {1, 2, 5, 5});
  EXPECT_EQ(net.node(1).name, "conv1");
  EXPECT_EQ(net.node(1).parameters, 38);
}

TEST(NetworkOf, SharedPartsCountTheirParametersOnce) {
  struct Twice : Module {
    Conv2d& conv = add("conv", Conv2d(3, 3, 3, 1, 1));
    Tensor forward(const Tensor& x) override { return conv(relu(conv(x))); }
  } net;
  const Network traced = network_of(net, {1, 3, 8, 8});
  EXPECT_THAT(names(traced), ElementsAre("input", "conv", "relu1", "conv_2"));
  EXPECT_EQ(analyze::analyze(traced).parameters, net.num_parameters());
}

TEST(NetworkOf, ParametersOfForwardAreConstants) {
  struct Scaled : Module {
    Tensor gain = add_parameter("gain", full({3, 1, 1}, 2));
    Tensor offset = add_buffer("offset", full({1, 3, 4, 4}, 2));
    Tensor forward(const Tensor& x) override { return x * exp(gain) * gain + offset; }
  } net;
  const Network traced = network_of(net, {1, 3, 4, 4});
  EXPECT_THAT(layers(traced), ElementsAre("input", "constant", "mul of 0 1", "constant", "mul of 2 3", "constant", "add of 4 5"));
  EXPECT_EQ(analyze::analyze(traced).parameters, 3);
  EXPECT_EQ(traced.node(3).name, "gain");
}

TEST(NetworkOf, WhatIsNotKnownIsNamed) {
  EXPECT_THAT(layers_of({1, 2, 4, 4}, [](const Tensor& x) { return relu(x).as_strided({1, 2}, {1, 1}); }),
              ElementsAre("input", "relu of 0", "unknown as_strided of 1"));
  const auto squared = [](const Tensor& x) {
    return record("square", {x}, x.detach() * x.detach(), [x = Saved(x)](const Tensor& g) { return Gradients{2 * x.get() * g}; });
  };
  Function module([=](const Tensor& x) { return relu(squared(x)); });
  const Network net = network_of(module, {1, 2, 4, 4});
  EXPECT_THAT(layers(net), ElementsAre("input", "unknown square of 0", "relu of 1"));
  EXPECT_EQ(net.node(2).blocked_by, 1);
  // Weights that depend on the input.
  EXPECT_THAT(layers_of({2, 2}, [](const Tensor& x) { return linear(x, x); }), ElementsAre("input", "unknown linear of 0 0"));
}

TEST(NetworkOf, ValuesBesideTheGradientsAreNotTakenForConstants) {
  // A mask of ones is a constant, one that was computed from the input is not.
  EXPECT_THAT(layers_of({1, 2, 4}, [](const Tensor& x) { return x * ones({1, 2, 4}); }), ElementsAre("input", "constant", "mul of 0 1"));
  Function gated([](const Tensor& x) { return x * sigmoid(x.detach()); });
  const Network net = network_of(gated, {1, 2, 4});
  EXPECT_THAT(layers(net), ElementsAre("input", "unknown unrecorded", "mul of 0 1"));
  EXPECT_FALSE(net.node(2).is_known());
  EXPECT_THAT([] { layers_of({1, 2, 4}, [](const Tensor& x) { return x.detach(); }); },
              testing::ThrowsMessage<Error>(HasSubstr("network_of: the result of forward must be computed from its input")));
}

TEST(NetworkOf, TheModuleIsLeftAsItWas) {
  Sequential net{Residual(3), Dropout(0.5)};
  net.children()[1].second->eval();
  const uint64_t seed = random_state().drawn;
  std::vector<std::string> before, after;
  for (const auto& [name, value] : net.state_dict()) before.push_back(name + to_string(value));
  network_of(net, {2, 3, 8, 8});
  for (const auto& [name, value] : net.state_dict()) after.push_back(name + to_string(value));
  EXPECT_EQ(before, after);
  EXPECT_EQ(random_state().drawn, seed);
  EXPECT_TRUE(net.is_training());
  EXPECT_TRUE(net.children()[0].second->children()[1].second->is_training());
  EXPECT_FALSE(net.children()[1].second->is_training());
  for (const Tensor& p : net.parameters()) EXPECT_FALSE(p.grad().defined());
  // An error restores it too.
  EXPECT_THROW(network_of(net, {2, 4, 8, 8}), Error);
  EXPECT_TRUE(net.children()[0].second->is_training());
}

TEST(NetworkOf, AnInferenceScopeOfTheCallerDoesNotMatter) {
  const NoGrad no_grad;
  LeNet net;
  EXPECT_EQ(network_of(net, {1, 1, 28, 28}).nodes().size(), 13U);
}

}  // namespace
}  // namespace tidepool::nn
