// The drawing of `tidepool show`: input, output and gradient, with a colour for each window.
#pragma once

#include <string>

#include "show_run.h"

namespace tidepool::cli {

std::string show_svg(const Shown& shown);

}  // namespace tidepool::cli
