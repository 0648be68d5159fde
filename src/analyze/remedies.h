// The smallest changes that keep the cells that no window reads.
#pragma once

#include <string>
#include <vector>

#include "analyze/axis_map.h"
#include "tidepool/analyze/layers.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// Changes of the layer, or of the size of its input, each enough on its own. `axis` is the name of the axis.
std::vector<std::string> remedies(const Layer& layer, const AxisMap& map, const std::string& axis);

// The nearest smaller and larger sizes of the inputs with which no layer loses a cell, as texts: "24x40 or 32x48".
std::vector<std::string> lossless_input_sizes(const Network& network, const Report& report);

}  // namespace tidepool::inline v0_1::analyze
