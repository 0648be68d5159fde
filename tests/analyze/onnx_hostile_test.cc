// Files that are broken, or made to do harm: one clear error each, in little time and memory.
#include <gmock/gmock.h>

#include <chrono>
#include <random>

#include "analyze/onnx_writer.h"
#include "tidepool/analyze/report.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

using testing::HasSubstr;
using testing::StartsWith;

namespace {

using List = std::vector<int64_t>;

OnnxWriter small_model() {
  OnnxWriter file;
  file.input("x", {1, 3, 8, 8}).weights("w", {4, 3, 3, 3}).ints("shape", {1, -1});
  file.node("Conv", {"x", "w"}, {"c"}, {attribute("pads", List{1, 1, 1, 1})}, "conv").node("Relu", {"c"}, {"r"});
  return file.node("MaxPool", {"r"}, {"p"}, {attribute("kernel_shape", List{2, 2})}).node("Reshape", {"p", "shape"}, {"y"}).output("y");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Reads or refuses; nothing else.
void read_or_refuse(const std::string& file) {
  try {
    analyze(read_onnx(file));
  } catch (const Error&) {
  }
}

}  // namespace

TEST(OnnxHostile, EveryTruncationIsRefused) {
  const std::string file = small_model().file();
  ASSERT_EQ(refusal(file), "");
  // The graph is the last field: without its last byte it is longer than the file.
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_THAT(refusal(file.substr(0, size)), StartsWith("read_onnx: not an ONNX file: ")) << size << " of " << file.size() << " bytes";
}

TEST(OnnxHostile, RandomBytesAreReadOrRefused) {
  std::mt19937 random(17);
  const std::string file = small_model().file();
  for (int i = 0; i < 20000; ++i) {
    std::string changed = file;
    for (uint32_t count = random() % 4 + 1; count > 0; --count) changed[random() % changed.size()] = static_cast<char>(random());
    read_or_refuse(changed);
  }
}

TEST(OnnxHostile, Wire) {
  EXPECT_THAT(refusal(""), HasSubstr("it has no graph"));
  EXPECT_THAT(refusal(std::string(20, '\xff')), HasSubstr("a number has more than 64 bits (at byte 10)"));
  EXPECT_THAT(refusal("\x3b"), HasSubstr("ONNX has no groups"));
  EXPECT_THAT(refusal("\x3f"), HasSubstr("wire type 7 does not exist"));
  EXPECT_THAT(refusal(std::string("\0", 1)), HasSubstr("field number 0 does not exist"));
  EXPECT_THAT(refusal(wire::varint(7 << 3 | 2) + wire::varint(UINT64_MAX)),
              HasSubstr("a length of 18446744073709551615 is larger than the 0 bytes that are left"));
  EXPECT_THAT(refusal(wire::number(7, 1)), HasSubstr("field 7 must be a string or a message"));
  EXPECT_THAT(refusal(wire::bytes(7, "") + wire::bytes(7, "")), HasSubstr("it has two graphs"));
  EXPECT_THAT(refusal(wire::bytes(7, wire::bytes(1, ""))), HasSubstr("a node has no operator"));
  // Unknown fields of all types are skipped.
  std::string file = small_model().file();
  file += wire::number(900, 5) + wire::real(901, 1) + wire::bytes(902, "later") + wire::varint(903 << 3 | 1) + std::string(8, 'x');
  EXPECT_EQ(refusal(file), "");
}

TEST(OnnxHostile, Graphs) {
  const auto with = [](const auto& change) {
    OnnxWriter file;
    file.input("x", {1, 3, 8, 8}).weights("w", {4, 3, 3, 3});
    change(file);
    return refusal(file.file());
  };
  EXPECT_EQ(with([](OnnxWriter& file) { file.node("Relu", {"b"}, {"a"}, {}, "first").node("Relu", {"a"}, {"b"}).output("b"); }),
            "read_onnx: node 'first' (Relu): nothing before it has the name 'b' of its input 0 (ONNX wants the nodes in the order of "
            "execution, without "
            "cycles)");
  EXPECT_THAT(with([](OnnxWriter& file) { file.node("Relu", {"y"}, {"y"}).output("y"); }), HasSubstr("without cycles"));
  EXPECT_EQ(with([](OnnxWriter& file) { file.node("Relu", {"x"}, {"y"}).node("Tanh", {"x"}, {"y"}, {}, "second"); }),
            "read_onnx: node 'second' (Tanh): the name 'y' is defined twice");
  EXPECT_THAT(with([](OnnxWriter& file) { file.node("Relu", {"x"}, {"x"}); }), HasSubstr("the name 'x' is defined twice"));
  EXPECT_THAT(with([](OnnxWriter& file) { file.node("Split", {"x"}, {"a", "a"}, {attribute("axis", 2)}); }),
              HasSubstr("'a' is defined twice"));
  EXPECT_THAT(with([](OnnxWriter& file) { file.weights("w", {1}); }), HasSubstr("initializers: the name 'w' is defined twice"));
  EXPECT_THAT(with([](OnnxWriter& file) { file.input("x", {1}); }), HasSubstr("inputs: the name 'x' is defined twice"));
  EXPECT_THAT(with([](OnnxWriter& file) { file.output("y"); }), HasSubstr("output 'y' is made by no node"));
  EXPECT_THAT(with([](OnnxWriter& file) { file.weights("", {1}); }), HasSubstr("an initializer has no name"));
  EXPECT_THAT(with([](OnnxWriter& file) { file.node("Relu", {}, {"y"}, {}, "r"); }), HasSubstr("node 'r' (Relu): input 0 is missing"));
  EXPECT_THAT(with([](OnnxWriter& file) { file.node("Conv", {"x"}, {"y"}, {}, "c"); }), HasSubstr("node 'c' (Conv): input 1 is missing"));
  EXPECT_THAT(with([](OnnxWriter& file) { file.node("Relu", {"x"}, {"y"}, {attribute("a", 1), attribute("a", 2)}, "r"); }),
              HasSubstr("has the attribute 'a' twice"));
}

TEST(OnnxHostile, Tensors) {
  const auto weights = [](const std::string& tensor) {
    OnnxWriter file;
    return refusal(file.input("x", {1, 3, 8, 8}).initializer(tensor).node("Conv", {"x", "w"}, {"y"}, {}, "c").output("y").file());
  };
  EXPECT_EQ(weights(tensor({4, 3, 3, 3}, 1, "w")), "");
  EXPECT_THAT(weights(tensor({4, -3, 3, 3}, 1, "w")), HasSubstr("tensor 'w': sizes must not be negative"));
  EXPECT_THAT(weights(tensor({INT64_MAX, INT64_MAX}, 1, "w")), HasSubstr("tensor 'w': the number of elements does not fit 64 bits"));
  EXPECT_THAT(weights(tensor({int64_t{1} << 40, 3, 1, 1}, 1, "w")), HasSubstr("node 'c' (Conv): "));
  EXPECT_THAT(weights(tensor(List(9, 1), 1, "w")), HasSubstr("at most 8 dimensions are supported, got 9"));
  EXPECT_THAT(weights(tensor({4, 3, 3, 3}, 1, "w") + wire::bytes(9, "1234")),
              HasSubstr("the data must have 108 elements of 4 bytes for the shape 4x3x3x3, got 4 bytes"));
  EXPECT_THAT(weights(tensor({4, 2, 3, 3}, 1, "w")), HasSubstr("the weights 4x2x3x3 are not for 3 channels in 1 group"));
  EXPECT_THAT(weights(tensor({4, 3}, 1, "w")), HasSubstr("the weights must have 4 dimensions, got 4x3"));
  EXPECT_THAT(weights(int_tensor({3}, {1, 2}, "w")), HasSubstr("the shape 3 has 3 elements, got 2"));
  EXPECT_THAT(weights(tensor({1}, 1, "w") + wire::number(7, 5)), HasSubstr("its data are not of its type"));
  // Weights in another file.
  EXPECT_EQ(weights(tensor({4, 3, 3, 3}, 1, "w") + wire::number(14, 1) + wire::bytes(13, "location")), "");
}

TEST(OnnxHostile, Attributes) {
  const auto conv = [](const std::string& attribute) {
    OnnxWriter file;
    return refusal(
        file.input("x", {1, 3, 8, 8}).weights("w", {4, 3, 3, 3}).node("Conv", {"x", "w"}, {"y"}, {attribute}, "c").output("y").file());
  };
  EXPECT_EQ(conv(attribute("group", List{1})), "read_onnx: node 'c' (Conv): attribute 'group' must be an integer, its type is 7");
  EXPECT_THAT(conv(attribute("group", 0)), HasSubstr("in 0 groups"));
  EXPECT_THAT(conv(attribute("group", INT64_MIN)), HasSubstr("node 'c' (Conv): "));
  EXPECT_THAT(conv(attribute("strides", List{0, 1})), HasSubstr("stride must be at least 1, got 0"));
  EXPECT_THAT(conv(attribute("strides", List{1, 1, 1})), HasSubstr("attribute 'strides' must have 2 values, got 3"));
  EXPECT_THAT(conv(attribute("pads", List{1, 1})), HasSubstr("attribute 'pads' must have 4 values, got 2"));
  EXPECT_THAT(conv(attribute("pads", List{INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX})), HasSubstr("node 'c' (Conv): conv2d: "));
  EXPECT_THAT(conv(attribute("kernel_shape", List{5, 5})), HasSubstr("kernel_shape must be that of the weights, 4x3x3x3, got 5 (axis 0)"));
  EXPECT_THAT(conv(attribute("dilations", List{int64_t{1} << 60, 1})), HasSubstr("node 'c' (Conv): conv2d: "));
  EXPECT_THAT(conv(wire::bytes(1, "")), HasSubstr("an attribute has no name"));
  for (const char* op : {"Concat", "MaxPool", "DepthToSpace"}) {
    OnnxWriter file;
    file.input("x", {1, 4, 8, 8}).node(op, {"x"}, {"y"}, {}, "bare").output("y");
    EXPECT_THAT(refusal(file.file()), HasSubstr("node 'bare' (" + std::string(op) + "): attribute '")) << op;
  }
  EXPECT_EQ(refusal(OnnxWriter(3).input("x", {1, 4, 8, 8}).node("Concat", {"x", "x"}, {"y"}).output("y").file()), "");
}

// Graphs in attributes are not opened, however deep they are.
TEST(OnnxHostile, DeepNesting) {
  std::string graph;
  for (int depth = 0; depth < 20000 && graph.size() < (1 << 20); ++depth)
    graph =
        wire::bytes(1, wire::bytes(4, "If") + wire::bytes(5, wire::bytes(1, "then_branch") + wire::bytes(6, graph) + wire::number(20, 5)));
  OnnxWriter file;
  file.input("x", {1}).node("If", {"x"}, {"y"}, {wire::bytes(1, "then_branch") + wire::bytes(6, graph) + wire::number(20, 5)}).output("y");
  EXPECT_TRUE(std::holds_alternative<Unknown>(output_of(file.read()).layer));
}

TEST(OnnxHostile, HugeConstantsAreNotBuilt) {
  OnnxWriter file;
  file.input("x", {1, 3, 8, 8})
      .ints("huge", {1 << 20, 1 << 20})
      .node("ConstantOfShape", {"huge"}, {"z"})
      .scalar("zero", 0)
      .scalar("many", int64_t{1} << 60)
      .scalar("one", 1);
  file.node("Range", {"zero", "many", "one"}, {"r"}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_EQ(refusal(file.file()), "");
  EXPECT_THAT(refusal(OnnxWriter().ints("huge", {INT64_MAX, 2}).node("ConstantOfShape", {"huge"}, {"z"}, {}, "c").file()),
              HasSubstr("node 'c' (ConstantOfShape): sizes must not be negative, and their product must fit 64 bits"));
}

// Many nodes that each compute 4096 numbers: the numbers are dropped when there are too many.
TEST(OnnxHostile, TheComputedNumbersAreLimited) {
  OnnxWriter file;
  file.input("x", {1, 3, 8, 8}).ints("n", {4096}).node("ConstantOfShape", {"n"}, {"a0"});
  for (int i = 0; i < 20000; ++i) file.node("Add", {"a" + std::to_string(i), "a" + std::to_string(i)}, {"a" + std::to_string(i + 1)});
  const std::string bytes = file.node("Relu", {"x"}, {"y"}).output("y").file();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(bytes), "");
  EXPECT_LT(seconds_since(start), 5);
}

// Constants that are computed from more and more weights.
TEST(OnnxHostile, ManyComputedWeights) {
  OnnxWriter file;
  file.input("x", {1, 3, 8, 8}).weights("w0", {5000});
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "weights" + std::to_string(i);
    file.weights(name, {5000}).node("Add", {name, "w" + std::to_string(i)}, {"w" + std::to_string(i + 1)});
  }
  const std::string bytes = file.node("Relu", {"x"}, {"y"}).output("y").file();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(bytes), "");
  EXPECT_LT(seconds_since(start), 5);
}

TEST(OnnxHostile, ManyNodesTakeTimeInProportion) {
  const auto seconds = [](int nodes) {
    OnnxWriter file;
    file.input("v0", {1, 3, 8, 8});
    for (int i = 0; i < nodes; ++i) file.node(i % 2 == 0 ? "Relu" : "Unheard", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
    const std::string bytes = file.output("v" + std::to_string(nodes)).file();
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(read_onnx(bytes).nodes().size(), static_cast<size_t>(nodes) + 1);
    return seconds_since(start);
  };
  EXPECT_LT(seconds(50000), 5);
}

}  // namespace tidepool::analyze
