// What the registry must offer, whatever the kernels are called.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "support/kernel_runs.h"
#include "support/random_problem.h"
#include "support/targets.h"

namespace tidepool {
namespace {

struct Row {
  const char* op;
  std::vector<const char*> passes;
  const char* rest;
};

const Row rows[] = {
    {"max", {"fwd", "bwd", "bwd2"}, " idx=tensor nan=ignore"},
    {"min", {"fwd", "bwd", "bwd2"}, " idx=window"},
    {"avg", {"fwd", "bwd", "bwd2"}, " div=valid"},
    {"sum", {"fwd", "bwd", "bwd2"}, ""},
    {"lp", {"fwd", "bwd", "bwd2", "bwd2x"}, " p=3 scaled"},
    {"unpool", {"fwd", "bwd", "bwd2"}, " idx=plane"},
};

// Norms and gradients exist for floating dtypes, averages of bool do not exist.
bool must_exist(const Row& row, const std::string& pass, DType dtype) {
  const std::string op = row.op;
  if ((pass != "fwd" || op == "lp") && !is_floating(dtype)) return false;
  return dtype != DType::boolean || (op != "avg" && op != "sum");
}

// Neither columns nor channels are adjacent, windows overlap and have dilation and padding: only kernels without conditions fit.
TEST(KernelTable, EveryOpDtypeAndPassHasAKernelThatFitsAnything) {
  int64_t checked = 0;
  for (const std::string& target : test::supported_targets()) {
    const test::ForcedTarget forced(target);
    for (const Row& row : rows)
      for (const char* pass : row.passes)
        for (DType dtype : all_dtypes) {
          if (!must_exist(row, pass, dtype)) continue;
          const Problem p = parse(std::string(row.op) + "3d " + pass + " " + std::string(dtype_name(dtype)) +
                                  " strided 1x2x5x6x7 k2x3x2 s1 p1 d2" + row.rest);
          const Result<Plan> plan = try_make_plan(p);
          EXPECT_TRUE(plan.ok()) << to_string(p) << " on " << target;
          ++checked;
        }
  }
  EXPECT_GE(checked, 100);
}

// The exception: the double backward pass of averages and sums accepts integers, although their backward pass refuses them.
TEST(KernelTable, GradientsAndNormsOfIntegersHaveNoKernel) {
  for (const test::KernelId& id : test::registered_kernels()) {
    if (is_floating(id.dtype)) continue;
    EXPECT_EQ(id.pass, Pass::forward) << to_string(id);
    EXPECT_NE(id.op, Op::lp) << to_string(id);
  }
}

// A name is how a kernel is forced, so it must mean one kernel.
TEST(KernelTable, NamesAreUniqueWithinOpPassAndDtype) {
  for (const std::string& target : test::supported_targets()) {
    const test::ForcedTarget forced(target);
    std::vector<test::KernelId> all = test::registered_kernels();
    std::sort(all.begin(), all.end());
    const auto twice = std::adjacent_find(all.begin(), all.end());
    EXPECT_TRUE(twice == all.end()) << to_string(*twice) << " on " << target;
  }
}

// Each layout with adjacent elements has kernels that a layout without has not.
TEST(KernelTable, MaxHasKernelsForAdjacentColumnsAndAdjacentChannelsInEveryDtype) {
  for (DType dtype : all_dtypes)
    for (const char* indices : {"", " idx=window"}) {
      const auto fits = [&](const char* form) {
        std::vector<std::string> names;
        const Problem p = parse("max2d fwd " + std::string(dtype_name(dtype)) + form + " k3 s2 p1" + indices);
        for (std::string_view kernel : kernel_names(p))
          if (try_make_plan(p, kernel)) names.emplace_back(kernel);
        return names;
      };
      const auto columns = fits(" nchw 1x8x32x32"), channels = fits(" nhwc 1x8x32x32"), neither = fits(" strided 1x8x32x32");
      EXPECT_GT(columns.size(), neither.size()) << dtype_name(dtype) << indices;
      EXPECT_GT(channels.size(), neither.size()) << dtype_name(dtype) << indices;
      EXPECT_NE(columns, channels) << dtype_name(dtype) << indices;
    }
}

// In another layout backward kernels give right results as well, through the slow kernel that they fall back to. So the table must say it.
// Forward, `columns_transposed` moves cells one by one where they are not adjacent, and `global` adds up large planes of any layout.
TEST(KernelTable, KernelsForAdjacentElementsRefuseOtherLayouts) {
  constexpr std::array<std::string_view, 2> by_columns{"columns", "global"};
  int64_t checked = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    test::Rng rng(seed);
    const Problem p = test::random_problem(rng);
    for (std::string_view kernel : kernel_names(p)) {
      const auto has = [&](std::string_view word) { return kernel.find(word) != std::string_view::npos; };
      const bool channels = has("channels");
      if (p.pass != Pass::backward && (kernel == "columns_transposed" || kernel == "global")) continue;
      if (!channels && std::none_of(by_columns.begin(), by_columns.end(), has)) continue;
      if (p.layout == (channels ? Layout::channels_last : Layout::channels_first)) continue;
      if (!channels && p.layout == Layout::channels_last && p.geometry.channels() == 1) continue;  // is in both layouts
      ++checked;
      EXPECT_FALSE(try_make_plan(p, kernel).ok()) << to_string(p) << ": " << kernel;
    }
  }
  EXPECT_GT(checked, 1000);
}

}  // namespace
}  // namespace tidepool
