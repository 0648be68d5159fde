// A report as JSON, in the form that docs/analyze-json.md describes.
#pragma once

#include <string>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"
#include "tidepool/export.h"

namespace tidepool::inline v0_1::analyze {

TIDEPOOL_API std::string to_json(const Network& network, const Report& report);

}  // namespace tidepool::inline v0_1::analyze
