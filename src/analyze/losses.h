// Cells that no window reads, and what would keep them.
#pragma once

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// Fills Report::losses, unseen and input_sizes. Report::axes must be filled.
void find_losses(const Network& network, Report& report);

}  // namespace tidepool::inline v0_1::analyze
