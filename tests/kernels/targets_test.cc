// A plan uses the instruction set that was forced when it was made, and every instruction set gives the same bits.
#include "support/targets.h"

#include <gtest/gtest.h>

#include <set>

#include "kernels/kernel.h"
#include "runtime/target_id.h"
#include "support/compare.h"
#include "support/problem_lists.h"

namespace tidepool {
namespace {

int64_t id_of(const std::string& target) {
  for (const Target& t : targets())
    if (t.name == target) return t.id;
  ADD_FAILURE() << "no target " << target;
  return 0;
}

// Kernels with vector code, which exists once per target. The others have target 0 and run the same code everywhere.
std::vector<std::string> vector_kernels(const Problem& problem) {
  std::vector<std::string> names;
  for (const detail::KernelEntry* entry : detail::kernels_for(problem, detail::current_target_id()))
    if (entry->target != 0 && entry->fits(problem).ok()) names.emplace_back(entry->name);
  return names;
}

test::Job make_job(const Problem& problem) {
  test::Rng data(3);
  return test::make_job(problem, data);
}

// Runs the plan, checks the results and returns their bytes.
std::vector<std::byte> results(const Plan& plan, const test::Job& job) {
  EXPECT_TRUE(test::runs_right(plan, job, serial_executor(), 3));
  std::vector<std::byte> bytes;
  const auto append = [&](TensorView view) {
    Tensor dense(view.shape, view.dtype);
    copy(view, dense.span());
    const TensorView all = dense;
    bytes.insert(bytes.end(), all.data, all.data + all.numel() * dtype_size(all.dtype));
  };
  append(job.output.view());
  if (job.problem.indices && !reads_indices(job.problem)) append(job.indices.view());
  return bytes;
}

class KernelTargets : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Targets, KernelTargets, ::testing::ValuesIn(test::supported_targets()),
                         [](const auto& target) { return target.param; });

TEST_P(KernelTargets, VectorCodeIsThatOfTheForcedTarget) {
  const ScopedTarget forced(GetParam());
  EXPECT_EQ(current_target(), GetParam());
  const int64_t id = id_of(GetParam());
  std::set<Op> ops;
  for (const char* text : test::large_problems) {
    const Problem problem = parse(text);
    for (const detail::KernelEntry* entry : detail::kernels_for(problem, detail::current_target_id())) {
      EXPECT_TRUE(entry->target == 0 || entry->target == id) << text << ": " << entry->name << " is code for another target";
    }
    for (const std::string& kernel : vector_kernels(problem)) {
      EXPECT_EQ(make_plan(problem, kernel).target(), GetParam()) << text << ": " << kernel;
      ops.insert(problem.op);
    }
  }
  // With one lane vector code gains nothing, and most ops have none.
  if (GetParam() == "SCALAR") return;
  std::set<Op> expected{Op::max, Op::min, Op::avg, Op::sum};
  if (GetParam() != "EMU128") expected.insert(Op::lp);  // emulated vectors have no powers
  EXPECT_EQ(ops, expected);
}

TEST_P(KernelTargets, PlansKeepTheirTarget) {
  for (const char* text : {"max2d fwd f32 nchw 1x8x32x32 k3 s2 p1", "avg2d fwd f32 nhwc 1x64x16x16 k3 s2 p1"}) {
    const Problem problem = parse(text);
    std::vector<Plan> plans;
    {
      const ScopedTarget forced(GetParam());
      for (const std::string& kernel : vector_kernels(problem)) plans.push_back(make_plan(problem, kernel));
    }
    EXPECT_TRUE(GetParam() == "SCALAR" || !plans.empty()) << text;
    const test::Job job = make_job(problem);
    const std::vector<std::byte> expected = results(make_plan(problem), job);
    for (const Plan& plan : plans) {
      EXPECT_EQ(plan.target(), GetParam()) << text << ": " << plan.kernel();
      EXPECT_TRUE(results(plan, job) == expected) << text << ": " << plan.kernel();
    }
  }
}

// Also where the reference implementation allows a tolerance, and whichever kernel is chosen.
TEST(AllTargets, GiveTheSameBits) {
  const std::vector<std::string> all = test::supported_targets();
  for (const char* text : test::large_problems) {
    const Problem problem = parse(text);
    const test::Job job = make_job(problem);
    const std::vector<std::byte> expected = results(make_plan(problem), job);
    for (const std::string& target : all) {
      const ScopedTarget forced(target);
      ASSERT_TRUE(results(make_plan(problem), job) == expected) << text << " on " << target;
      for (const std::string& kernel : vector_kernels(problem))
        ASSERT_TRUE(results(make_plan(problem, kernel), job) == expected) << text << ": " << kernel << " on " << target;
    }
  }
}

}  // namespace
}  // namespace tidepool
