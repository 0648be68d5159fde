// The definition of tp_plan. Strings are stored so that C callers get pointers that live as long as the plan.
#pragma once

#include <string>

#include "tidepool/c.h"
#include "tidepool/plan.h"

struct tp_plan {
  tidepool::Plan plan;
  std::string kernel;
  std::string target;
  std::string problem;
};
