// Positions and lists in words: "row 6 of 7", "h and w".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tidepool/analyze/range_set.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// "h", "h and w", "d, h and w".
std::string listed(const std::vector<std::string>& items);

// "row 6", "rows 5-6", "28 rows (1, 3, 5, 7, …)"; "positions 5-6 along t" if the axis has no word for its positions.
std::string positions(std::string_view axis, const RangeSet& set);

// "h", or "h of 'left'" if the network has several inputs.
std::string axis_label(const Network& network, const Report& report, size_t axis);

// A name of a node or an axis as it can stand in a line of text: control characters become spaces, very long names are cut.
std::string shown(std::string_view name);

}  // namespace tidepool::inline v0_1::analyze
