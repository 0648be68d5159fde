// The windows of a pooling as options of a traced call.
#pragma once

#include <vector>

#include "tidepool/geometry.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1::detail {

// "kernel_size", "stride", "dilation", "input_size" and "output_size" have a value for each axis, "padding" two: before and after.
std::vector<CallOption> window_trace(const Geometry& geometry);

}  // namespace tidepool::inline v0_1::detail
