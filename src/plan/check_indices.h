#pragma once

#include "kernels/kernel.h"
#include "plan/caller_name.h"
#include "tidepool/executor.h"

namespace tidepool::detail {

// Every index must name a cell of its plane (window base: of its window); where pooling may have chosen nothing, or say so.
Status check_indices(const CallerName& caller, const Problem& problem, const KernelArgs& args, const TensorView& indices,
                     Executor& executor);

}  // namespace tidepool::detail
