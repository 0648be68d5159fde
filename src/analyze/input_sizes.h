// Other sizes of the inputs with which nothing is lost.
#pragma once

#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// The nearest smaller and larger sizes with which no layer loses a cell and the outputs depend on all of the inputs, as texts: "24x40 or
// 32x48". Report::axes must be filled. Empty if none is found near the given sizes.
std::vector<std::string> lossless_input_sizes(const Network& network, const Report& report);

}  // namespace tidepool::inline v0_1::analyze
