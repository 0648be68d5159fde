// Calls the library's function for a pooling layer in the text form of networks.
#pragma once

#include "show_run.h"
#include "tidepool/ops/pooled.h"

namespace tidepool::cli {

// `x` has the shape of the layer's input; the call is recorded if it requires gradients. Indices are those of maxima and minima. Throws
// Error for layers that do not pool.
Pooled run_layer(const OneLayer& layer, const Tensor& x, const ShowOptions& show);

}  // namespace tidepool::cli
