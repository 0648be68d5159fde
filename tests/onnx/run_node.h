// One ONNX node by tidepool's public functions.
#pragma once

#include <onnx/onnx_pb.h>

#include <stdexcept>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::onnx_test {

// A node that tidepool has no function for.
struct NotRunnable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The node's outputs. Pooling under Preset::onnx; Squeeze and Unsqueeze as reshapes.
std::vector<Tensor> run_node(const onnx::NodeProto& node, const std::vector<Tensor>& inputs);

}  // namespace tidepool::onnx_test
