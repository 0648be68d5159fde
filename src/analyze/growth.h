// Consecutive layers that enlarge fields which already exceed the input.
#pragma once

#include <cstdint>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

struct Growth {
  size_t axis = 0;         // index into Report::axes
  std::vector<int> nodes;  // layers that enlarge the field, with none between them that does so within the input
  int64_t field = 0;       // before the first of them
  int64_t input = 0;       // the size of the axis
  int64_t needed = 0;      // the size of the axis with which all of them would see something new
};

// With `all_paths`, layers whose field exceeds the input on every path (Field::saturated), otherwise on some path only
// (Field::oversized). Layers after which all cells have the same field, such as global pooling, are meant to see everything and do not
// count.
std::vector<Growth> growth_beyond_input(const Network& network, const Report& report, bool all_paths);

}  // namespace tidepool::inline v0_1::analyze
