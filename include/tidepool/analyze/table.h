// A report as text for a terminal.
#pragma once

#include <string>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"
#include "tidepool/export.h"
#include "tidepool/options.h"

namespace tidepool::inline v0_1::analyze {

struct TableOptions {
  NamedOnly named_only = NamedOnly::fields();
  int columns = 100;    // no line is wider; at least 20
  bool colour = false;  // ANSI colours: layers with a finding stand out
};

// One line for each layer, then totals and findings. Where the width does not suffice, in this order: texts are cut to 24 characters; the
// columns pad, bytes, mult-adds, params and stride are left out, and named below the table; texts are cut to 12 characters; or each layer
// becomes a paragraph with all of its numbers.
TIDEPOOL_API std::string to_table(const Network& network, const Report& report, const TableOptions& options = {});

}  // namespace tidepool::inline v0_1::analyze
