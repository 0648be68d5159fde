// Matrix products, functions of elements, normalisations and quantised operators of ONNX files.
#include <gmock/gmock.h>

#include <map>

#include "analyze/onnx_writer.h"
#include "tidepool/analyze/report.h"

namespace tidepool::analyze {

using testing::HasSubstr;

namespace {

using Attributes = std::vector<std::string>;
using List = std::vector<int64_t>;

int64_t parameters(const Network& network) { return analyze(network).parameters; }

Network one(std::string_view op, const List& shape, const Attributes& attributes = {}, int64_t opset = 17) {
  return read_built(shape, [&](OnnxWriter& file) { file.node(op, {"x"}, {"y"}, attributes); }, opset);
}

}  // namespace

TEST(OnnxProducts, Gemm) {
  const auto gemm = [](const List& weights, const List& bias, const Attributes& attributes) {
    return read_built({2, 6}, [&](OnnxWriter& file) {
      file.weights("w", weights)
          .weights("b", bias)
          .node("Gemm", bias.empty() ? std::vector<std::string>{"x", "w"} : std::vector<std::string>{"x", "w", "b"}, {"y"}, attributes);
    });
  };
  const Network linear = gemm({5, 6}, {5}, {attribute("transB", 1)});
  EXPECT_EQ(to_string(output_of(linear).layer), "linear 5");
  EXPECT_EQ(output_of(linear).shape, (Dims{2, 5}));
  EXPECT_EQ(parameters(linear), 35);
  EXPECT_EQ(output_of(linear).multiply_adds, 60);
  EXPECT_EQ(parameters(gemm({6, 5}, {}, {})), 30);
  const Network odd = gemm({6, 5}, {2, 5}, {});  // a bias for each row is added
  EXPECT_EQ(to_string(output_of(odd).layer), "add");
  EXPECT_EQ(parameters(odd), 40);
}

TEST(OnnxProducts, GemmOfValues) {
  OnnxWriter file;
  file.input("x", {6, 2}).input("v", {5, 6}).node("Gemm", {"x", "v"}, {"y"}, {attribute("transA", 1), attribute("transB", 1)}).output("y");
  const Network net = file.read();
  EXPECT_EQ(to_string(output_of(net).layer), "matmul");
  EXPECT_EQ(output_of(net).shape, (Dims{2, 5}));
}

TEST(OnnxProducts, MatMul) {
  const auto product = [](const List& a, const List& b, bool weights) {
    OnnxWriter file;
    file.input("x", {a.begin(), a.end()});
    if (weights)
      file.weights("w", b);
    else
      file.input("w", {b.begin(), b.end()});
    return output_of(file.node("MatMul", {"x", "w"}, {"y"}).output("y").read());
  };
  EXPECT_EQ(to_string(product({2, 7, 6}, {6, 5}, true).layer), "linear 5 nobias");
  EXPECT_EQ(product({2, 7, 6}, {6, 5}, true).shape, (Dims{2, 7, 5}));
  EXPECT_EQ(to_string(product({2, 7, 6}, {6, 5}, false).layer), "matmul");
  EXPECT_EQ(product({2, 1, 7, 6}, {3, 6, 5}, true).shape, (Dims{2, 3, 7, 5}));
  EXPECT_EQ(product({6}, {6, 5}, false).shape, (Dims{5}));
  EXPECT_EQ(product({4, 7, 6}, {6}, false).shape, (Dims{4, 7}));
  EXPECT_EQ(product({6}, {6}, false).shape, Dims());
  EXPECT_EQ(product({6}, {4, 6, 5}, false).shape, (Dims{4, 5}));
}

TEST(OnnxProducts, WeightsOnTheLeftAndThroughTranspose) {
  const Network left = read_built({6, 5}, [](OnnxWriter& file) { file.weights("w", {3, 6}).node("MatMul", {"w", "x"}, {"y"}); });
  EXPECT_EQ(output_of(left).shape, (Dims{3, 5}));
  EXPECT_EQ(parameters(left), 18);
  const Network moved = read_built(
      {2, 6}, [](OnnxWriter& file) { file.weights("w", {3, 6}).node("Transpose", {"w"}, {"t"}).node("MatMul", {"x", "t"}, {"y"}); });
  EXPECT_EQ(to_string(output_of(moved).layer), "linear 3 nobias");
  EXPECT_EQ(moved.nodes().size(), 2u);
}

// An embedding and the layer behind it often share their weights, one of them transposed.
TEST(OnnxProducts, WeightsInAnotherShapeAreTheSame) {
  const Network net = read_built({2, 6}, [](OnnxWriter& file) {
    file.weights("w", {3, 6}).node("Transpose", {"w"}, {"t"}).node("MatMul", {"x", "t"}, {"a"});
    file.node("MatMul", {"a", "w"}, {"b"}).node("Transpose", {"w"}, {"t2"}).node("MatMul", {"b", "t2"}, {"y"});
  });
  EXPECT_EQ(analyze(net).parameters, 18);
}

TEST(OnnxProducts, Refusals) {
  OnnxWriter file;
  file.input("x", {2, 7}).weights("w", {6, 5}).node("MatMul", {"x", "w"}, {"y"}, {}, "fc").output("y");
  EXPECT_EQ(refusal(file.file()), "read_onnx: node 'fc' (MatMul): the inner sizes of a matrix product must be equal, got 2x7 and 6x5");
  OnnxWriter gemm;
  gemm.input("x", {2, 7, 1}).weights("w", {6, 5}).node("Gemm", {"x", "w"}, {"y"}, {}, "fc").output("y");
  EXPECT_THAT(refusal(gemm.file()), HasSubstr("both matrices must have 2 dimensions"));
}

TEST(OnnxUnary, KeepsShapesAndFields) {
  const std::map<std::string, std::string> functions = {
      {"Relu", "relu"},       {"LeakyRelu", "leaky_relu"},    {"Sigmoid", "sigmoid"},     {"Tanh", "tanh"},
      {"Elu", "elu"},         {"HardSigmoid", "hardsigmoid"}, {"HardSwish", "hardswish"}, {"Gelu", "gelu"},
      {"Dropout", "dropout"}, {"Identity", "identity"}};
  for (const auto& [op, text] : functions) {
    const Network net = one(op, {2, 3, 5, 5}, {}, 20);
    EXPECT_EQ(to_string(output_of(net).layer), text);
    EXPECT_EQ(difference(net, text), "") << op;
  }
  for (const char* op :
       {"Exp",        "Log",  "Sqrt",  "Abs",  "Neg",   "Erf", "Softplus", "Softsign", "Selu", "Celu", "Mish", "ThresholdedRelu",
        "Reciprocal", "Sign", "Floor", "Ceil", "Round", "Sin", "Cos",      "IsNaN",    "Not",  "Cast", "Clip", "Shrink"})
    EXPECT_EQ(difference(one(op, {2, 3, 5, 5}, op == std::string("Cast") ? Attributes{attribute("to", 1)} : Attributes()), "identity"), "")
        << op;
}

TEST(OnnxUnary, ClipFromZeroToSixIsRelu6) {
  const Network net = read_built({1, 2, 3, 3}, [](OnnxWriter& file) {
    file.initializer(real_tensor({}, {0}, "low")).initializer(real_tensor({}, {6}, "high")).node("Clip", {"x", "low", "high"}, {"y"});
  });
  EXPECT_EQ(to_string(output_of(net).layer), "relu6");
}

TEST(OnnxUnary, TheMaskOfDropoutIsConstant) {
  OnnxWriter file;
  file.input("x", {1, 3, 4, 4})
      .node("Dropout", {"x"}, {"y", "mask"})
      .node("Cast", {"mask"}, {"m"}, {attribute("to", 1)})
      .output("y")
      .output("m");
  const Network net = file.read();
  EXPECT_EQ(net.node(net.outputs()[1]).shape, (Dims{1, 3, 4, 4}));
  EXPECT_TRUE(std::holds_alternative<Constant>(net.node(net.outputs()[1]).layer));
}

TEST(OnnxBinary, ValuesAndConstants) {
  const auto merged = [](std::string_view op, const List& a, const List& b, bool weights) {
    OnnxWriter file;
    file.input("x", {a.begin(), a.end()});
    if (weights)
      file.weights("b", b);
    else
      file.input("b", {b.begin(), b.end()});
    return file.node(op, {"x", "b"}, {"y"}).output("y").read();
  };
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Sum", "Mean", "Equal", "Greater", "LessOrEqual", "And", "Mod"}) {
    EXPECT_EQ(output_of(merged(op, {2, 1, 4}, {3, 1}, false)).shape, (Dims{2, 3, 4})) << op;
    EXPECT_EQ(output_of(merged(op, {2, 1, 4}, {3, 1}, false)).inputs.size(), 2u) << op;
    EXPECT_TRUE(std::holds_alternative<Elementwise>(output_of(merged(op, {2, 1, 4}, {}, true)).layer)) << op;
  }
  const Network biased = merged("Add", {2, 3, 4, 4}, {3, 1, 1}, true);
  EXPECT_EQ(to_string(output_of(biased).layer), "add");
  EXPECT_EQ(parameters(biased), 3);
  EXPECT_EQ(parameters(merged("Mul", {2, 3, 4, 4}, {1}, true)), 0);  // a factor
}

TEST(OnnxBinary, BroadcastAlongAnAxisBeforeOpset7) {
  const Network net = read_built(
      {2, 3, 4, 4},
      [](OnnxWriter& file) { file.weights("b", {3}).node("Add", {"x", "b"}, {"y"}, {attribute("broadcast", 1), attribute("axis", 1)}); },
      6);
  EXPECT_EQ(output_of(net).shape, (Dims{2, 3, 4, 4}));
  EXPECT_EQ(parameters(net), 3);
}

TEST(OnnxBinary, WhereOfThreeValues) {
  OnnxWriter file;
  file.input("c", {4, 1}, 9).input("x", {1, 5}).weights("z", {}).node("Where", {"c", "x", "z"}, {"y"}).output("y");
  EXPECT_EQ(output_of(file.read()).shape, (Dims{4, 5}));
}

TEST(OnnxBinary, PRelu) {
  const auto slopes = [](const List& shape) {
    return read_built({2, 3, 4, 4}, [&](OnnxWriter& file) { file.weights("s", shape).node("PRelu", {"x", "s"}, {"y"}); });
  };
  for (const List& shape : {List{3, 1, 1}, List{1}, List{3, 4, 4}, List{}}) {
    int64_t count = 1;
    for (const int64_t size : shape) count *= size;
    EXPECT_EQ(output_of(slopes(shape)).shape, (Dims{2, 3, 4, 4}));
    EXPECT_EQ(parameters(slopes(shape)), count);
  }
}

TEST(OnnxNormalisation, Families) {
  const auto norm = [](std::string_view op, const std::vector<List>& weights, const Attributes& attributes = {}, int64_t opset = 18) {
    return read_built(
        {2, 6, 4, 4},
        [&](OnnxWriter& file) {
          std::vector<std::string> inputs = {"x"};
          for (const List& shape : weights) {
            inputs.push_back("w" + std::to_string(inputs.size()));
            file.weights(inputs.back(), shape);
          }
          file.node(op, inputs, {"y"}, attributes);
        },
        opset);
  };
  const Network batch = norm("BatchNormalization", {{6}, {6}, {6}, {6}});
  EXPECT_EQ(difference(batch, "bn"), "");
  EXPECT_EQ(parameters(norm("InstanceNormalization", {{6}, {6}})), 12);
  EXPECT_EQ(parameters(norm("LayerNormalization", {{6, 4, 4}, {6, 4, 4}}, {attribute("axis", 1)})), 192);
  EXPECT_EQ(parameters(norm("GroupNormalization", {{3}, {3}}, {attribute("num_groups", 3)})), 6);
  EXPECT_EQ(parameters(norm("RMSNormalization", {{4}}, {}, 23)), 4);
  for (const char* op : {"LRN", "MeanVarianceNormalization", "LpNormalization"}) EXPECT_EQ(difference(norm(op, {}), "identity"), "") << op;
  EXPECT_FALSE(output_of(norm("BatchNormalization", {{6}, {6}, {6}, {6}}, {attribute("spatial", 0)}, 7)).is_known());
}

TEST(OnnxNormalisation, OutputsThatNoLayerHasAreUnknown) {
  OnnxWriter file;
  file.input("x", {2, 6})
      .weights("s", {6})
      .node("LayerNormalization", {"x", "s"}, {"y", "mean"})
      .node("Relu", {"mean"}, {"m"})
      .output("y")
      .output("m");
  const Network net = file.read();
  EXPECT_TRUE(net.node(net.outputs()[0]).is_known());
  EXPECT_FALSE(net.node(net.outputs()[1]).is_known());
  EXPECT_EQ(unknown_function(net.node(net.node(net.outputs()[1]).blocked_by)), "LayerNormalization:1");
}

TEST(OnnxNormalisation, Softmax) {
  const auto layer = [](const Network& net) { return to_string(output_of(net).layer); };
  EXPECT_EQ(layer(one("Softmax", {2, 6, 4, 4})), "softmax 3");
  EXPECT_EQ(layer(one("Softmax", {2, 6, 4, 4}, {attribute("axis", 1)})), "softmax");
  EXPECT_EQ(layer(one("LogSoftmax", {2, 6}, {attribute("axis", -1)})), "softmax");
  EXPECT_EQ(layer(one("Softmax", {2, 6, 1, 1}, {}, 9)), "softmax");
  // Before opset 13, over all dimensions from the axis on.
  const Network flat = one("Softmax", {2, 6, 4, 4}, {}, 9);
  EXPECT_EQ(output_of(flat).shape, (Dims{2, 6, 4, 4}));
  EXPECT_EQ(analyze(flat).layers.back().fields[0].size, 4);
}

TEST(OnnxQuantised, Layers) {
  const Network conv = read_built({1, 3, 8, 8}, [](OnnxWriter& file) {
    file.weights("s", {}).weights("z", {}, OnnxWriter::i8).weights("w", {4, 3, 3, 3}, OnnxWriter::i8).weights("b", {4}, 6);
    file.node("QuantizeLinear", {"x", "s", "z"}, {"q"});
    file.node("QLinearConv", {"q", "s", "z", "w", "s", "z", "s", "z", "b"}, {"y"});
  });
  EXPECT_EQ(difference(conv, "conv 3x3 4"), "");
  const Network stored = read_built({2, 6}, [](OnnxWriter& file) {
    file.weights("s", {})
        .weights("w", {6, 5}, OnnxWriter::i8)
        .node("DequantizeLinear", {"w", "s"}, {"v"})
        .node("MatMul", {"x", "v"}, {"y"});
  });
  EXPECT_EQ(to_string(output_of(stored).layer), "linear 5 nobias");
  const Network product = read_built({2, 6}, [](OnnxWriter& file) {
    file.weights("s", {}).weights("z", {}, OnnxWriter::i8).weights("w", {6, 5}, OnnxWriter::i8);
    file.node("DynamicQuantizeLinear", {"x"}, {"q", "qs", "qz"}).node("QLinearMatMul", {"q", "s", "z", "w", "s", "z", "s", "z"}, {"y"});
  });
  EXPECT_EQ(output_of(product).shape, (Dims{2, 5}));
  EXPECT_TRUE(output_of(product).is_known());
  const Network integers = read_built(
      {1, 3, 8, 8}, [](OnnxWriter& file) { file.weights("w", {4, 3, 3, 3}, OnnxWriter::i8).node("ConvInteger", {"x", "w"}, {"y"}); });
  EXPECT_EQ(difference(integers, "conv 3x3 4 nobias"), "");
  OnnxWriter runtime;
  runtime.input("x", {1, 3, 8, 8}).input("v", {1, 3, 8, 8}).weights("s", {}).weights("z", {}, OnnxWriter::i8);
  runtime.node("QLinearAdd", {"x", "s", "z", "v", "s", "z", "s", "z"}, {"y"}, {}, {}, "com.microsoft").output("y");
  EXPECT_EQ(to_string(output_of(runtime.read()).layer), "add");
}

TEST(OnnxUnknown, IsNeverAnIdentity) {
  OnnxWriter file;
  file.input("x", {1, 3, 8, 8}).weights("w", {4, 3, 3, 3}).node("Wobble", {"x"}, {"u"}, {}, "strange", "example.com");
  file.node("Conv", {"u", "w"}, {"y"}, {}, "after").node("Relu", {"x"}, {"beside"}).output("y").output("beside");
  const Network net = file.read();
  EXPECT_EQ(unknown_function(net.node(net.find("strange"))), "example.com.Wobble");
  EXPECT_EQ(net.node(net.find("after")).blocked_by, net.find("strange"));
  EXPECT_FALSE(std::holds_alternative<Unknown>(net.node(net.find("after")).layer));
  EXPECT_TRUE(net.node(net.outputs()[1]).is_known());
  EXPECT_EQ(analyze(net).unknown, std::vector{net.find("strange")});
  for (const char* op : {"If", "Loop", "Scan", "LSTM", "GRU", "NonZero", "TopK", "Einsum", "GridSample", "RoiAlign", "CumSum", "OneHot"})
    EXPECT_TRUE(std::holds_alternative<Unknown>(output_of(one(op, {1, 3, 8, 8})).layer)) << op;
}

}  // namespace tidepool::analyze
