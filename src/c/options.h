// From the options of the C face to a problem.
#pragma once

#include "tidepool/c.h"
#include "tidepool/problem.h"

namespace tidepool::c {

// Throws Error when a number breaks a rule.
Problem problem_of(const tp_options& options);

}  // namespace tidepool::c
