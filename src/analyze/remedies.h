// The smallest changes that keep the cells that no window reads.
#pragma once

#include <string>
#include <vector>

#include "analyze/axis_map.h"
#include "tidepool/analyze/layers.h"

namespace tidepool::inline v0_1::analyze {

// Whether the outputs together read every cell of the input.
bool keeps_all(const AxisMap& map);

// Changes of the layer, or of the size of its input, each enough on its own. `spatial` is the number of the axis among the layer's spatial
// ones, `name` its name.
std::vector<std::string> remedies(const Layer& layer, const AxisMap& map, int spatial, const std::string& name);

}  // namespace tidepool::inline v0_1::analyze
