// The arithmetic of shapes that exporters write in front of Reshape, Resize and Pad.
#include <gmock/gmock.h>

#include "analyze/onnx_writer.h"
#include "tidepool/analyze/report.h"

namespace tidepool::analyze {

namespace {

using List = std::vector<int64_t>;

// x.view(x.size(0), -1) and the like: x is reshaped to what the nodes compute from its shape. The other nodes leave no trace.
Network reshaped(const List& shape, const std::function<void(OnnxWriter&)>& compute) {
  return read_built(shape, [&](OnnxWriter& file) {
    file.node("Shape", {"x"}, {"shape"});
    compute(file);
    file.node("Reshape", {"x", "to"}, {"y"});
  });
}

std::string list(const List& values) { return tensor_attribute("value", int_tensor({static_cast<int64_t>(values.size())}, values)); }
std::string constant(int64_t value) { return tensor_attribute("value", int_tensor({}, {value})); }

}  // namespace

TEST(OnnxFold, AViewOfTheBatchAndTheRest) {
  const Network net = reshaped({2, 3, 4, 5}, [](OnnxWriter& file) {
    file.node("Constant", {}, {"zero"}, {constant(0)}).node("Gather", {"shape", "zero"}, {"n"}, {attribute("axis", 0)});
    file.node("Constant", {}, {"axes"}, {list({0})}).node("Unsqueeze", {"n", "axes"}, {"n1"});
    file.node("Constant", {}, {"rest"}, {list({-1})}).node("Concat", {"n1", "rest"}, {"to"}, {attribute("axis", 0)});
  });
  EXPECT_EQ(output_of(net).shape, (Dims{2, 60}));
  EXPECT_EQ(net.nodes().size(), 2u);
}

TEST(OnnxFold, ArithmeticOfSizes) {
  const Network net = reshaped({2, 12, 4, 5}, [](OnnxWriter& file) {
    file.scalar("zero", 0).scalar("one", 1).scalar("three", 3).ints("axes", {0}).ints("rest", {-1});
    file.node("Gather", {"shape", "zero"}, {"n"}).node("Gather", {"shape", "one"}, {"c"});
    file.node("Div", {"c", "three"}, {"group"})
        .node("Mul", {"group", "one"}, {"g1"})
        .node("Add", {"g1", "zero"}, {"g2"})
        .node("Sub", {"g2", "zero"}, {"g"});
    file.node("Unsqueeze", {"n", "axes"}, {"n1"}).node("Unsqueeze", {"three", "axes"}, {"t1"}).node("Unsqueeze", {"g", "axes"}, {"g3"});
    file.node("Slice", {"shape", "two", "four"}, {"plane"});
    file.node("Concat", {"n1", "t1", "g3", "plane"}, {"to"}, {attribute("axis", 0)});
    file.ints("two", {2}).ints("four", {4});
  });
  EXPECT_EQ(output_of(net).shape, (Dims{2, 3, 4, 4, 5}));
}

// What old exporters write for interpolate(scale_factor=2): the sizes in floats.
TEST(OnnxFold, SizesThroughFloats) {
  const Network net = read_built({1, 3, 6, 8}, [](OnnxWriter& file) {
    file.node("Shape", {"x"}, {"shape"}).ints("two", {2}).ints("four", {4}).node("Slice", {"shape", "two", "four"}, {"plane"});
    file.node("Cast", {"plane"}, {"f"}, {attribute("to", 1)}).reals("factor", {2}).node("Mul", {"f", "factor"}, {"scaled"});
    file.node("Floor", {"scaled"}, {"floor"}).node("Cast", {"floor"}, {"size"}, {attribute("to", 7)});
    file.ints("zero", {0})
        .node("Slice", {"shape", "zero", "two"}, {"front"})
        .node("Concat", {"front", "size"}, {"sizes"}, {attribute("axis", 0)});
    file.node("Resize", {"x", "", "", "sizes"}, {"y"}, {attribute("mode", "linear")});
  });
  EXPECT_EQ(difference(net, "up 2 linear"), "");
}

// What exporters write for torch's pad: pairs in the opposite order, reversed and transposed.
TEST(OnnxFold, PaddingsInTheOppositeOrder) {
  const Network net = read_built({1, 3, 6, 8}, [](OnnxWriter& file) {
    file.ints("pads", {1, 2, 3, 4}).ints("missing", {4});
    file.node("ConstantOfShape", {"missing"}, {"zeros"}, {tensor_attribute("value", int_tensor({1}, {0}))});
    file.node("Concat", {"pads", "zeros"}, {"all"}, {attribute("axis", 0)})
        .ints("pairs", {-1, 2})
        .node("Reshape", {"all", "pairs"}, {"p2"});
    file.ints("last", {-1}).ints("first", {INT64_MIN + 1}).ints("axis", {0}).ints("back", {-1});
    file.node("Slice", {"p2", "last", "first", "axis", "back"}, {"reversed"})
        .node("Transpose", {"reversed"}, {"sides"}, {attribute("perm", List{1, 0})});
    file.node("Reshape", {"sides", "back"}, {"flat"}).node("Cast", {"flat"}, {"to"}, {attribute("to", 7)}).node("Pad", {"x", "to"}, {"y"});
  });
  EXPECT_EQ(output_of(net).shape, (Dims{1, 3, 6 + 3 + 4, 8 + 1 + 2}));
}

// torch's expand(-1, 5, …): where a size is -1, that of the input.
TEST(OnnxFold, WhereAndEqual) {
  const Network net = read_built({4, 1}, [](OnnxWriter& file) {
    file.ints("wanted", {-1, 5}).ints("minus", {-1, -1}).node("Equal", {"wanted", "minus"}, {"open"}).node("Shape", {"x"}, {"shape"});
    file.node("Where", {"open", "shape", "wanted"}, {"to"}).node("Expand", {"x", "to"}, {"y"});
  });
  EXPECT_EQ(output_of(net).shape, (Dims{4, 5}));
}

TEST(OnnxFold, RangeReduceMinMaxNegSize) {
  const Network net = reshaped({2, 3, 4, 5}, [](OnnxWriter& file) {
    file.scalar("zero", 0).scalar("four", 4).scalar("one", 1).node("Range", {"zero", "four", "one"}, {"dims"});            // 0 1 2 3
    file.node("Gather", {"shape", "dims"}, {"same"}).node("ReduceProd", {"same"}, {"count"}, {attribute("keepdims", 1)});  // 120
    file.node("Size", {"x"}, {"size"}).ints("axes", {0}).node("Unsqueeze", {"size", "axes"}, {"size1"});
    file.node("Min", {"count", "size1"}, {"min"})
        .node("Max", {"min", "size1"}, {"max"})
        .node("Neg", {"max"}, {"neg"})
        .node("Abs", {"neg"}, {"abs"});
    file.node("Identity", {"abs"}, {"to"});
  });
  EXPECT_EQ(output_of(net).shape, (Dims{120}));
}

TEST(OnnxFold, ShapesThatDependOnDataAreUnknown) {
  OnnxWriter file;
  file.input("x", {2, 3}).input("shape", {2}, OnnxWriter::i64).node("Reshape", {"x", "shape"}, {"y"}).output("y");
  EXPECT_TRUE(std::holds_alternative<Unknown>(output_of(file.read()).layer));
  OnnxWriter behind;
  behind.input("x", {2, 3}).node("NonZero", {"x"}, {"z"}).node("Shape", {"z"}, {"s"}).node("Reshape", {"x", "s"}, {"y"}).output("y");
  EXPECT_FALSE(output_of(behind.read()).is_known());
}

TEST(OnnxFold, OverflowAndDivisionByZeroGiveNoNumbers) {
  for (const auto& [op, a, b] :
       {std::tuple("Mul", INT64_MAX, int64_t{2}), std::tuple("Add", INT64_MAX, int64_t{1}), std::tuple("Div", int64_t{6}, int64_t{0}),
        std::tuple("Div", INT64_MIN, int64_t{-1}), std::tuple("Mod", int64_t{6}, int64_t{0}), std::tuple("Sub", INT64_MIN, int64_t{1})}) {
    OnnxWriter file;
    file.input("x", {6}).ints("a", {a}).ints("b", {b}).node(op, {"a", "b"}, {"to"}).node("Reshape", {"x", "to"}, {"y"}).output("y");
    EXPECT_TRUE(std::holds_alternative<Unknown>(output_of(file.read()).layer)) << op;
  }
}

// The weights of light models are ConstantOfShape nodes.
TEST(OnnxFold, ComputedWeights) {
  const Network net = read_built({1, 3, 8, 8}, [](OnnxWriter& file) {
    file.ints("ws", {16, 3, 3, 3}).node("ConstantOfShape", {"ws"}, {"w"}).ints("bs", {16}).node("ConstantOfShape", {"bs"}, {"b"});
    file.node("Conv", {"x", "w"}, {"c"}).ints("axes", {1, 2}).node("Unsqueeze", {"b", "axes"}, {"b3"}).node("Add", {"c", "b3"}, {"y"});
  });
  EXPECT_EQ(analyze(net).parameters, 16 * 27 + 16);
}

}  // namespace tidepool::analyze
