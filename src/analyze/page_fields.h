// The fields that a page shows when a layer is clicked, as JSON for its script.
#pragma once

#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

struct PageFields {
  std::string json;        // can stand in a script element
  std::vector<int> entry;  // for each node its place in "fields"; -1 if the page has none
};

// The fields of the first, the middle and the last cell of every layer. Layers that see the same share an entry. In very large networks,
// only every n-th layer has fields, because finding them takes a walk from each to the inputs.
PageFields page_fields(const Network& network, const Report& report, const std::string& picture_href);

}  // namespace tidepool::inline v0_1::analyze
