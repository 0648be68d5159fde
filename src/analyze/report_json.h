// A report as one value of a JSON document.
#pragma once

#include "analyze/json_writer.h"
#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// Of all documents in docs/analyze-json.md. A key more does not change it; a key that is gone or means something else does.
inline constexpr int schema_version = 1;

void write_report(JsonWriter& json, const Network& network, const Report& report);

}  // namespace tidepool::inline v0_1::analyze
