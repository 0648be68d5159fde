// The arrays of a golden case, made again from its seed as scripts/golden/arrays.py makes them.
#pragma once

#include "golden/case.h"

namespace tidepool::golden {

// In the arrangement of the case.
Tensor input_of(const Case& c);
Tensor grad_of(const Case& c);       // of the output
Tensor grad_grad_of(const Case& c);  // of the gradient of the input
Tensor samples_of(const Case& c);    // of fractional pooling: N, C, rank
// Magnitudes in f64, for tolerances.
Tensor magnitudes(const TensorArg& t);

}  // namespace tidepool::golden
