// The answer of `tidepool shape … --prove`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/svg.h"

namespace tidepool::cli {

struct ProofText {
  std::string text;
  bool holds = false;
};

// Runs the network, and says whether exactly the cells that one cell of the node's output is computed to depend on receive a gradient,
// and where the gradient is large; with pictures of small fields. Throws Error if the network cannot be run, and in builds without
// tidepool::nn.
ProofText prove_text(const analyze::Network& network, int node, const std::vector<int64_t>& cell);

// Where the gradient is large, for a picture of the field. Nothing where it cannot be shown: in inputs of three spatial dimensions, and for
// networks with layers that cannot be run.
analyze::FieldPicture effective_picture(const analyze::Network& network, int node, const std::vector<int64_t>& cell);

}  // namespace tidepool::cli
