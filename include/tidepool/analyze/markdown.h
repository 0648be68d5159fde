// A report as Markdown: a table of layers, totals, and findings.
#pragma once

#include <string>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"
#include "tidepool/export.h"

namespace tidepool::inline v0_1::analyze {

TIDEPOOL_API std::string to_markdown(const Network& network, const Report& report);

}  // namespace tidepool::inline v0_1::analyze
