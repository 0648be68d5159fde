// Which dimensions of the inputs are spatial.
#pragma once

#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// The dimensions of inputs along which windows move, however they were transposed since. An input without any has those from 2 on.
std::vector<InputAxis> spatial_axes(const Network& network);

}  // namespace tidepool::inline v0_1::analyze
