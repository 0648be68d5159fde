#include "fit.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace tidepool::cli {
namespace {

// Two kernels with known coefficients: "rows" pays for rows, "cells" for elements. Which is faster depends on the problem.
std::vector<CostSamples> problems(double noise) {
  std::mt19937_64 bits(1);
  const auto unit = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  std::vector<CostSamples> all;
  for (int i = 0; i < 200; ++i) {
    const double rows = 1 + 1000 * unit(), cells = rows * (1 + 50 * unit());
    const auto sample = [&](const char* key, double per_row, double per_cell) {
      const double time = 100 + per_row * rows + per_cell * cells;
      return CostSample{key, {1, rows, cells}, time * (1 + noise * (unit() - 0.5))};
    };
    all.push_back({sample("rows", 20, 0.5), sample("cells", 0, 1.5)});
  }
  return all;
}

TEST(FitCosts, FindsTheCoefficientsOfExactTimes) {
  const auto all = problems(0);
  const CostTable table = fit_costs(all);
  ASSERT_EQ(table.size(), 2u);
  const double wanted[2][3] = {{100, 0, 1.5}, {100, 20, 0.5}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(table.at("cells")[i], wanted[0][i], 0.02 * (1 + wanted[0][i])) << i;
    EXPECT_NEAR(table.at("rows")[i], wanted[1][i], 0.02 * (1 + wanted[1][i])) << i;
  }
}

TEST(FitCosts, ChoosesWellWithNoisyTimesAndHasNoNegativeCoefficients) {
  const auto all = problems(0.2);
  const CostTable table = fit_costs(all);
  for (const auto& [key, coefficients] : table)
    for (double c : coefficients) EXPECT_GE(c, 0) << key;
  const auto exact = problems(0);
  int well = 0, fewer_rows = 0;
  for (const CostSamples& kernels : exact) {
    well += choice_ratio(table, kernels) <= 1.1 ? 1 : 0;
    fewer_rows += kernels[0].nanoseconds < kernels[1].nanoseconds ? 1 : 0;
  }
  EXPECT_GE(well, 190);
  EXPECT_GT(fewer_rows, 20);   // both kernels are the faster one often enough
  EXPECT_LT(fewer_rows, 180);  // to make this a choice
}

TEST(FitCosts, NeverChoosesAKernelWithoutCoefficients) {
  const CostTable table = {{"known", {2}}};
  EXPECT_DOUBLE_EQ(choice_ratio(table, {{"known", {5}, 10}, {"unknown", {5}, 4}}), 2.5);
  EXPECT_EQ(choice_ratio(table, {{"unknown", {5}, 4}}), std::numeric_limits<double>::infinity());
}

TEST(FitCosts, WritesRowsInTheOrderOfTheirKeys) {
  EXPECT_EQ(table_text({{"b", {1e-60, 0.25}}, {"a", {1500000, 3}}}), "{\"a\", {1.5e+06F, 3.0F}},\n{\"b\", {0.0F, 0.25F}},\n");
}

}  // namespace
}  // namespace tidepool::cli
