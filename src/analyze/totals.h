// What a network costs altogether, and what to do about findings, in words.
#pragma once

#include <string>
#include <vector>

#include "tidepool/analyze/findings.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

struct Total {
  std::string name;  // at most 15 characters
  std::string text;
};

std::vector<Total> totals(const Report& report);

// "To keep them: ceil_mode; or a layer input of 6 or 8 along h and w."
std::string remedies_sentence(const Finding& finding);

}  // namespace tidepool::inline v0_1::analyze
