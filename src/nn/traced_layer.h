// What a call of a function is in the analysis.
#pragma once

#include <optional>
#include <vector>

#include "tidepool/analyze/layers.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1::nn::detail {

// Layers that follow each other; the first reads the call's inputs.
struct TracedLayer {
  std::vector<analyze::Layer> layers;  // none: the call returns its first input as it is
  int first_weight = -1;               // the inputs from here on are weights; -1: none is
};

TracedLayer traced_layer(const Call& call);

}  // namespace tidepool::inline v0_1::nn::detail
