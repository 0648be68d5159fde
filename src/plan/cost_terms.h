// What the time of a kernel is estimated from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

// Counts that kernels spend time on: one call, images, rows, vectors, elements, each with and without the elements of its windows, and
// bytes that no cache holds. A kernel's time is the sum of the counts, each times a coefficient in nanoseconds that was measured.
inline constexpr size_t cost_term_count = 23;
using CostTerms = std::array<double, cost_term_count>;

CostTerms cost_terms(const Problem& problem, const KernelEntry& kernel);

// Which coefficients are used: "AVX2 max fwd columns wide". Dtypes are wide, half, byte, or for averages int.
std::string cost_key(const Problem& problem, const KernelEntry& kernel, int64_t target);

}  // namespace tidepool::inline v0_1::detail
