// Fields by gradients: small networks whose fields are known, what a proof says when it fails, and effective fields.
#include "tidepool/nn/prove.h"

#include <gmock/gmock.h>

#include <numeric>

#include "tidepool/analyze/text.h"
#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

using analyze::Network;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// "0 2 4": the cells with a gradient, counted one after the other.
std::string cells_of(const InputProof& proof) {
  std::string text;
  for (size_t i = 0; i < proof.has_gradient.size(); ++i)
    if (proof.has_gradient[i]) text += (text.empty() ? "" : " ") + std::to_string(i);
  return text;
}

std::string cells(const Dims& shape, const char* layers, const std::vector<int64_t>& cell) {
  const Network net = analyze::parse_network(shape, layers);
  const Proof proof = prove(net, net.outputs()[0], cell);
  EXPECT_TRUE(proof.holds());
  EXPECT_TRUE(proof.exact);
  EXPECT_EQ(proof.inputs[0].with_gradient, proof.inputs[0].computed);
  return cells_of(proof.inputs[0]);
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(Prove, FieldsThatAreKnown) {
  EXPECT_EQ(cells({1, 12}, "conv 3 2 p1", {0}), "0 1");
  EXPECT_EQ(cells({1, 12}, "conv 3 2 d2", {3}), "3 5 7");
  EXPECT_EQ(cells({1, 12}, "max 2, max 2", {1}), "4 5 6 7");
  EXPECT_EQ(cells({1, 12}, "conv 1 2 s3, conv 3 2", {0}), "0 3 6");
  EXPECT_EQ(cells({1, 12}, "convt 2 1 s2", {7}), "3");
  EXPECT_EQ(cells({1, 12}, "up 2 linear", {7}), "3 4");
  EXPECT_EQ(cells({1, 12}, "[ conv 3 1 p1 | conv 3 1 p3 d3 ] concat, relu", {5}), "2 4 5 6 8");
  EXPECT_EQ(cells({1, 3, 4}, "max 2x3 s1", {1, 0}), "4 5 6 8 9 10");
  EXPECT_EQ(cells({1, 5}, "flatten, linear 3", {}), "0 1 2 3 4");
  EXPECT_EQ(cells({1, 1, 3, 3, 3}, "avg 2x2x1 s1", {1, 0, 2}), "11 14 20 23");
}

TEST(Prove, DeepNetworksDoNotUnderflow) {
  // The corner of the field has one path of 3^200 weights.
  std::string layers = "( conv 3 1 p1 ) x200";
  const Network net = analyze::parse_network({1, 500}, layers);
  const Proof proof = prove(net, net.outputs()[0], {250});
  EXPECT_TRUE(proof.equal);
  EXPECT_EQ(proof.inputs[0].with_gradient, 401);
}

TEST(Prove, InputsThatDoNotMatterHaveNoGradient) {
  Network net;
  const int a = net.input("a", {1, 2, 4}), b = net.input("b", {1, 2, 4});
  const int relu = net.add(analyze::Elementwise{analyze::Elementwise::Kind::activation, "relu"}, {b});
  net.add(analyze::Merge{}, {a, relu});
  const Proof proof = prove(net, relu, {2});
  EXPECT_TRUE(proof.equal);
  EXPECT_EQ(proof.inputs[0].with_gradient, 0);
  EXPECT_EQ(cells_of(proof.inputs[1]), "2");
  EXPECT_TRUE(prove(net, a, {1}).equal);  // an input is its own field
  Network constants;
  constants.input("x", {1, 1, 3});
  const int constant = constants.constant({1, 1, 3});
  EXPECT_TRUE(prove(constants, constant, {1}).equal);
}

TEST(Prove, UpperBoundsHoldAsSuch) {
  Network net;
  const int x = net.input("x", {1, 1, 9, 9});
  const int pool = net.add(analyze::FractionalPool{{{2}, 1}, {{4}, 1}}, {x});
  const Proof proof = prove(net, pool, {1, 1});
  EXPECT_FALSE(proof.exact);
  EXPECT_FALSE(proof.equal);
  EXPECT_TRUE(proof.contained);
  EXPECT_TRUE(proof.holds());
  EXPECT_FALSE(proof.inputs[0].computed_only.empty());
  EXPECT_TRUE(proof.inputs[0].gradient_only.empty());
  EXPECT_LE(proof.inputs[0].computed_only.size(), 16U);
}

TEST(Prove, RefusesWhatCannotBeRun) {
  Network net;
  const int x = net.input("x", {1, 1, 4});
  const int unknown = net.add(analyze::Unknown{"Magic"}, {x}, "trick");
  EXPECT_THAT([&] { run_network(net, unknown, {ones({1, 1, 4})}); },
              ThrowsMessage<Error>("run_network: layer 'trick' (unknown Magic) cannot be run"));
  EXPECT_THROW(prove(net, unknown, {}), Error);
  EXPECT_THROW(prove(net, x, {4}), Error);
  EXPECT_THROW(prove(net, 7, {0}), Error);
  const int odd = net.add(analyze::Elementwise{analyze::Elementwise::Kind::activation, "wavelet"}, {x}, "odd");
  EXPECT_TRUE(prove(net, odd, {1}).equal);  // whatever it computes, it computes cell by cell
  EXPECT_THAT([&] { effective_field(net, odd, {1}); },
              ThrowsMessage<Error>(HasSubstr("run_network: layer 'odd' (elementwise wavelet) cannot be run")));
  EXPECT_THAT([&] { run_network(net, x, {}); }, ThrowsMessage<Error>(HasSubstr("inputs must be 1")));
  EXPECT_THAT([&] { run_network(net, x, {ones({1, 1, 5})}); }, ThrowsMessage<Error>(HasSubstr("input 'x' must have shape 1x1x4")));
  Network large;
  const int wide = large.add(analyze::Pad{{0, 0, Sides(0, 1 << 29)}}, {large.input("x", {1, 1, 4})}, "wide");
  EXPECT_THAT([&] { prove(large, wide, {0}); },
              ThrowsMessage<Error>(HasSubstr("activations and weights must be at most 536870912 numbers")));
}

// Nothing large is allocated before a network is refused.
TEST(Prove, RefusesWhatIsTooLarge) {
  const int64_t most = int64_t{1} << 30;
  Network input;
  const int unused = input.input("x", {1, 1, most}), y = input.input("y", {1, 1, 4});
  EXPECT_THAT([&] { prove(input, unused, {0}); }, ThrowsMessage<Error>(HasSubstr("got more up to layer 'x'")));
  EXPECT_THROW(prove(input, y, {0}), Error);
  EXPECT_THROW(effective_field(input, y, {0}), Error);
  const auto refused = [](const Dims& shape, const analyze::Layer& layer, const char* message) {
    Network net;
    const int node = net.add(layer, {net.input("x", shape)});
    EXPECT_THAT([&] { prove(net, node, std::vector<int64_t>(net.node(node).shape.size() - 2)); }, ThrowsMessage<Error>(HasSubstr(message)));
  };
  refused({1, 1 << 15, 1}, analyze::Conv{.out_channels = 1 << 15, .kernel_size = {{1}, 1}}, "activations and weights must be at most");
  refused({1, 1 << 14, 64, 65}, analyze::Conv{.out_channels = 1 << 14, .kernel_size = {{1}, 1}}, "multiply-adds must be at most");
  // Padding cuts the whole result off but for a cell.
  const Pads cut{.sides = {Sides(most, most)}};
  refused({1, 1, (1 << 11) + 1},
          analyze::ConvTranspose{.out_channels = 1, .kernel_size = {{1}, 1}, .stride = {{1 << 20}, 1}, .padding = cut},
          "it takes an array of 1x1x2147483649, more than 536870912 numbers");
  refused({1, 1, 1 << 14}, analyze::Resize{.output_size = {{1 << 15}, 1}}, "axes of 16384 and 32768 cells are too long");
}

TEST(RunNetwork, ComputesWhatTheLayersCompute) {
  const Tensor x = randn({2, 3, 9, 9}, 5);
  const auto last = [&](const char* layers) {
    const Network net = analyze::parse_network({2, 3, 9, 9}, layers);
    return run_network(net, net.outputs()[0], {x}, {.seed = 3});
  };
  EXPECT_TRUE(equal(last("max 3 s2 p1, relu"), relu(max_pool2d(x, 3, 2, 1))));
  EXPECT_TRUE(equal(last("avg 2 ceil"), avg_pool2d(x, {.kernel_size = 2, .ceil_mode = true})));
  EXPECT_TRUE(equal(last("[ gelu | tanh ] concat, adaptive_max 4"), adaptive_max_pool2d(concat({gelu(x), tanh(x)}, 1), 4)));
  EXPECT_TRUE(equal(last("up 2, crop 1"), last("up 2, crop 1")));
  EXPECT_TRUE(allclose(last("resize 5x7 linear align")[0][0][4], last("resize 9x7 linear align")[0][0][8]));  // the last rows coincide
  EXPECT_TRUE(allclose(tidepool::sum(last("up 3 cubic")) * (1.0 / 9), tidepool::sum(last("up 3 cubic, avg 3")), {.rtol = 1e-3}));
  EXPECT_TRUE(equal(last("pad 2 reflect")[0][0][0], last("pad 2 reflect")[0][0][4]));
  EXPECT_TRUE(equal(last("pad 2 circular")[0][0][0], last("pad 2 circular")[0][0][9]));
  EXPECT_TRUE(equal(last("mean"), mean(x, {2, 3})));
  // Weights: He's variance, the same for the same seed.
  const Tensor y = last("conv 3x3 64, flatten");
  EXPECT_TRUE(equal(y, last("conv 3x3 64, flatten")));
  EXPECT_NEAR(mean(y * y).item() / (2 * mean(x * x).item()), 1, 0.25);
}

// An unpooling puts every value into its window, and a layer whose weights are shared has them once.
TEST(RunNetwork, UnpoolsAndShares) {
  const Network net = analyze::parse_network({1, 2, 6, 6}, "unpool 2");
  const Tensor x = ones({1, 2, 6, 6}), y = run_network(net, 1, {x});
  EXPECT_TRUE(equal(max_pool2d(y, 2), x));
  EXPECT_EQ(tidepool::sum(y).item(), 72);
  Network shared;
  const int in = shared.input("x", {1, 2, 6});
  const int a = shared.add(analyze::Conv{.out_channels = 2, .kernel_size = {{1}, 1}}, {in}, "a", "w");
  const int b = shared.add(analyze::Conv{.out_channels = 2, .kernel_size = {{1}, 1}}, {in}, "b", "w");
  const int c = shared.add(analyze::Conv{.out_channels = 2, .kernel_size = {{1}, 1}}, {in}, "c");
  const std::vector<Tensor> inputs{randn({1, 2, 6}, 1)};
  EXPECT_TRUE(equal(run_network(shared, a, inputs), run_network(shared, b, inputs)));
  EXPECT_FALSE(equal(run_network(shared, a, inputs), run_network(shared, c, inputs)));
}

TEST(EffectiveField, IsSmallerThanTheField) {
  const Network net = analyze::parse_network({1, 41, 41}, "( conv 3x3 8 p1, relu ) x8, conv 3x3 8 p1");
  const std::vector<EffectiveField> fields = effective_field(net, net.outputs()[0], {20, 20}, {.runs = 8});
  ASSERT_EQ(fields.size(), 1U);
  const EffectiveField& field = fields[0];
  EXPECT_EQ(field.cells, (Dims{41, 41}));
  EXPECT_NEAR(sum(field.shares), 1, 1e-9);
  EXPECT_THAT(field.centre, ElementsAre(DoubleNear(20, 0.5), DoubleNear(20, 0.5)));
  // The variance of the gradients spreads as a walk of nine steps of variance 2/3. Magnitudes are its roots, which spread √2 times as far.
  EXPECT_THAT(field.deviation, ElementsAre(DoubleNear(3.46, 0.4), DoubleNear(3.46, 0.4)));
  EXPECT_LT(field.most, 19 * 19 * 0.6);
  EXPECT_GT(field.most, 60);
  // No share outside the field.
  EXPECT_EQ(field.shares[20 * 41 + 10], 0);
  EXPECT_GT(field.shares[20 * 41 + 20], field.shares[20 * 41 + 13] * 2);
}

TEST(EffectiveField, OfMaxPoolingIsOneCellARun) {
  const Network net = analyze::parse_network({1, 8}, "max 4");
  const EffectiveField once = effective_field(net, 1, {1}, {.runs = 1})[0];
  EXPECT_EQ(once.most, 1);
  const EffectiveField often = effective_field(net, 1, {1}, {.runs = 200})[0];
  EXPECT_EQ(often.most, 4);
  for (size_t cell = 4; cell < 8; ++cell) EXPECT_NEAR(often.shares[cell], 0.25, 0.1);
}

TEST(EffectiveField, OfNothingIsZero) {
  Network net;
  net.input("x", {1, 1, 3});
  const int constant = net.constant({1, 1, 3});
  const EffectiveField field = effective_field(net, constant, {0})[0];
  EXPECT_EQ(field.most, 0);
  EXPECT_EQ(sum(field.shares), 0);
  EXPECT_THROW(effective_field(net, 0, {0}, {.runs = 0}), Error);
}

}  // namespace
}  // namespace tidepool::nn
