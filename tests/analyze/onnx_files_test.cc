// Every model of ONNX's own test data is read and analysed, and its outputs have the shapes that the file says.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "analyze/onnx/model.h"
#include "analyze/onnx_writer.h"
#include "support/in_folder.h"
#include "tidepool/analyze/report.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> models() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(TIDEPOOL_ONNX_DATA_DIR))
    if (entry.path().extension() == ".onnx") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// Models that are refused, with a part of the reason. Sizes must be given for files that leave them open, and layers need cells.
const std::map<std::string, std::string> refused_models = {
    {"test_sequence_map_add_1_sequence_1_tensor", "leaves 'N' open"},
    {"test_sequence_map_add_1_sequence_1_tensor_expanded", "leaves 'N' open"},
    {"test_sequence_map_identity_1_sequence_1_tensor", "leaves 'M' open"},
    {"test_sequence_map_identity_1_sequence_1_tensor_expanded", "leaves 'M' open"},
    {"test_sequence_model8", "leaves 'n' open"},
    {"test_tril_zero", "must not be empty"},
    {"test_triu_zero", "must not be empty"},
};

struct Counts {
  int read = 0, known = 0, compared = 0;
};

// Compares the outputs with the shapes in the file. Sizes without a number are not compared.
void compare(const fs::path& path, const std::string& bytes, const Network& network, Counts& counts) {
  const onnx::Model model = onnx::parse_model(bytes);
  if (model.outputs.size() != network.outputs().size()) return;  // the indices of a pooling are represented by its output
  for (size_t i = 0; i < model.outputs.size(); ++i) {
    const Node& node = network.node(network.outputs()[i]);
    const onnx::ValueInfo& said = model.outputs[i];
    if (!node.is_known() || !said.has_shape) continue;
    ++counts.compared;
    ASSERT_EQ(node.shape.size(), said.shape.size()) << path << ", output " << said.name;
    for (size_t dim = 0; dim < said.shape.size(); ++dim) {
      if (said.shape[dim].size < 0) continue;
      EXPECT_EQ(node.shape[static_cast<int>(dim)], said.shape[dim].size) << path << ", output " << said.name << ", dimension " << dim;
    }
  }
}

}  // namespace

TEST(OnnxFiles, EveryModelIsReadOrRefusedWithAReason) {
  Counts counts;
  for (const fs::path& path : models()) {
    const std::string bytes = test::slurp(path);
    try {
      const Network network = read_onnx(bytes);
      const Report report = analyze(network);
      ++counts.read;
      counts.known += report.unknown.empty();
      compare(path, bytes, network, counts);
    } catch (const Error& error) {
      const auto listed = refused_models.find(path.parent_path().filename().string());
      if (listed == refused_models.end())
        ADD_FAILURE() << path << ": " << error.message();
      else
        EXPECT_THAT(error.message(), testing::HasSubstr(listed->second)) << path;
    }
  }
  std::cout << "onnx models: " << counts.read << " read, " << counts.known << " of them without unknown layers, " << counts.compared
            << " outputs compared\n";
  // Of the 1072 models of version 1.12.
  EXPECT_GE(counts.read, 1060);
  EXPECT_GE(counts.known, 600);
  EXPECT_GE(counts.compared, 600);
}

}  // namespace tidepool::analyze
