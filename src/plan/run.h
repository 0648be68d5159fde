// Plans for the library's own functions: errors begin with the name of the function that the user called.
#pragma once

#include <string_view>

#include "tidepool/plan.h"

namespace tidepool::inline v0_1::detail {

// cached_plan(problem), with errors that begin with `function`.
Plan cached_plan_for(std::string_view function, const Problem& problem);

// plan.run(arrays, executor), with errors that begin with `function`.
void run_as(std::string_view function, const Plan& plan, const RunArrays& arrays, Executor& executor = default_executor());

}  // namespace tidepool::inline v0_1::detail
