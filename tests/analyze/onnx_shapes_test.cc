// Reshapes, slices, joins and reductions of ONNX files, and the constants that they are computed from.
#include <gmock/gmock.h>

#include "analyze/onnx_writer.h"
#include "tidepool/analyze/dependence.h"
#include "tidepool/analyze/report.h"

namespace tidepool::analyze {

using testing::HasSubstr;

namespace {

using Attributes = std::vector<std::string>;
using List = std::vector<int64_t>;

// An operator on x with lists of integers as its other inputs.
Network with_lists(std::string_view op, const List& shape, const std::vector<List>& lists, const Attributes& attributes = {},
                   int64_t opset = 17) {
  return read_built(
      shape,
      [&](OnnxWriter& file) {
        std::vector<std::string> inputs = {"x"};
        for (const List& list : lists) {
          inputs.push_back("list" + std::to_string(inputs.size()));
          file.ints(inputs.back(), list);
        }
        file.node(op, inputs, {"y"}, attributes, "n");
      },
      opset);
}

Dims shape_after(std::string_view op, const List& shape, const std::vector<List>& lists, const Attributes& attributes = {},
                 int64_t opset = 17) {
  return output_of(with_lists(op, shape, lists, attributes, opset)).shape;
}

std::string refused(std::string_view op, const List& shape, const std::vector<List>& lists, const Attributes& attributes = {}) {
  try {
    with_lists(op, shape, lists, attributes);
    return {};
  } catch (const Error& error) {
    return error.message();
  }
}

bool is_unknown(const Network& network) { return std::holds_alternative<Unknown>(output_of(network).layer); }

}  // namespace

TEST(OnnxShapes, Reshape) {
  EXPECT_EQ(shape_after("Reshape", {2, 3, 4}, {{0, -1}}), (Dims{2, 12}));
  EXPECT_EQ(to_string(output_of(with_lists("Reshape", {2, 3, 4}, {{2, -1}})).layer), "flatten");
  EXPECT_EQ(shape_after("Reshape", {2, 3, 4}, {{4, 3, 2}}), (Dims{4, 3, 2}));
  EXPECT_EQ(shape_after("Reshape", {1, 1}, {{}}), Dims());
  EXPECT_EQ(shape_after("Reshape", {2, 3, 4}, {}, {attribute("shape", List{6, 4})}, 1), (Dims{6, 4}));
  EXPECT_THAT(refused("Reshape", {2, 3, 4}, {{-1, -1}}), HasSubstr("node 'n' (Reshape): at most one size may be -1"));
  EXPECT_THAT(refused("Reshape", {2, 3, 4}, {{5, -1}}), HasSubstr("the size -1 does not exist"));
  EXPECT_THAT(refused("Reshape", {2, 3, 4}, {{5, 5}}), HasSubstr("the number of elements must not change"));
  EXPECT_THAT(refused("Reshape", {2, 3}, {{1, 1, 0}}), HasSubstr("copies a dimension that 2x3 lacks"));
  EXPECT_THAT(refused("Reshape", {2, 3}, {{6, -2}}), HasSubstr("sizes must be at least -1"));
  EXPECT_THAT(refused("Reshape", {2, 3}, {{INT64_MAX, INT64_MAX, -1}}), HasSubstr("overflows"));
  EXPECT_THAT(refused("Reshape", {2, 3}, {{1, 1, 1, 1, 1, 1, 1, 1, 6}}), HasSubstr("at most 8 dimensions"));
}

TEST(OnnxShapes, FlattenSqueezeUnsqueezeTranspose) {
  EXPECT_EQ(shape_after("Flatten", {2, 3, 4, 5}, {}), (Dims{2, 60}));
  EXPECT_EQ(shape_after("Flatten", {2, 3, 4, 5}, {}, {attribute("axis", 3)}), (Dims{24, 5}));
  EXPECT_EQ(shape_after("Flatten", {2, 3, 4, 5}, {}, {attribute("axis", 4)}), (Dims{120, 1}));
  EXPECT_EQ(shape_after("Flatten", {2, 3, 4, 5}, {}, {attribute("axis", 0)}), (Dims{1, 120}));
  EXPECT_EQ(shape_after("Flatten", {7}, {}), (Dims{7, 1}));
  EXPECT_EQ(shape_after("Squeeze", {1, 3, 1, 5}, {{0, -2}}), (Dims{3, 5}));
  EXPECT_EQ(shape_after("Squeeze", {1, 3, 1, 5}, {}), (Dims{3, 5}));
  EXPECT_EQ(shape_after("Squeeze", {1, 3, 1, 5}, {}, {attribute("axes", List{2})}, 11), (Dims{1, 3, 5}));
  EXPECT_EQ(shape_after("Unsqueeze", {3, 5}, {{0, -1}}), (Dims{1, 3, 5, 1}));
  EXPECT_EQ(shape_after("Transpose", {2, 3, 5}, {}), (Dims{5, 3, 2}));
  EXPECT_EQ(shape_after("Transpose", {2, 3, 5}, {}, {attribute("perm", List{0, 2, 1})}), (Dims{2, 5, 3}));
  EXPECT_THAT(refused("Squeeze", {2, 3}, {{0}}), HasSubstr("only sizes of 1 can be removed, got 2 (axis 0)"));
  EXPECT_THAT(refused("Transpose", {2, 3}, {}, {attribute("perm", List{0, 0})}), HasSubstr("axis 0 is given twice"));
  EXPECT_THAT(refused("Transpose", {2, 3}, {}, {attribute("perm", List{1})}), HasSubstr("must have 2 values, got 1"));
  EXPECT_THAT(refused("Flatten", {2, 3}, {}, {attribute("axis", 3)}), HasSubstr("axis 3 is out of range"));
}

TEST(OnnxShapes, ExpandAndTile) {
  EXPECT_EQ(shape_after("Expand", {3, 1}, {{2, 1, 6}}), (Dims{2, 3, 6}));
  EXPECT_EQ(shape_after("Expand", {3, 4}, {{1, 1}}), (Dims{3, 4}));
  EXPECT_EQ(shape_after("Tile", {1, 3, 4}, {{7, 2, 1}}), (Dims{7, 6, 4}));
  EXPECT_TRUE(is_unknown(with_lists("Tile", {1, 3}, {{1, 1000}})));
  EXPECT_THAT(refused("Expand", {3, 4}, {{2, 1}}), HasSubstr("shapes must broadcast"));
}

TEST(OnnxShapes, SliceAndSplit) {
  EXPECT_EQ(shape_after("Slice", {4, 9}, {{0, 2}, {2, INT64_MAX}, {0, 1}, {1, 3}}), (Dims{2, 3}));
  EXPECT_EQ(shape_after("Slice", {4, 9}, {{-3}, {-1}}), (Dims{2, 9}));
  EXPECT_EQ(shape_after("Slice", {4, 9}, {}, {attribute("starts", List{1}), attribute("ends", List{100}), attribute("axes", List{1})}, 9),
            (Dims{4, 8}));
  EXPECT_TRUE(is_unknown(with_lists("Slice", {4, 9}, {{-1}, {INT64_MIN}, {0}, {-1}})));
  EXPECT_THAT(refused("Slice", {4, 9}, {{2}, {2}}), HasSubstr("the slice is empty"));
  EXPECT_THAT(refused("Slice", {4, 9}, {{0}, {2}, {0}, {0}}), HasSubstr("steps must not be 0"));
  EXPECT_THAT(refused("Slice", {4, 9}, {{0, 0}, {2}}), HasSubstr("the same number of values"));

  OnnxWriter file(18);
  file.input("x", {1, 7})
      .node("Split", {"x"}, {"a", "b", "c"}, {attribute("axis", 1), attribute("num_outputs", 3)})
      .output("a")
      .output("b")
      .output("c");
  const Network net = file.read();
  ASSERT_EQ(net.outputs().size(), 3u);
  EXPECT_EQ(net.node(net.outputs()[1]).shape, (Dims{1, 3}));
  EXPECT_EQ(net.node(net.outputs()[2]).shape, (Dims{1, 1}));
}

TEST(OnnxShapes, GatherOfEqualDistancesIsASlice) {
  const Network one =
      read_built({2, 5, 3}, [](OnnxWriter& file) { file.scalar("i", -1).node("Gather", {"x", "i"}, {"y"}, {attribute("axis", 1)}); });
  EXPECT_EQ(output_of(one).shape, (Dims{2, 3}));
  EXPECT_EQ(shape_after("Gather", {2, 5, 3}, {{0, 2, 4}}, {attribute("axis", 1)}), (Dims{2, 3, 3}));
  EXPECT_TRUE(is_unknown(with_lists("Gather", {2, 5, 3}, {{0, 1, 3}}, {attribute("axis", 1)})));
  EXPECT_TRUE(is_unknown(with_lists("Gather", {2, 5, 3}, {{1, 0}}, {attribute("axis", 1)})));
  EXPECT_THAT(refused("Gather", {2, 5, 3}, {{5}}, {attribute("axis", 1)}), HasSubstr("index 5 is out of range for 5 cells (axis 1)"));
}

TEST(OnnxShapes, Pad) {
  EXPECT_EQ(shape_after("Pad", {1, 2, 5, 5}, {{0, 0, 1, 2, 0, 0, 3, -1}}), (Dims{1, 2, 9, 6}));
  EXPECT_EQ(shape_after("Pad", {1, 2, 5, 5}, {}, {attribute("pads", List{0, 0, 1, 2, 0, 0, 3, 4}), attribute("mode", "reflect")}, 2),
            (Dims{1, 2, 9, 11}));
  const Network axes = read_built(
      {1, 2, 5, 5},
      [](OnnxWriter& file) { file.ints("p", {1, 1}).ints("a", {3}).node("Pad", {"x", "p", "", "a"}, {"y"}, {attribute("mode", "edge")}); },
      18);
  EXPECT_EQ(output_of(axes).shape, (Dims{1, 2, 5, 7}));
  EXPECT_EQ(std::get<Pad>(output_of(axes).layer).mode, Pad::Mode::replicate);
  EXPECT_THAT(refused("Pad", {1, 2, 5, 5}, {{1, 1}}), HasSubstr("pads must have 8 values, got 2"));
}

TEST(OnnxShapes, ConcatOfValuesAndConstants) {
  const Network net = read_built({1, 2, 5, 5}, [](OnnxWriter& file) {
    file.weights("c", {1, 3, 5, 5}).node("Concat", {"x", "c", "x"}, {"y"}, {attribute("axis", 1)});
  });
  EXPECT_EQ(output_of(net).shape, (Dims{1, 7, 5, 5}));
  EXPECT_EQ(analyze(net).parameters, 75);
}

TEST(OnnxShapes, Reductions) {
  EXPECT_EQ(shape_after("ReduceMean", {2, 3, 4, 5}, {}, {attribute("axes", List{2, 3})}), (Dims{2, 3, 1, 1}));
  EXPECT_EQ(shape_after("ReduceMean", {2, 3, 4, 5}, {}, {attribute("axes", List{-1, -2}), attribute("keepdims", 0)}), (Dims{2, 3}));
  EXPECT_EQ(shape_after("ReduceSum", {2, 3, 4, 5}, {{1}}), (Dims{2, 1, 4, 5}));
  EXPECT_EQ(shape_after("ReduceSum", {2, 3}, {{}}, {attribute("noop_with_empty_axes", 1)}), (Dims{2, 3}));
  EXPECT_EQ(shape_after("ReduceMax", {2, 3}, {}, {attribute("keepdims", 0)}), Dims());
  for (const char* op : {"ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"})
    EXPECT_EQ(shape_after(op, {2, 3, 4}, {}, {attribute("axes", List{1})}), (Dims{2, 1, 4})) << op;
  EXPECT_EQ(shape_after("ArgMax", {2, 3, 4}, {}, {attribute("axis", 2), attribute("keepdims", 0)}), (Dims{2, 3}));
}

// As a reshape it would lose the field; as slices it does not.
TEST(OnnxShapes, SpaceToDepthKeepsFields) {
  const Network net = with_lists("SpaceToDepth", {1, 3, 8, 8}, {}, {attribute("blocksize", 2)});
  EXPECT_EQ(output_of(net).shape, (Dims{1, 12, 4, 4}));
  const Report report = analyze(net);
  const Field& field = report.layers[static_cast<size_t>(net.outputs()[0])].fields[0];
  EXPECT_EQ(field.size, 2);
  EXPECT_EQ(field.stride, Rational(2));
  EXPECT_FALSE(field.at_most);
}

TEST(OnnxShapes, DepthToSpaceReadsTheCellOfTheBlock) {
  for (const char* mode : {"DCR", "CRD"}) {
    const Network net = with_lists("DepthToSpace", {1, 12, 4, 5}, {}, {attribute("blocksize", 2), attribute("mode", mode)});
    EXPECT_EQ(output_of(net).shape, (Dims{1, 3, 8, 10}));
    const std::vector<Dependence> found = dependence(net, net.outputs()[0], one_cell(output_of(net).shape, {5, 6}));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(to_string(found[0].along(2)), "2");
    EXPECT_EQ(to_string(found[0].along(3)), "3");
  }
}

// Values without spatial axes are read, or refused with the rule of the operator.
TEST(OnnxShapes, ValuesOfLowRank) {
  int read = 0;
  for (const List& shape : {List{}, List{5}, List{2, 5}})
    for (const char* op : {"Relu", "Add", "ReduceSum", "Identity", "Neg", "Transpose", "Squeeze", "Sigmoid", "Shape", "Size", "Flatten",
                           "Softmax", "MaxPool"}) {
      const bool is_binary = op == std::string("Add");
      OnnxWriter file;
      file.input("x", {shape.begin(), shape.end()})
          .node(op, is_binary ? std::vector<std::string>{"x", "x"} : std::vector<std::string>{"x"}, {"y"})
          .output("y");
      try {
        analyze(file.read());
        ++read;
      } catch (const Error& error) {
        EXPECT_THAT(error.message(), testing::StartsWith("read_onnx: ")) << op << " of rank " << shape.size();
      }
    }
  // Refused: three poolings, and of the scalar Flatten, Softmax and the empty list of its sizes.
  EXPECT_EQ(read, 3 * 13 - 6);
}

}  // namespace tidepool::analyze
