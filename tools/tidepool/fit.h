// Fits the coefficients that the planner estimates the times of kernels with.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

namespace tidepool::cli {

// One kernel on one problem.
struct CostSample {
  std::string key;            // of the coefficients
  std::vector<double> terms;  // the counts that they are multiplied with
  double nanoseconds = 0;     // measured
};

// The kernels that fit a problem.
using CostSamples = std::vector<CostSample>;

// Coefficients in nanoseconds, none negative, by key.
using CostTable = std::map<std::string, std::vector<double>>;

CostTable fit_costs(std::span<const CostSamples> problems);

// Measured time of the kernel that the table chooses / time of the fastest. Kernels without coefficients are not chosen.
double choice_ratio(const CostTable& table, const CostSamples& kernels);

// Lines of src/plan/costs/NAME.inc.
std::string table_text(const CostTable& table);

}  // namespace tidepool::cli
