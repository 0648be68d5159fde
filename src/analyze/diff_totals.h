// The costs of two networks next to each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tidepool/analyze/diff.h"

namespace tidepool::inline v0_1::analyze {

struct TotalPair {
  std::string key;   // in JSON: "multiply_adds"
  std::string name;  // in texts: "multiply-adds"
  double a = 0, b = 0;
  std::string a_text, b_text;
  std::optional<double> ratio;  // b / a, unless a is 0
};

std::vector<TotalPair> paired_totals(const Report& a, const Report& b);

}  // namespace tidepool::inline v0_1::analyze
