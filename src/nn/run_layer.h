// One layer of an analysed network, computed with tensors.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"

namespace tidepool::inline v0_1::nn::detail {

// Throws Error unless run_network can compute the node `last`: before anything is allocated, the inputs among it.
void check_can_run(const analyze::Network& network, int last);

struct LayerRun {
  const analyze::Node& node;
  std::vector<Tensor> x;  // the inputs
  uint64_t seed;          // of the weights; layers that share weights have the same
  bool structural;

  // Throws Error: the layer cannot be run. `what` says what of it, if it is not all of it.
  [[noreturn]] void refuse(const std::string& what = "") const;
  // Refuses arrays beside the activations that are larger than the activations may be.
  void check_size(const Dims& shape) const;
  // Weights of which `fan_in` are added up: positive in structural runs, so that no gradient cancels.
  Tensor weights(const Dims& shape, int64_t fan_in) const {
    check_size(shape);
    const Tensor uniform = rand(shape, seed);
    if (structural) return (uniform + 0.5) * (1.0 / static_cast<double>(fan_in));
    return (uniform * 2 - 1) * std::sqrt(6.0 / static_cast<double>(fan_in));
  }
};

Tensor run(const LayerRun& run, const analyze::Conv& conv);
Tensor run(const LayerRun& run, const analyze::ConvTranspose& conv);
Tensor run(const LayerRun& run, const analyze::Pool& pool);
Tensor run(const LayerRun& run, const analyze::AdaptivePool& pool);
Tensor run(const LayerRun& run, const analyze::FractionalPool& pool);
Tensor run(const LayerRun& run, const analyze::Unpool& unpool);
Tensor run(const LayerRun& run, const analyze::Resize& resize);
Tensor run(const LayerRun& run, const analyze::Linear& layer);
Tensor run(const LayerRun& run, const analyze::Elementwise& layer);
Tensor run(const LayerRun& run, const analyze::StatisticsNorm& layer);
Tensor run(const LayerRun& run, const analyze::Softmax& layer);
Tensor run(const LayerRun& run, const analyze::Merge& merge);
Tensor run(const LayerRun& run, const analyze::Concat& layer);
Tensor run(const LayerRun& run, const analyze::Flatten& flatten);
Tensor run(const LayerRun& run, const analyze::Reshape& reshape);
Tensor run(const LayerRun& run, const analyze::Transpose& layer);
Tensor run(const LayerRun& run, const analyze::Slice& layer);
Tensor run(const LayerRun& run, const analyze::Pad& pad);
Tensor run(const LayerRun& run, const analyze::Reduce& reduce);
Tensor run(const LayerRun& run, const analyze::MatMul& matmul);

// A matrix of zeros for along().
Tensor matrix_of(const LayerRun& run, int64_t out, int64_t in);
// The product of `matrix`, out x in, with every line of x along `dim`.
Tensor along(const Tensor& x, int dim, const Tensor& matrix);
// x with zeros added at the ends of `dim`; negative numbers cut off.
Tensor padded(const Tensor& x, int dim, int64_t before, int64_t after);
// The mean along `dims`, repeated to the shape of x: every cell reads all of them.
Tensor mean_everywhere(const Tensor& x, const std::vector<int>& dims);

}  // namespace tidepool::inline v0_1::nn::detail
