#pragma once

#include "kernels/kernel.h"
#include "plan/caller_name.h"
#include "tidepool/executor.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::detail {

// Checks that every index is inside its plane, or with IndexBase::window inside its window. In gradients of max and min pooling an index
// may also be KernelArgs::no_index: the window was empty or contained only NaN.
Status check_indices(const CallerName& caller, const Problem& problem, const KernelArgs& args, const TensorView& indices,
                     Executor& executor);

}  // namespace tidepool::inline v0_1::detail
