// Convolutions, poolings and resizing of ONNX files, compared with the same layers in the text form.
#include <gmock/gmock.h>

#include "analyze/onnx_writer.h"
#include "tidepool/analyze/layers.h"
#include "tidepool/analyze/report.h"

namespace tidepool::analyze {

using testing::HasSubstr;

namespace {

using Attributes = std::vector<std::string>;
using List = std::vector<int64_t>;

Network conv(const List& shape, const List& weights, const Attributes& attributes, bool bias = true) {
  return read_built(shape, [&](OnnxWriter& file) {
    file.weights("w", weights).weights("b", {weights[0]});
    file.node("Conv", bias ? std::vector<std::string>{"x", "w", "b"} : std::vector<std::string>{"x", "w"}, {"y"}, attributes);
  });
}

Network conv_transpose(const List& shape, const List& weights, const Attributes& attributes) {
  return read_built(shape, [&](OnnxWriter& file) { file.weights("w", weights).node("ConvTranspose", {"x", "w"}, {"y"}, attributes); });
}

Network one(std::string_view op, const List& shape, const Attributes& attributes, int64_t opset = 17) {
  return read_built(shape, [&](OnnxWriter& file) { file.node(op, {"x"}, {"y"}, attributes); }, opset);
}

Attributes kernel(const List& sizes) { return {attribute("kernel_shape", sizes)}; }

}  // namespace

TEST(OnnxConvolution, OptionsAndDefaults) {
  EXPECT_EQ(difference(conv({1, 3, 8, 9}, {16, 3, 3, 3}, {}), "conv 3x3 16"), "");
  EXPECT_EQ(difference(conv({2, 4, 9, 9}, {8, 2, 3, 5},
                            {attribute("group", 2), attribute("pads", List{1, 0, 2, 1}), attribute("strides", List{2, 1})}, false),
                       "conv 3x5 8 p1:2x0:1 s2x1 g2 nobias"),
            "");
  EXPECT_EQ(difference(conv({1, 4, 20, 20}, {4, 1, 3, 3},
                            {attribute("dilations", List{2, 3}), attribute("group", 4), attribute("kernel_shape", List{3, 3})}),
                       "conv 3x3 4 d2x3 gdw"),
            "");
  EXPECT_EQ(difference(conv({1, 2, 30}, {5, 2, 4}, {}), "conv 4 5"), "");
  EXPECT_EQ(difference(conv({1, 2, 6, 7, 8}, {5, 2, 3, 3, 3}, {attribute("pads", List{1, 1, 1, 1, 1, 1})}), "conv 3x3x3 5 p1"), "");
}

TEST(OnnxConvolution, AutoPad) {
  EXPECT_EQ(difference(conv({1, 3, 7, 8}, {4, 3, 3, 3}, {attribute("auto_pad", "SAME_UPPER"), attribute("strides", List{2, 2})}),
                       "conv 3x3 4 s2 same"),
            "");
  EXPECT_EQ(difference(conv({1, 3, 7, 8}, {4, 3, 2, 2}, {attribute("auto_pad", "SAME_LOWER")}), "conv 2x2 4 same_lower"), "");
  EXPECT_EQ(
      difference(conv({1, 3, 7, 8}, {4, 3, 3, 3}, {attribute("auto_pad", "VALID"), attribute("pads", List{1, 1, 1, 1})}), "conv 3x3 4"),
      "");
  EXPECT_EQ(
      difference(conv({1, 3, 7, 8}, {4, 3, 3, 3}, {attribute("auto_pad", "NOTSET"), attribute("pads", List{1, 1, 1, 1})}), "conv 3x3 4 p1"),
      "");
}

TEST(OnnxConvolution, SharedWeightsCountOnce) {
  const Network net = read_built({1, 4, 8, 8}, [](OnnxWriter& file) {
    file.weights("w", {4, 4, 3, 3}).weights("b", {4});
    for (const auto& [from, to] : {std::pair("x", "a"), std::pair("a", "y")})
      file.node("Conv", {from, "w", "b"}, {to}, {attribute("pads", List{1, 1, 1, 1})});
  });
  EXPECT_EQ(analyze(net).parameters, 4 * 4 * 9 + 4);
}

// Exported without weights: the weights are inputs that only convolutions read.
TEST(OnnxConvolution, InputsThatAreWeights) {
  OnnxWriter file;
  file.input("x", {1, 3, 8, 8}).input("w", {6, 3, 3, 3}).input("b", {6}).node("Conv", {"x", "w", "b"}, {"y"}).output("y");
  const Network net = file.read();
  EXPECT_EQ(net.inputs().size(), 1u);
  EXPECT_EQ(difference(net, "conv 3x3 6"), "");
}

TEST(OnnxConvolution, ComputedWeightsAreUnknown) {
  OnnxWriter file;
  file.input("x", {1, 3, 8, 8}).input("v", {6, 3, 3, 3}).node("Relu", {"v"}, {"w"}).node("Conv", {"x", "w"}, {"y"}).output("y");
  EXPECT_EQ(unknown_function(output_of(file.read())), "Conv");
  EXPECT_FALSE(output_of(file.read()).is_known());
}

TEST(OnnxConvolution, Transposed) {
  EXPECT_EQ(difference(conv_transpose({1, 6, 5, 5}, {6, 4, 2, 2}, {attribute("strides", List{2, 2})}), "convt 2x2 4 s2 nobias"), "");
  EXPECT_EQ(difference(conv_transpose({1, 6, 5, 5}, {6, 2, 3, 3},
                                      {attribute("group", 2), attribute("pads", List{1, 1, 1, 1}), attribute("strides", List{2, 2}),
                                       attribute("output_padding", List{1, 1}), attribute("dilations", List{2, 2})}),
                       "convt 3x3 4 s2 p1 o1 d2 g2 nobias"),
            "");
}

TEST(OnnxConvolution, TransposedToASize) {
  const Attributes twice = {attribute("strides", List{3, 2}), attribute("output_shape", List{10, 8})};
  EXPECT_EQ(output_of(conv_transpose({1, 1, 3, 3}, {1, 2, 3, 3}, twice)).shape, (Dims{1, 2, 10, 8}));
  const Attributes same = {attribute("strides", List{2, 2}), attribute("auto_pad", "SAME_UPPER")};
  EXPECT_EQ(difference(conv_transpose({1, 1, 3, 3}, {1, 1, 3, 3}, same), "convt 3x3 1 s2 p0:1 nobias"), "");
  const Attributes lower = {attribute("strides", List{2, 2}), attribute("auto_pad", "SAME_LOWER")};
  EXPECT_EQ(difference(conv_transpose({1, 1, 3, 3}, {1, 1, 3, 3}, lower), "convt 3x3 1 s2 p1:0 nobias"), "");
}

TEST(OnnxPooling, Windows) {
  Attributes options = kernel({3, 2});
  EXPECT_EQ(difference(one("MaxPool", {1, 3, 8, 9}, options), "max 3x2 s1"), "");
  options.push_back(attribute("strides", List{2, 3}));
  EXPECT_EQ(difference(one("AveragePool", {1, 3, 8, 9}, options), "avg 3x2 s2x3"), "");
  options.push_back(attribute("ceil_mode", 1));
  options.push_back(attribute("pads", List{1, 0, 1, 1}));
  EXPECT_EQ(difference(one("MaxPool", {1, 3, 8, 9}, options), "max 3x2 s2x3 p1x0:1 ceil"), "");
  EXPECT_EQ(difference(one("LpPool", {1, 3, 9}, kernel({3})), "lp 3 s1"), "");
  EXPECT_EQ(difference(one("MaxPool", {1, 3, 9, 9}, {attribute("kernel_shape", List{3, 3}), attribute("dilations", List{2, 2})}),
                       "max 3x3 s1 d2"),
            "");
  EXPECT_EQ(difference(one("AveragePool", {1, 3, 9, 9},
                           {attribute("kernel_shape", List{3, 3}), attribute("dilations", List{2, 2}), attribute("count_include_pad", 1)}),
                       "avg 3x3 s1 d2"),
            "");
  EXPECT_EQ(difference(one("MaxPool", {1, 3, 9, 9},
                           {attribute("kernel_shape", List{2, 2}), attribute("strides", List{2, 2}), attribute("auto_pad", "SAME_UPPER")}),
                       "max 2x2 s2 same"),
            "");
}

TEST(OnnxPooling, WholePlanes) {
  EXPECT_EQ(difference(one("GlobalAveragePool", {1, 3, 8, 9}, {}), "gap"), "");
  EXPECT_EQ(difference(one("GlobalMaxPool", {1, 3, 8, 9}, {}), "gmp"), "");
  EXPECT_EQ(output_of(one("GlobalLpPool", {2, 3, 8}, {})).shape, (Dims{2, 3, 1}));
  EXPECT_EQ(output_of(one("GlobalAveragePool", {2, 3, 4, 5, 6, 7}, {})).shape, (Dims{2, 3, 1, 1, 1, 1}));
}

TEST(OnnxPooling, IndicesAndUnpooling) {
  const auto unpooled = [](const List& size) {
    return read_built({1, 2, 7, 7}, [&](OnnxWriter& file) {
      const Attributes windows = {attribute("kernel_shape", List{2, 2}), attribute("strides", List{2, 2})};
      file.ints("size", size).node("MaxPool", {"x"}, {"p", "i"}, windows);
      file.node("MaxUnpool", size.empty() ? std::vector<std::string>{"p", "i"} : std::vector<std::string>{"p", "i", "size"}, {"y"},
                windows);
    });
  };
  EXPECT_EQ(difference(unpooled({}), "max 2, unpool 2"), "");
  EXPECT_EQ(difference(unpooled({1, 2, 7, 7}), "max 2, unpool 2 out=7"), "");
}

TEST(OnnxPooling, Refusals) {
  const auto refused = [](const std::string& op, const List& shape, const Attributes& attributes) {
    OnnxWriter file;
    file.input("x", {shape.begin(), shape.end()}).node(op, {"x"}, {"y"}, attributes, "n").output("y");
    return refusal(file.file());
  };
  EXPECT_EQ(refused("MaxPool", {1, 3, 8, 8}, {}), "read_onnx: node 'n' (MaxPool): attribute 'kernel_shape' is missing");
  EXPECT_EQ(refused("MaxPool", {1, 3, 8, 8}, kernel({2})),
            "read_onnx: node 'n' (MaxPool): attribute 'kernel_shape' must have 2 values, got 1");
  EXPECT_THAT(refused("MaxPool", {1, 3, 8, 8}, kernel({0, 1})), HasSubstr("node 'n' (MaxPool): max_pool2d: kernel_size must be"));
  EXPECT_THAT(refused("MaxPool", {1, 3}, kernel({2})), HasSubstr("3 to 5 dimensions"));
  EXPECT_THAT(refused("GlobalMaxPool", {4, 3}, {}), HasSubstr("must have spatial dimensions"));
  EXPECT_THAT(refused("MaxPool", {1, 3, 8, 8}, {attribute("kernel_shape", "2")}),
              HasSubstr("attribute 'kernel_shape' must be a list of integers"));
  EXPECT_THAT(refused("MaxPool", {1, 3, 8}, {attribute("kernel_shape", List{2}), attribute("auto_pad", "SAME")}),
              HasSubstr("must be NOTSET"));
}

}  // namespace tidepool::analyze
