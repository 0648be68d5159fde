// A report as one HTML page that needs no other files and no network.
#pragma once

#include <string>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"
#include "tidepool/export.h"
#include "tidepool/options.h"

namespace tidepool::inline v0_1::analyze {

struct HtmlOptions {
  NamedOnly named_only = NamedOnly::fields();
  std::string title = {};         // "A network of 18 layers" if it is empty
  std::string picture_href = {};  // a picture behind the fields: a data: URI of an image
};

// Totals, findings, the chain, a table of all layers that explains every number, and the field of a layer that is clicked. The same network
// gives the same text.
TIDEPOOL_API std::string to_html(const Network& network, const Report& report, const HtmlOptions& options = {});

}  // namespace tidepool::inline v0_1::analyze
