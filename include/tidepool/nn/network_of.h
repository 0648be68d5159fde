// The graph of layers of a module, for the analysis. See docs/nn.md.
#pragma once

#include "tidepool/analyze/network.h"
#include "tidepool/dims.h"
#include "tidepool/export.h"
#include "tidepool/nn/module.h"

namespace tidepool::inline v0_1::nn {

// Runs module.forward once, on random numbers and with every part of it in inference mode, and follows the functions that it calls: what
// forward does with the results, such as x + y, concat or slices, is a layer too. The module and the generator of random.h are left as they
// were. Layers with weights have the name of their part of the module, "features.0", and count weights that they share once.
//
// Functions that the analysis has no layer for become analyze::Unknown with their name, as do values that forward has computed from its
// input where gradients do not flow (NoGrad, detach, data()); to see the latter, forward runs once or twice more if it uses tensors that
// are neither parameters nor buffers. Throws Error if the result does not depend on the input, and what forward throws.
TIDEPOOL_API analyze::Network network_of(Module& module, const Dims& input);

}  // namespace tidepool::inline v0_1::nn
