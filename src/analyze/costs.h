// Parameters, arithmetic and memory.
#pragma once

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// Fills the costs of the report and of its layers.
void add_costs(const Network& network, const Options& options, Report& report);

}  // namespace tidepool::inline v0_1::analyze
