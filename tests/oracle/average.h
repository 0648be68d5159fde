#pragma once

#include "oracle/oracle.h"

namespace tidepool::oracle {

// Average and sum pooling, all passes.
Expected average(const Problem& problem, TensorView input);

}  // namespace tidepool::oracle
