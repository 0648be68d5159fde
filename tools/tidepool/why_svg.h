// The drawing of `tidepool why`: a row of cells for each axis, and below it the window of every output.
#pragma once

#include <string>
#include <vector>

#include "why_text.h"

namespace tidepool::cli {

std::string why_svg(const OneLayer& layer, const std::vector<analyze::WindowAxis>& axes, const WhyOptions& options);

}  // namespace tidepool::cli
