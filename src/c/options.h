// Converts the options of the C interface to a Problem.
#pragma once

#include "tidepool/c.h"
#include "tidepool/problem.h"

namespace tidepool::inline v0_1::c {

// Throws Error when an option is not valid.
Problem problem_of(const tp_options& given);

}  // namespace tidepool::inline v0_1::c
