// Cells that no window reads, and what would keep them.
#pragma once

#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// Layers whose windows may not fit. Those that cut cells off on purpose are not among them.
bool may_lose_cells(const Layer& layer);

// For each axis, the positions that no output depends on.
std::vector<RangeSet> unseen_positions(const Network& network, const std::vector<InputAxis>& axes);

// Fills Report::losses, unseen and input_sizes. Report::axes must be filled.
void find_losses(const Network& network, Report& report);

}  // namespace tidepool::inline v0_1::analyze
