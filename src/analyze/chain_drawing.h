// The picture of the chain, alone or inside a page.
#pragma once

#include <string>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// In a page, the page has the style and the title, and blocks are links to the table's rows: "#l12" for node 12.
std::string chain_drawing(const Network& network, const Report& report, bool in_page);

}  // namespace tidepool::inline v0_1::analyze
