// ONNX's official vectors, and answers of its reference evaluator, against the public functions under Preset::onnx.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "onnx/run_node.h"
#include "onnx/vector.h"
#include "support/compare.h"
#include "support/counts.h"
#include "support/tensors.h"

namespace tidepool::onnx_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The graph's pooling op, or nothing.
std::string pooling_op(const Vector& vector) {
  const auto node = std::find_if(vector.nodes.begin(), vector.nodes.end(), [](const auto& n) { return is_pooling(n.op_type()); });
  return node == vector.nodes.end() ? "" : node->op_type();
}

std::vector<Tensor> run_graph(const Vector& vector) {
  std::map<std::string, Tensor> values;
  for (size_t i = 0; i < vector.inputs.size(); ++i) values[vector.input_names[i]] = vector.inputs[i];
  for (const auto& node : vector.nodes) {
    std::vector<Tensor> inputs;
    for (const std::string& name : node.input()) inputs.push_back(values.at(name));
    const std::vector<Tensor> outputs = run_node(node, inputs);
    for (size_t i = 0; i < outputs.size(); ++i) values[node.output(static_cast<int>(i))] = outputs[i];
  }
  std::vector<Tensor> outputs;
  for (const std::string& name : vector.output_names) outputs.push_back(values.at(name));
  return outputs;
}

// Its numbers were written by hand.
constexpr const char* four_digits = "averagepool_2d_ceil_last_window_starts_on_pad";

// Sums in another order: the same number up to a few roundings. Anything else is equal by bits.
::testing::AssertionResult matches(const Vector& vector, const Tensor& expected, const Tensor& actual) {
  const std::string op = pooling_op(vector);
  const bool rounds = op.find("Average") != std::string::npos || op.find("Lp") != std::string::npos;
  if (!rounds) return test::same_bits(expected, actual);
  if (expected.shape() != actual.shape() || expected.dtype() != actual.dtype())
    return ::testing::AssertionFailure() << "shape " << to_string(actual.shape()) << ", expected " << to_string(expected.shape());
  const double tolerance = vector.name == four_digits ? 1e-4 : expected.dtype() == DType::f64 ? 1e-12 : 2e-6;
  const test::Cells want = test::cells(expected), got = test::cells(actual);
  for (size_t i = 0; i < want.size(); ++i)
    if (!(std::abs(want[i] - got[i]) <= tolerance * std::max(1.0, std::abs(want[i]))))
      return ::testing::AssertionFailure() << "cell " << i << " is " << got[i] << ", expected " << want[i];
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult runs_right(const Vector& vector) {
  const std::vector<Tensor> actual = run_graph(vector);
  for (size_t i = 0; i < actual.size(); ++i)
    if (auto same = matches(vector, vector.outputs[i], actual[i]); !same) return same << ", output " << i;
  return ::testing::AssertionSuccess();
}

// Runs and counts one vector. The answer is empty, or says why it cannot be run.
std::string compare(const Vector& vector, test::Counts& counts) {
  const auto count = [&](bool match) {
    counts.add(pooling_op(vector), std::string(dtype_name(vector.inputs[0].dtype())), "forward", match);
  };
  try {
    const auto right = runs_right(vector);
    count(static_cast<bool>(right));
    EXPECT_TRUE(right) << vector.name << ": " << vector.nodes[0].ShortDebugString();
  } catch (const NotRunnable& reason) {
    return reason.what();
  } catch (const Error& refusal) {
    count(false);
    ADD_FAILURE() << vector.name << " was refused: " << refusal.what();
  }
  return "";
}

TEST(Onnx, OfficialVectors) {
  test::Counts counts("ONNX");
  int node_folders = 0, not_run = 0, without_model = 0;
  for (const fs::path& suite : sorted_entries(TIDEPOOL_ONNX_DATA_DIR))
    for (const fs::path& folder : sorted_entries(suite)) {
      if (!fs::exists(folder / "model.onnx")) {
        ++without_model;  // the large networks, of which the package holds an address to download from
        continue;
      }
      Vector vector = read_graph(folder);
      if (pooling_op(vector).empty()) continue;
      const bool is_node = suite.filename() == "node";
      node_folders += is_node;
      const int data_sets = count_data_sets(folder);
      EXPECT_GT(data_sets, 0) << vector.name;
      for (int i = 0; i < data_sets; ++i) {
        read_data_set(folder, i, vector);
        const std::string reason = compare(vector, counts);
        if (reason.empty()) continue;
        ++not_run;
        std::cout << "onnx not run: " << vector.name << " (" << reason << ")\n";
        EXPECT_FALSE(is_node) << vector.name << " was not run";
      }
    }
  counts.print("onnx");
  std::cout << "onnx folders: " << node_folders << " of node/, " << not_run << " not run, " << without_model << " without a model\n";
  counts.write("onnx.json");
  EXPECT_GE(node_folders, 34);
}

TEST(Onnx, ReferenceEvaluator) {
  test::Counts counts("ONNX evaluator");
  for (const Vector& vector : read_cases(fs::path(TIDEPOOL_SOURCE_DIR) / "tests/onnx/reference.bin"))
    EXPECT_EQ(compare(vector, counts), "") << vector.name << " was not run";
  counts.print("onnx evaluator");
  counts.write("onnx_evaluator.json");
  EXPECT_GE(counts.cases(), 300);
}

}  // namespace
}  // namespace tidepool::onnx_test
