// The names of nn::Downsampling on the command line and in saved files.
#pragma once

#include <string_view>

#include "tidepool/nn.h"

namespace tidepool::cli {

std::string_view downsampling_name(nn::Downsampling downsampling) noexcept;  // "max", "avg" or "stride"
nn::Downsampling downsampling_from_name(std::string_view name);              // throws Error(parse) for any other name

}  // namespace tidepool::cli
