// Runs a network of the analysis with the layers of this library and random weights. See docs/nn.md.
#pragma once

#include <cstdint>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/export.h"
#include "tidepool/options.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::nn {

struct RunOptions {
  NamedOnly named_only = NamedOnly::fields();
  uint64_t seed = 0;  // of the weights; the generator of random.h is not used
  // Computes what can depend on what, in place of values: every layer becomes a sum, with positive weights, of all cells that it may read.
  // Activations, normalisations and dropout pass values on; a maximum, a product, a matrix product and an unpooling add up what they might
  // read; interpolation takes its weights without their signs. No gradient can cancel then, so it is zero exactly where no path through
  // the network leads. The backward pass replaces gradients that are not zero by 1 behind every layer, because the products of many small
  // weights would become too small for f32.
  Flag structural = false;
};

// The output of a node. `inputs` has a tensor for each of network.inputs(), in f32. Weights are uniform with He's variance, 2 / fan-in;
// biases are 0, and batch normalisation, as just after it was made, passes values on. Unpooling gets random indices. Throws Error for
// layers that cannot be run, with their names, and for networks of more than 2^29 values or 2^40 multiply-adds.
TIDEPOOL_API Tensor run_network(const analyze::Network& network, int node, const std::vector<Tensor>& inputs,
                                const RunOptions& options = {});

}  // namespace tidepool::inline v0_1::nn
