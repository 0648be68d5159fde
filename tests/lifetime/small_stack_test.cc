// Everything runs on a thread with a stack of 256 KB, as on musl and in thread pools of servers.
#include "support/small_stack.h"

#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/problem_lists.h"
#include "support/targets.h"
#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

using test::on_small_stack;

// Every kernel of every problem, on every instruction set: kernels keep tables and vectors on the stack.
TEST(SmallStack, RunsEveryKernel) {
  int64_t runs = 0;
  on_small_stack([&] {
    for (const char* text : test::large_problems) {
      const Problem problem = parse(text);
      test::Rng rng(1);
      const test::Job job = test::make_job(problem, rng);
      for (const std::string& target : test::supported_targets()) {
        const ScopedTarget scope(target);
        for (const std::string_view kernel : kernel_names(problem)) {
          const Result<Plan> plan = try_make_plan(problem, kernel);
          if (!plan) continue;
          plan->run(job.arrays(), serial_executor());
          ++runs;
        }
      }
    }
  });
  EXPECT_GT(runs, 100);
}

TEST(SmallStack, RunsFunctionsForwardAndBackward) {
  on_small_stack([] {
    Tensor x = rand({2, 3, 24, 24}, 1).set_requires_grad();
    const std::vector<Tensor> results = {max_pool2d(x, 3),
                                         min_pool2d(x, 3),
                                         avg_pool2d(x, 3),
                                         sum_pool2d(x, 3),
                                         lp_pool2d(x, {.norm_type = 2, .kernel_size = 3}),
                                         adaptive_max_pool2d(x, 5),
                                         adaptive_avg_pool2d(x, 5),
                                         global_max_pool2d(x),
                                         global_avg_pool2d(x),
                                         global_sum_pool2d(x),
                                         global_lp_pool2d(x, 2),
                                         fractional_max_pool2d(x, {.kernel_size = 2, .output_size = 9, .seed = 1}),
                                         softmax(x, 1),
                                         gelu(x),
                                         concat({x, x}, 1)};
    for (const Tensor& y : results) {
      const Tensor first = grad(sum(y * y), {x}, {.create_graph = true})[0];
      EXPECT_EQ(grad(sum(first), {x})[0].shape(), x.shape());
    }
    const auto [values, indices] = max_pool2d_with_indices(x.detach(), 2);
    Tensor pooled = values;
    pooled.set_requires_grad();
    sum(max_unpool2d(pooled, indices, 2)).backward();
    EXPECT_EQ(sum(pooled.grad()).item(), static_cast<double>(pooled.numel()));
  });
}

TEST(SmallStack, ParsesPrintsAndExplains) {
  on_small_stack([] {
    for (const char* text : test::large_problems) {
      const Problem problem = parse(text);
      EXPECT_EQ(parse(to_string(problem)), problem);
      EXPECT_FALSE(make_plan(problem).explain().empty());
    }
    EXPECT_THROW(parse(std::string(1000000, '(')), Error);
    EXPECT_FALSE(to_string(rand({2, 2, 2, 2, 2, 2, 2, 2}, 1)).empty());
  });
}

// The graph of many functions is neither walked nor destroyed recursively.
TEST(SmallStack, BackwardOfALongGraph) {
  on_small_stack([] {
    Tensor x = ones({2}).set_requires_grad();
    Tensor y = x;
    for (int i = 0; i < 50000; ++i) y = y + 1.0;
    sum(y).backward();
    EXPECT_EQ(x.grad().item({1}), 1);
    // Dropped without a backward pass. Both arguments are the same tensor, and the rule of a product keeps it as well.
    Tensor kept = x;
    for (int i = 0; i < 50000; ++i) kept = i % 2 == 0 ? kept * kept : kept + kept;
    kept = Tensor();
  });
}

}  // namespace
}  // namespace tidepool
