// Which positions of the inputs one cell of a layer depends on, as text and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"
#include "tidepool/export.h"

namespace tidepool::inline v0_1::analyze {

// `cell` has one position for each dimension of the layer's output from 2 on. For every axis of every input on which the cell depends: the
// positions inside the input, holes between them, and the positions with padding (unclipped_field). Throws Error if the layer is not known
// or has no such cell. No line is wider than `columns`.
TIDEPOOL_API std::string cell_text(const Network& network, const Report& report, int node, const std::vector<int64_t>& cell,
                                   int columns = 100);
// The same, and the boxes of dependence(), in the form that docs/analyze-json.md describes.
TIDEPOOL_API std::string cell_json(const Network& network, const Report& report, int node, const std::vector<int64_t>& cell);

}  // namespace tidepool::inline v0_1::analyze
