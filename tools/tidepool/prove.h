// The answer of `tidepool shape … --prove`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"

namespace tidepool::cli {

// Runs the network, and says whether exactly the cells that one cell of the node's output is computed to depend on receive a gradient,
// and where the gradient is large; with pictures of small fields. Throws Error if the network cannot be run, and in builds without
// tidepool::nn.
std::string prove_text(const analyze::Network& network, int node, const std::vector<int64_t>& cell);

}  // namespace tidepool::cli
