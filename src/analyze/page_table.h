// The table of layers of a page.
#pragma once

#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// `entry` is that of page_fields(). Row 12 has the id "l12". Every cell explains itself in data-tip.
std::string page_table(const Network& network, const Report& report, const std::vector<int>& entry);

}  // namespace tidepool::inline v0_1::analyze
