// ONNX's test vectors: a small graph, what goes in, and what must come out.
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::onnx_test {

struct Vector {
  std::string name;
  std::vector<onnx::NodeProto> nodes;                  // in the order in which they run
  std::vector<std::string> input_names, output_names;  // of the graph
  std::vector<Tensor> inputs, outputs;
};

// The operators this folder compares.
bool is_pooling(const std::string& op_type);

// The graph in FOLDER/model.onnx; arrays are left empty.
Vector read_graph(const std::filesystem::path& folder);
// How many data sets a folder holds, and one of them put into the vector.
int count_data_sets(const std::filesystem::path& folder);
void read_data_set(const std::filesystem::path& folder, int number, Vector& vector);

// The cases of a file that scripts/golden/onnx_generate.py wrote: graphs of one node.
std::vector<Vector> read_cases(const std::filesystem::path& file);

}  // namespace tidepool::onnx_test
