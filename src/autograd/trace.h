// What record() tells the CallTrace of the thread.
#pragma once

#include <string>
#include <vector>

#include "tidepool/trace.h"

namespace tidepool::inline v0_1::detail {

// A call whose options are not known. Does nothing unless tracing().
void see_call(const std::string& function, const std::vector<Tensor>& inputs, const Tensor& result);

}  // namespace tidepool::inline v0_1::detail
