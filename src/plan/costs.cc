// The coefficients are measured: `tidepool tune --fit 2500 --with-suite --seconds 0.005 --target NAME --table src/plan/costs/NAME.inc`
// makes a file anew.
#include "plan/costs.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>

namespace tidepool::inline v0_1::detail {
namespace {

// Sorted by key.
constexpr CostRow rows[] = {
#include "plan/costs/AVX2.inc"
#include "plan/costs/AVX3.inc"
#include "plan/costs/SSE4.inc"
};
static_assert(std::ranges::is_sorted(rows, {}, &CostRow::key));

const CostRow* find(std::string_view key) {
  const auto* row = std::ranges::lower_bound(rows, key, {}, &CostRow::key);
  return row != std::end(rows) && row->key == key ? row : nullptr;
}

// The row of a kernel. For combinations that no measured problem had: that of dtypes with 32 bits, then that of AVX2.
const CostRow* row_of(std::string key) {
  if (const CostRow* row = find(key)) return row;
  for (std::string_view narrow : {" half", " byte", " int"})
    if (const size_t at = key.find(narrow); at != std::string::npos) {
      key.replace(at, narrow.size(), " wide");
      if (const CostRow* row = find(key)) return row;
    }
  return find("AVX2" + key.substr(4));
}

// Without a row: a nanosecond for every element of every window, so that kernels with measured coefficients are preferred.
double unmeasured_time(const Problem& p) {
  return 1000 + static_cast<double>(p.geometry.output_numel()) * static_cast<double>(p.geometry.window_taps());
}

}  // namespace

std::span<const CostRow> cost_rows() noexcept { return rows; }

double estimated_time(const Problem& problem, const KernelEntry& kernel, int64_t target) {
  const CostRow* row = row_of(cost_key(problem, kernel, target));
  if (row == nullptr) return unmeasured_time(problem);
  const CostTerms terms = cost_terms(problem, kernel);
  return std::inner_product(terms.begin(), terms.end(), row->coefficients.begin(), 0.0);
}

}  // namespace tidepool::inline v0_1::detail
