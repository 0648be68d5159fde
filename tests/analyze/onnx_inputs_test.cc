// Inputs with sizes that the file leaves open, and other kinds of inputs.
#include <gmock/gmock.h>

#include "analyze/onnx_writer.h"

namespace tidepool::analyze {

using testing::HasSubstr;

namespace {

OnnxWriter image() {
  OnnxWriter file;
  return file.input("image", {"batch", 3, "height", "width"}).node("Relu", {"image"}, {"y"}).output("y");
}

}  // namespace

TEST(OnnxInputs, SymbolicSizesAreAskedForByName) {
  EXPECT_EQ(
      refusal(image().file()),
      "read_onnx: the file leaves 'height', 'width' open: give their sizes by name, such as height=224, or the whole shapes of the inputs");
  EXPECT_THAT(refusal(image().file(), {.sizes = {{"height", 5}}}), HasSubstr("the file leaves 'width' open: give its size"));
  const Network net = image().read({.sizes = {{"height", 5}, {"width", 6}}});
  EXPECT_EQ(output_of(net).shape, (Dims{1, 3, 5, 6}));
  EXPECT_EQ(output_of(image().read({.sizes = {{"batch", 4}, {"height", 5}, {"width", 6}}})).shape, (Dims{4, 3, 5, 6}));
  EXPECT_EQ(output_of(image().read({.inputs = {{2, 3, 7, 8}}})).shape, (Dims{2, 3, 7, 8}));
}

TEST(OnnxInputs, WrongAnswers) {
  EXPECT_EQ(refusal(image().file(), {.sizes = {{"hight", 5}}}),
            "read_onnx: no input has the symbolic size 'hight'; there are 'batch', 'height', 'width'");
  EXPECT_THAT(refusal(image().file(), {.sizes = {{"height", 0}, {"width", 1}}}), HasSubstr("'height' must be at least 1, got 0"));
  EXPECT_THAT(refusal(image().file(), {.sizes = {{"height", 5}}, .inputs = {{1, 3, 7, 8}}}),
              HasSubstr("the size 'height' is 5 and 7 (input 'image')"));
  EXPECT_THAT(refusal(image().file(), {.inputs = {{3, 7, 8}}}), HasSubstr("input 'image' has 4 dimensions, the given shape is 3x7x8"));
  EXPECT_THAT(refusal(image().file(), {.inputs = {{1, 3, 7, 8}, {1}}}), HasSubstr("the shapes of 2 inputs are given, the file has 1"));
  EXPECT_THAT(refusal(image().file(), {.inputs = {{1, 3, -7, 8}}}), HasSubstr("input 'image': sizes must be between 1 and 1073741824"));
  EXPECT_THAT(refusal(image().file(), {.inputs = {{1 << 30, 1 << 30, 1 << 30, 8}}}), HasSubstr("input 'image' is too large"));
}

TEST(OnnxInputs, OneNameHasOneSize) {
  OnnxWriter file;
  file.input("a", {"n", "c"}).input("b", {"n", "c"}).node("Add", {"a", "b"}, {"y"}).output("y");
  EXPECT_EQ(output_of(file.read({.inputs = {{4, 5}}})).shape, (Dims{4, 5}));
  EXPECT_EQ(output_of(file.read({.sizes = {{"c", 7}}})).shape, (Dims{1, 7}));
}

TEST(OnnxInputs, SizesWithoutNames) {
  OnnxWriter file;
  file.input("x", {-1, 3, -1}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(refusal(file.file()),
            "read_onnx: dimension 2 of input 'x' has neither a size nor a name in the file: give the whole shape of the input");
  EXPECT_EQ(output_of(file.read({.inputs = {{2, 3, 9}}})).shape, (Dims{2, 3, 9}));
  OnnxWriter none;
  none.input_without_shape("x").node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(refusal(none.file()), "read_onnx: input 'x' has no shape in the file: give it one");
  EXPECT_EQ(output_of(none.read({.inputs = {{2, 3, 9}}})).shape, (Dims{2, 3, 9}));
}

TEST(OnnxInputs, InitializersAreNoInputs) {
  OnnxWriter file;
  file.input("w", {4, 3}).input("x", {2, 3}).weights("w", {4, 3}).node("Gemm", {"x", "w"}, {"y"}, {attribute("transB", 1)}).output("y");
  const Network net = file.read({.inputs = {{5, 3}}});
  EXPECT_EQ(net.inputs().size(), 1u);
  EXPECT_EQ(output_of(net).shape, (Dims{5, 4}));
}

TEST(OnnxInputs, OthersThanTensorsAreUnknown) {
  OnnxWriter file;
  file.input("x", {2, 3})
      .sequence_input("list")
      .node("SequenceAt", {"list", "x"}, {"u"})
      .node("Relu", {"x"}, {"y"})
      .output("u")
      .output("y");
  const Network net = file.read();
  EXPECT_FALSE(net.node(net.outputs()[0]).is_known());
  EXPECT_TRUE(net.node(net.outputs()[1]).is_known());
}

TEST(OnnxInputs, EmptyListsAreNoData) {
  OnnxWriter file(18);
  file.input("x", {2, 3})
      .input("axes", {0}, OnnxWriter::i64)
      .node("ReduceSum", {"x", "axes"}, {"y"}, {attribute("keepdims", 0)})
      .output("y");
  EXPECT_EQ(output_of(file.read()).shape, Dims());
  OnnxWriter data;
  data.input("x", {2, 0}).node("Relu", {"x"}, {"y"}, {}, "r").output("y");
  EXPECT_EQ(refusal(data.file()), "read_onnx: node 'r' (Relu): arrays must not be empty, got the shape 2x0");
}

TEST(OnnxInputs, NamesAreMadePrintable) {
  OnnxWriter file;
  file.input("x", {2, 3})
      .node("Relu", {"x"}, {"y"}, {}, "bad\x1b[31m\xff name\n")
      .node("Tanh", {"y"}, {"z"}, {}, std::string(1000, 'a'))
      .output("z");
  const Network net = file.read();
  EXPECT_EQ(net.node(1).name, "bad?[31m? name?");
  EXPECT_EQ(net.node(2).name.size(), 200 + std::string_view("…").size());
}

}  // namespace tidepool::analyze
