// How far the field of a cell reaches if neither the inputs nor any layer between had ends.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/axis.h"

namespace tidepool::inline v0_1::analyze {

// For each input that the cell depends on, the smallest range of positions along each dimension, padding included. `cell` has one position
// for each dimension of the node from 2 on. The node must be known.
std::map<int, std::vector<Range>> unclipped_reach(const Network& network, int node, const std::vector<int64_t>& cell);

}  // namespace tidepool::inline v0_1::analyze
