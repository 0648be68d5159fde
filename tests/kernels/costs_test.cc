// The measured coefficients that the planner estimates times with.
#include "plan/costs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>

#include "runtime/target_id.h"
#include "support/kernel_runs.h"
#include "support/targets.h"

namespace tidepool {
namespace {

TEST(Costs, EveryRowIsOfAKernelThatExists) {
  std::set<std::string> known;
  for (const test::KernelId& id : test::registered_kernels()) {
    const Op op = id.op == Op::min ? Op::max : id.op == Op::sum ? Op::avg : id.op;
    known.insert(std::string(op_name(op)) + " " + std::string(pass_name(id.pass)) + " " + id.kernel);
  }
  for (const detail::CostRow& row : detail::cost_rows()) {
    std::istringstream words{std::string(row.key)};
    std::string target, op, pass, kernel;
    words >> target >> op >> pass >> kernel;
    EXPECT_TRUE(known.contains(op + " " + pass + " " + kernel)) << row.key << ": measure again with tidepool tune --fit";
    EXPECT_TRUE(std::ranges::all_of(row.coefficients, [](float c) { return std::isfinite(c) && c >= 0; })) << row.key;
    EXPECT_TRUE(std::ranges::any_of(row.coefficients, [](float c) { return c > 0; })) << row.key;
  }
}

TEST(Costs, ThereAreRowsForEveryInstructionSet) {
  for (const char* target : {"AVX2", "AVX3", "SSE4"}) {
    const auto rows = std::ranges::count_if(detail::cost_rows(), [&](const detail::CostRow& row) { return row.key.starts_with(target); });
    EXPECT_GE(rows, 100) << target;
  }
}

// Of every kernel that fits, because its row has a positive coefficient of something that grows.
TEST(Costs, EstimatesOfLargerArraysAreLonger) {
  const Problem small = parse("max2d fwd f32 nchw 1x64x56x56 k3 s2 p1"), large = parse("max2d fwd f32 nchw 16x64x56x56 k3 s2 p1");
  for (const std::string& name : test::supported_targets()) {
    const test::ForcedTarget forced(name);
    const int64_t target = detail::current_target_id();
    for (const detail::KernelEntry* kernel : detail::kernels_for(small, target))
      if (kernel->fits(small).ok()) {
        EXPECT_LT(detail::estimated_time(small, *kernel, target), detail::estimated_time(large, *kernel, target))
            << kernel->name << " on " << name;
      }
  }
}

}  // namespace
}  // namespace tidepool
