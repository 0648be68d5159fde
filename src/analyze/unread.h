// Which cells along an axis no output reads, and why.
#pragma once

#include <vector>

#include "analyze/axis_map.h"
#include "tidepool/analyze/windows.h"

namespace tidepool::inline v0_1::analyze {

struct UnreadCells {
  std::vector<Unread> groups;  // one for each reason
  bool is_complete = true;
};

// Looks at a limited number of windows: on a longer axis with gaps, at those near both ends.
UnreadCells find_unread(const AxisMap& map);

}  // namespace tidepool::inline v0_1::analyze
