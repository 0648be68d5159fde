// Estimated times of kernels.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "kernels/kernel.h"
#include "plan/cost_terms.h"

namespace tidepool::inline v0_1::detail {

struct CostRow {
  std::string_view key;  // see cost_key
  std::array<float, cost_term_count> coefficients;
};

// All that were measured, sorted by key.
std::span<const CostRow> cost_rows() noexcept;

// Nanoseconds of one call on one thread.
double estimated_time(const Problem& problem, const KernelEntry& kernel, int64_t target);

}  // namespace tidepool::inline v0_1::detail
