// What a tp_plan points to.
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
