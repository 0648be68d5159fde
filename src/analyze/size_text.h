// How the output size of a layer comes about along one axis, in numbers.
#pragma once

#include <string>

#include "analyze/axis_map.h"
#include "tidepool/analyze/layers.h"
#include "tidepool/analyze/windows.h"

namespace tidepool::inline v0_1::analyze {

// "floor((7 + 0 + 0 - 2) / 2) + 1 = floor(5 / 2) + 1 = 3". `spatial` is the number of the axis among the spatial ones.
std::string size_text(const Layer& layer, const AxisMap& map, int spatial, const WindowAxis& axis);

}  // namespace tidepool::inline v0_1::analyze
