// The text of layers: what is printed can be read again and means the same.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

namespace {

const Dims image{1, 12, 20, 24};

std::string printed(std::string_view text, const Dims& input = image) { return to_string(parse_layer_text(text, input)); }

std::string message_of(std::string_view text, const Dims& input = image) {
  try {
    parse_layer_text(text, input);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::parse) << text;
    return e.message();
  }
  return "no error";
}

}  // namespace

TEST(LayerText, IsPrintedAsItIsRead) {
  for (const std::string_view text : {"conv 3x3 32",
                                      "conv 3 8",
                                      "conv 3x1 16 s2x1 p1:0x0:1 d2 g4 nobias",
                                      "conv 5x5 8 same",
                                      "conv 5x5 8 same_lower",
                                      "convt 2x2 16 s2 p1 o1 d3 g2",
                                      "max 2",
                                      "max 3 s2 p1",
                                      "min 3x2 s1",
                                      "avg 3 s2 p1 d2 ceil",
                                      "sum 2 ceil_full",
                                      "lp 2x2",
                                      "max 3 s2 p2 onnx",
                                      "avg 2 floor caffe",
                                      "avg 2 caffe",
                                      "max 3 same tensorflow",
                                      "adaptive_avg 7",
                                      "adaptive_max 3x*",
                                      "adaptive_min 2",
                                      "gap",
                                      "gmp",
                                      "fractional_max 2 out=7",
                                      "unpool 2",
                                      "unpool 3 s2 p1 out=39x47",
                                      "up 2",
                                      "up 1.5x2",
                                      "up 0.1",
                                      "up 2 linear",
                                      "up 2 linear align",
                                      "up 2 cubic asymmetric",
                                      "up 2 half_pixel ceil",
                                      "resize 9 round_down",
                                      "resize 7x5 linear",
                                      "resize 7x5 align round_up",
                                      "linear 10",
                                      "linear 10 nobias",
                                      "flatten",
                                      "flatten 2 3",
                                      "reshape 1x12x480",
                                      "transpose 0 2 3 1",
                                      "slice 1 0:4",
                                      "slice 3 -8:24:3",
                                      "pad 1",
                                      "pad 0:1x2 reflect",
                                      "pad -1",
                                      "pad 1 replicate",
                                      "pad 2:1 circular",
                                      "pad 0x2x0x1 all",
                                      "pad 1 all",
                                      "softmax",
                                      "softmax -1",
                                      "mean",
                                      "mean 2 3",
                                      "mean 1 keepdim",
                                      "reduce sum 2 3",
                                      "reduce amax 1 keepdim",
                                      "bn",
                                      "bn w0",
                                      "relu",
                                      "dropout",
                                      "identity",
                                      "prelu",
                                      "layer_norm w24",
                                      "group_norm w0",
                                      "lrn",
                                      "lrn w1",
                                      "norm spectral w3",
                                      "elementwise exp2",
                                      "elementwise exp2 saves_output",
                                      "elementwise scale normalisation w1",
                                      "elementwise relu",
                                      "add",
                                      "sub",
                                      "mul",
                                      "div",
                                      "merge max",
                                      "merge pow add",
                                      "concat",
                                      "concat 2",
                                      "matmul",
                                      "unknown NonMaxSuppression"}) {
    const std::string once = printed(text);
    EXPECT_EQ(printed(once), once) << text;
    if (text != "mean") {
      EXPECT_EQ(once, text);
    }
  }
}

TEST(LayerText, ShortFormsStandForLongOnes) {
  const std::pair<const char*, const char*> forms[] = {
      {"conv 3x3 24 gdw", "conv 3x3 24 g12"},
      {"conv 3x3 8 p0 s1 d1 g1", "conv 3x3 8"},
      {"conv 3x3 8 p1x1", "conv 3x3 8 p1"},
      {"max 2 s2", "max 2"},
      {"max 2x2 s2", "max 2x2"},
      {"max 3 floor", "max 3"},
      {"avg 2 ceil caffe", "avg 2 caffe"},
      {"adaptive_avg 1x1", "gap"},
      {"up 2 nearest", "up 2"},
      {"pad 0:1x2:2", "pad 0:1x2"},
      {"crop 1", "pad -1"},
      {"crop 1:2x0 ", "pad -1:-2x0"},
      {"mean", "mean 2 3"},
      {"ln", "layer_norm w24"},
      {"gn", "group_norm w24"},
      {"in", "instance_norm w24"},
      {"rms", "rms_norm w12"},
      {"reshape 1x-1", "reshape 1x5760"},
      {"reshape 12x4x-1", "reshape 12x4x120"},
      {"dropout 0.5", "dropout"},
      {"slice 1 0:4:1", "slice 1 0:4"},
      {"  relu ", "relu"},
  };
  for (const auto& [given, expected] : forms) EXPECT_EQ(printed(given), expected) << given;
}

TEST(LayerText, MeansTheSameAfterPrinting) {
  for (const std::string_view text : {"conv 3x2 24 s2x1 p1:0 d2 g4", "convt 3x3 8 s2 p1 o1", "max 3 s2 p1 ceil", "adaptive_avg 7x*",
                                      "unpool 2 out=41x48", "up 1.5 linear", "pad 1:2x0:3", "pad 0x2x0x1 all", "transpose 0 2 3 1",
                                      "slice 3 -8:24:3", "mean 1 keepdim", "flatten 2", "reshape 1x12x480", "ln", "bn"}) {
    Network net;
    const int input = net.input("x", image);
    const Node given = net.node(net.add(parse_layer_text(text, image), {input}));
    const Node again = net.node(net.add(parse_layer_text(to_string(given.layer), image), {input}));
    EXPECT_EQ(again.shape, given.shape) << text;
    EXPECT_EQ(again.parameters, given.parameters) << text;
    EXPECT_EQ(again.multiply_adds, given.multiply_adds) << text;
  }
}

TEST(LayerText, MistakesAreNamed) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"", "layer: the text is empty"},
      {"convolve 3x3 8", "unknown layer 'convolve'"},
      {"conv", "'conv' needs a kernel size"},
      {"conv 3x3", "'conv' needs a number of channels"},
      {"conv 3y3 8", "expected a number in '3y3'"},
      {"conv 3x3x3x3 8", "at most 3 axes in '3x3x3x3'"},
      {"conv 3x3 8 p1 p2", "unknown option 'p2' of 'conv'"},
      {"conv 3x3 8 q7", "unknown option 'q7' of 'conv'"},
      {"conv 3x3 8 p1:2:3", "expected before:after in 'p1:2:3'"},
      {"conv 3x3 8 p1x1x1x1", "at most 3 axes in 'p1x1x1x1'"},
      {"conv 3x3 99999999999999999999", "expected a number in '99999999999999999999'"},
      {"max", "'max' needs a kernel size"},
      {"max 2 o1", "unknown option 'o1' of 'max'"},
      {"adaptive_avg", "'adaptive_avg' needs an output size"},
      {"gap 2", "unknown option '2' of 'gap'"},
      {"fractional_max 2", "'fractional_max' needs out=, the output size"},
      {"up", "'up' needs a factor"},
      {"up 0", "expected a factor above 0, got '0'"},
      {"up inf", "expected a number in 'inf'"},
      {"up 1e999", "expected a number in '1e999'"},
      {"up 1.2.3", "expected a number in '1.2.3'"},
      {"resize", "'resize' needs an output size"},
      {"linear ten", "expected a number in 'ten'"},
      {"pad", "'pad' needs a number of cells"},
      {"pad 1x2x3", "'pad' needs 1 or 2 values, got 1x2x3"},
      {"crop -9223372036854775808", "expected a number of cells in '-9223372036854775808'"},
      {"dropout 1.5", "expected a probability between 0 and 1, got '1.5'"},
      {"reshape 1x-1x7", "-1 in '1x-1x7' has no size that fits 1x12x20x24"},
      {"reshape 1x2x3x4x5x6x7x8x9", "at most 8 dimensions in '1x2x3x4x5x6x7x8x9'"},
      {"slice 1", "'slice' needs a range, such as 0:16"},
      {"slice 1 4", "expected begin:end or begin:end:step, got '4'"},
      {"reduce", "'reduce' needs a function, such as sum"},
      {"merge", "'merge' needs the name of a function"},
      {"unknown", "'unknown' needs the name of a function"},
      {"flatten 1 2 3", "unknown option '3' of 'flatten'"},
  };
  for (const auto& [text, expected] : mistakes) EXPECT_TRUE(message_of(text).starts_with(expected)) << text << ": " << message_of(text);
}

}  // namespace tidepool::analyze
