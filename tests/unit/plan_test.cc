// Plans: what they choose, how they explain it, and what they refuse.
#include "tidepool/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "plan/run.h"
#include "support/compare.h"
#include "support/guarded.h"
#include "support/random_problem.h"
#include "support/targets.h"
#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"

namespace tidepool {
namespace {

using test::message_of;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAreArray;

TEST(Plan, KeepsItsProblemAndNamesItsKernelAndTarget) {
  const Problem p = parse("max2d fwd f32 nchw 2x8x32x32 k3 s2 p1");
  const Plan plan = make_plan(p);
  EXPECT_EQ(plan.problem(), p);
  EXPECT_EQ(plan.target(), current_target());
  const auto names = kernel_names(p);
  EXPECT_NE(std::find(names.begin(), names.end(), plan.kernel()), names.end());
}

TEST(Plan, ExplainsItsChoiceAndEveryRefusal) {
  int64_t refusals = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    test::Rng rng(seed);
    const Problem p = test::random_problem(rng);
    const Plan plan = make_plan(p);
    const std::string text = plan.explain();
    ASSERT_THAT(text, HasSubstr(to_string(p)));
    ASSERT_THAT(text, HasSubstr(std::string(plan.kernel())));
    ASSERT_THAT(text, HasSubstr(std::string(plan.target())));
    for (const Refusal& r : plan.refusals()) {
      ++refusals;
      ASSERT_NE(r.reason, "") << r.kernel;
      ASSERT_NE(r.kernel, plan.kernel());
      ASSERT_THAT(text, HasSubstr(std::string(r.kernel) + ": " + r.reason));
    }
    ASSERT_GE(plan.scratch_bytes(1), 0);
    ASSERT_GE(plan.scratch_bytes(8), plan.scratch_bytes(1)) << to_string(p);
  }
  EXPECT_GT(refusals, 0);
}

TEST(Plan, ExplainTellsWhichRowsVanish) {
  EXPECT_THAT(make_plan(parse("max2d fwd f32 nchw 1x1x7x7 k2 s2")).explain(), HasSubstr("dropped"));
  EXPECT_THAT(make_plan(parse("max2d fwd f32 nchw 1x1x8x8 k2 s2")).explain(), ::testing::Not(HasSubstr("dropped")));
}

// For every kernel, the reason against it when another may run: with no kernel forced, and with each one.
TEST(Plan, AForcedKernelIsTheOneThatRunsAndEveryOtherHasItsReason) {
  int64_t forced = 0, refused = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    test::Rng rng(seed);
    const Problem p = test::random_problem(rng);
    const Plan free = make_plan(p);
    const auto names = kernel_names(p);
    std::map<std::string_view, std::string> reasons;
    for (const Refusal& r : free.refusals()) reasons[r.kernel] = r.reason;
    ASSERT_EQ(free.refusals().size(), names.size() - 1) << to_string(p);
    ASSERT_EQ(reasons.size(), names.size() - 1) << to_string(p);
    const auto fits = [&](std::string_view name) { return name == free.kernel() || reasons.at(name).starts_with("fits, but "); };
    for (std::string_view name : names) {
      SCOPED_TRACE(to_string(p) + " on " + std::string(name));
      const Result<Plan> plan = try_make_plan(p, name);
      ASSERT_EQ(plan.ok(), fits(name));
      if (!plan.ok()) {
        const std::string quoted = "no kernel \"" + std::string(name) + "\" for " + to_string(free.problem());
        ASSERT_THAT(plan.error().message(), EndsWith(quoted + "; " + std::string(name) + ": " + reasons.at(name)));
        ++refused;
        continue;
      }
      ASSERT_EQ(plan->kernel(), name);
      std::vector<std::string> expected, found;
      for (std::string_view other : names)
        if (other != name) expected.push_back(std::string(other) + ": " + (fits(other) ? "another was forced" : reasons.at(other)));
      for (const Refusal& r : plan->refusals()) found.push_back(std::string(r.kernel) + ": " + r.reason);
      ASSERT_THAT(found, UnorderedElementsAreArray(expected));
      forced += !expected.empty();
    }
  }
  EXPECT_GT(forced, 0);
  EXPECT_GT(refused, 0);
}

TEST(Plan, AnUnknownKernelIsRefusedByName) {
  const Problem p = parse("max2d fwd f32 nchw 1x1x4x4 k2");
  const Result<Plan> plan = try_make_plan(p, "no_such_kernel");
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().message(), "max_pool2d: no kernel \"no_such_kernel\" for max2d fwd f32 nchw 1x1x4x4 k2 s2");
  EXPECT_THROW(make_plan(p, "no_such_kernel"), Error);
}

TEST(Plan, GradientsOfIntegersHaveNoPlan) {
  const Result<Plan> plan = try_make_plan(parse("max2d bwd i32 nchw 1x1x4x4 k2"));
  ASSERT_FALSE(plan.ok());
  EXPECT_THAT(plan.error().message(), HasSubstr("i32"));
}

TEST(Plan, ErrorsBeginWithTheFunctionTheyAreMadeFor) {
  const Plan plan = make_plan(parse("max2d bwd f32 nchw 1x1x4x4 k2"));
  EXPECT_THAT(message_of([&] { plan.run({}); }), StartsWith("max_pool2d_backward: grad must have shape"));
  EXPECT_THAT(message_of([&] { detail::run_as("pool_into", plan, {}); }), StartsWith("pool_into: grad must have shape"));
  const Problem integers = parse("max2d bwd i32 nchw 1x1x4x4 k2");
  EXPECT_EQ(message_of([&] { cached_plan(integers); }), "max_pool2d_backward: gradients need a floating dtype, got i32");
  EXPECT_EQ(message_of([&] { detail::cached_plan_for("pool_grad", integers); }), "pool_grad: gradients need a floating dtype, got i32");
}

TEST(Plan, KeepsItsTargetWhenAnotherIsForcedLater) {
  const Problem p = parse("max2d fwd f32 nchw 1x8x32x32 k3 s2 p1");
  for (const std::string& target : test::supported_targets()) {
    Plan plan = [&] {
      const test::ForcedTarget forced(target);
      return make_plan(p);
    }();
    EXPECT_EQ(plan.target(), target);
    test::Rng rng(1);
    EXPECT_TRUE(test::runs_right(plan, test::make_job(p, rng), serial_executor(), 1));
  }
}

TEST(Plan, CachedPlansFollowTheForcedTarget) {
  const Problem p = parse("max2d fwd f32 nchw 1x8x32x32 k3 s2 p1");
  for (const std::string& target : test::supported_targets()) {
    const test::ForcedTarget forced(target);
    EXPECT_EQ(cached_plan(p).target(), target);
    EXPECT_EQ(cached_plan(p).kernel(), make_plan(p).kernel());
  }
}

TEST(Plan, UnknownTargetsAreRefused) {
  const std::string before = current_target();
  EXPECT_THAT(message_of([] { const ScopedTarget scope("ABACUS"); }), HasSubstr("ScopedTarget: target must be one of"));
  EXPECT_EQ(current_target(), before);
  const Problem p = parse("max2d fwd f32 nchw 1x8x32x32 k3 s2 p1");
  EXPECT_THAT(message_of([&] { make_plan(p, {.target = "ABACUS"}); }), HasSubstr("make_plan: target must be one of"));
  EXPECT_EQ(try_make_plan(p, {.target = "ABACUS"}).error().code(), ErrorCode::unsupported);
}

TEST(Plan, AScopedTargetEndsWithItsScope) {
  const std::string best = current_target();
  const std::vector<std::string> all = test::supported_targets();
  {
    const ScopedTarget outer(all.back());
    EXPECT_EQ(current_target(), all.back());
    {
      const ScopedTarget inner(all.front());
      EXPECT_EQ(current_target(), all.front());
      const ScopedTarget none("");
      EXPECT_EQ(current_target(), best);
    }
    EXPECT_EQ(current_target(), all.back());
  }
  EXPECT_EQ(current_target(), best);
}

// Gathering takes time for every window that covers a cell, and for channels that do not fill a vector one by one.
TEST(Plan, GradientsOfLargeWindowsAndFewChannelsFollowTheIndices) {
  const auto chosen = [](const char* text, const std::string& target) { return make_plan(parse(text), {.target = target}).kernel(); };
  for (const std::string& target : test::supported_targets()) {
    for (const char* text : {"max2d bwd f32 nhwc 2x6x400x400 k21x1 s1 p10x0 idx=window", "max2d bwd f32 nhwc 1x12x640x361 k9 s3 idx=window",
                             "max2d bwd f32 nhwc 4x3x224x224 k2 s2 idx=window", "max2d bwd f32 nhwc 8x64x56x56 k5 s1 p2 idx=window"})
      EXPECT_EQ(chosen(text, target), "indexed_channels") << text << " on " << target;
    if (!target.starts_with("AVX3")) continue;
    for (const char* text : {"max2d bwd f32 nhwc 32x192x28x28 k3 s1 p1 idx=window", "max2d bwd f16 nhwc 8x64x56x56 k3 s2 p1 idx=window"})
      EXPECT_EQ(chosen(text, target), "channels") << text << " on " << target;
  }
}

TEST(Plan, OptionsNameKernelAndTarget) {
  const Problem p = parse("max2d fwd f32 nchw 1x8x32x32 k3 s2 p1");
  const std::string before = current_target();
  for (const std::string& target : test::supported_targets()) {
    EXPECT_EQ(make_plan(p, {.target = target}).target(), target);
    const Plan plain = make_plan(p, {.kernel = "reference", .target = target});
    EXPECT_EQ(plain.kernel(), "reference");
    EXPECT_EQ(plain.target(), target);
    EXPECT_EQ(current_target(), before);
    // The option wins over the scope.
    const ScopedTarget scope(test::supported_targets().back());
    EXPECT_EQ(make_plan(p, {.target = target}).target(), target);
  }
}

// Each thread forces its own target while the others force theirs.
TEST(Plan, ThreadsHaveTheirOwnTargets) {
  const Problem p = parse("max2d fwd f32 nchw 1x8x32x32 k3 s2 p1");
  const std::vector<std::string> all = test::supported_targets();
  const std::string best = current_target();
  std::barrier together(static_cast<std::ptrdiff_t>(all.size()));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (const std::string& target : all) {
    threads.emplace_back([&, target] {
      const Tensor x = randn({1, 8, 32, 32}, 7);
      for (int round = 0; round < 200; ++round) {
        const ScopedTarget scope(target);
        if (round % 50 == 0) together.arrive_and_wait();
        const Plan made = make_plan(p);
        wrong += made.target() != target;
        wrong += cached_plan(p).target() != target;
        wrong += current_target() != target;
        Tensor y({1, 8, 16, 16}), expected({1, 8, 16, 16});
        made.run(x, y.span());
        make_plan(p, "reference").run(x, expected.span());
        wrong += !equal(y, expected);
      }
      wrong += current_target() != best;
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(current_target(), best);
}

TEST(Plan, RunTakesValuesOnlyThroughTheShortForm) {
  const Plan plan = make_plan(parse("max2d fwd f32 nchw 1x1x2x4 k2"));
  const Tensor x = Tensor::from<float>({1, 1, 2, 4}, {1, 2, 3, 4, 8, 7, 6, 5});
  Tensor y = zeros({1, 1, 1, 2});
  plan.run(x, y.span());
  EXPECT_EQ(test::cells(y), (test::Cells{8, 6}));
}

// Kernels for adjacent columns pool one channel, but views of which the columns are not adjacent are valid too.
TEST(Plan, OneChannelOfAnyColumnsIsPooled) {
  for (const char* text : {"max2d fwd f32 nhwc 2x1x9x12 k3 s2 p1", "max2d fwd f32 nhwc 2x1x9x12 k2 s2 idx=window",
                           "max2d fwd f32 nhwc 2x1x9x12 k2 s2 idx=plane", "avg2d fwd f32 nhwc 2x1x9x12 k3 s2 p1"}) {
    const Problem p = parse(text);
    const Plan plan = make_plan(p);
    EXPECT_EQ(plan.kernel(), make_plan(parse(std::string(text).replace(14, 4, "nchw"))).kernel()) << text;
    const Tensor wide = randn({2, 1, 9, 24}, Seed{5});
    const Dims out = p.geometry.output_shape();
    for (const int64_t step : {1, 2}) {
      const TensorView x = view(wide.data<float>(), {2, 1, 9, 12}, {9 * 12 * step, 1, 12 * step, step});
      const int64_t row = out[3] * step;
      const auto pool = [&](const Plan& with) {
        Tensor values = zeros({2, 1, out[2], row}),
               indices = zeros({2, 1, out[2], row}, p.indices == IndexBase::plane ? DType::i64 : DType::u8);
        const Dims strides{out[2] * row, 1, row, step};
        RunArrays arrays{.input = x, .output = values.span()};
        arrays.output.shape = out, arrays.output.strides = strides;
        if (p.indices) arrays.indices_out = indices.span(), arrays.indices_out.shape = out, arrays.indices_out.strides = strides;
        const test::GuardedScratch scratch(with.scratch_bytes(1));
        EXPECT_TRUE(with.try_run(arrays, serial_executor(), scratch.span()).ok());
        Tensor again = values.clone();
        if (!p.indices) with.run(x, arrays.output);
        EXPECT_TRUE(test::same_bits(again.view(), values.view())) << text;
        return std::pair(values, indices);
      };
      const auto [values, indices] = pool(plan);
      const auto [expected, expected_indices] = pool(make_plan(p, "reference"));
      EXPECT_TRUE(test::same_bits(expected.view(), values.view())) << text;
      EXPECT_TRUE(test::same_bits(expected_indices.view(), indices.view())) << text;
    }
  }
}

TEST(Plan, ArraysThatDoNotMatchAreRefusedAndNothingIsWritten) {
  const Problem p = parse("max2d fwd f32 nchw 1x2x4x4 k2 idx=plane");
  const Plan plan = make_plan(p);
  test::Rng rng(1);
  const auto refused = [&](auto change, const std::string& words) {
    test::Job job = test::make_job(p, rng);
    RunArrays arrays = job.arrays();
    change(arrays);
    const std::string message = message_of([&] { plan.run(arrays); });
    EXPECT_THAT(message, StartsWith("max_pool2d: "));
    EXPECT_THAT(message, HasSubstr(words));
    EXPECT_TRUE(job.output.intact()) << message;
    EXPECT_TRUE(job.indices.intact()) << message;
  };
  refused([](RunArrays& a) { a.input.shape[3] = 5; }, "input must have shape 1x2x4x4, got 1x2x4x5");
  refused([](RunArrays& a) { a.output.shape[1] = 1; }, "out must have shape 1x2x2x2, got 1x1x2x2");
  refused([](RunArrays& a) { a.indices_out.shape[2] = 1; }, "indices must have shape 1x2x2x2, got 1x2x1x2");
  refused([](RunArrays& a) { a.input.dtype = DType::i32; }, "input must have dtype f32, got i32");
  refused([](RunArrays& a) { a.indices_out.dtype = DType::i32; }, "indices must have dtype i64, got i32");
  refused([](RunArrays& a) { a.input.data = nullptr; }, "input has no data");
  refused([](RunArrays& a) { a.indices_out = {}; }, "indices must have");
  refused([](RunArrays& a) { a.output.strides[1] = 0; }, "out overlaps itself");
  refused([](RunArrays& a) { a.input.data = a.output.data; }, "out overlaps input");
  refused([](RunArrays& a) { a.input.strides[3] = 2; }, "layout nchw");
}

TEST(Plan, ScratchThatIsTooSmallIsRefused) {
  bool tried = false;
  for (const char* text :
       {"max2d fwd f32 nchw 1x2x64x64 k3 s2 p1", "max2d fwd f32 nchw 1x2x64x64 k31 s1 p15", "max2d bwd bf16 nchw 1x2x64x64 k3 s1 p1"}) {
    const Problem p = parse(text);
    const Plan plan = make_plan(p);
    const int64_t bytes = plan.scratch_bytes(1);
    if (bytes == 0) continue;
    tried = true;
    test::Rng rng(2);
    test::Job job = test::make_job(p, rng);
    std::vector<std::byte> memory(static_cast<size_t>(bytes) + 64);
    void* base = memory.data();
    size_t space = memory.size();
    std::byte* aligned = static_cast<std::byte*>(std::align(64, static_cast<size_t>(bytes), base, space));
    const Status small = plan.try_run(job.arrays(), serial_executor(), {aligned, static_cast<size_t>(bytes - 1)});
    ASSERT_FALSE(small.ok()) << text;
    EXPECT_THAT(small.error().message(), HasSubstr("scratch"));
    EXPECT_TRUE(job.output.intact());
    ASSERT_TRUE(plan.try_run(job.arrays(), serial_executor(), {aligned, static_cast<size_t>(bytes)}).ok());
    EXPECT_TRUE(test::same_bits(job.expected.values, job.output.view())) << text;
  }
  EXPECT_TRUE(tried) << "no plan wants scratch: the refusal was not tested";
}

TEST(Plan, ScratchThatIsNotAlignedIsRefused) {
  const Problem p = parse("max2d fwd f32 nchw 1x2x64x64 k15 s1 p7");
  const Plan plan = make_plan(p);
  const auto bytes = static_cast<size_t>(plan.scratch_bytes(1));
  ASSERT_GT(bytes, 0u) << "a plan without scratch does not look at it";
  test::Rng rng(2);
  test::Job job = test::make_job(p, rng);
  const test::GuardedScratch memory(plan.scratch_bytes(1) + 64);
  for (const size_t off : {1, 4, 16, 32, 63}) {
    const Status status = plan.try_run(job.arrays(), serial_executor(), memory.span().subspan(off, bytes));
    ASSERT_FALSE(status.ok()) << off;
    EXPECT_EQ(status.error().code(), ErrorCode::invalid_argument);
    EXPECT_EQ(status.error().message(), "max_pool2d: scratch must be aligned to 64 bytes");
    EXPECT_TRUE(job.output.intact());
  }
  EXPECT_TRUE(plan.try_run(job.arrays(), serial_executor(), memory.span().first(bytes)).ok());
  EXPECT_TRUE(test::same_bits(job.expected.values, job.output.view()));
}

// Memory that no kernel uses need not be aligned.
TEST(Plan, ScratchThatIsNotNeededMayBeAnything) {
  const Problem p = parse("max2d fwd f32 strided 1x2x64x64 k2");
  const Plan plan = make_plan(p, "reference");
  ASSERT_EQ(plan.scratch_bytes(1), 0);
  test::Rng rng(2);
  test::Job job = test::make_job(p, rng);
  std::byte memory[2];
  EXPECT_TRUE(plan.try_run(job.arrays(), serial_executor(), {memory + 1, 1}).ok());
  EXPECT_TRUE(test::same_bits(job.expected.values, job.output.view()));
}

// A problem may describe arrays larger than any memory. Planning it must not overflow.
TEST(Plan, PlanningHugeProblemsDoesNotOverflow) {
  for (const char* text :
       {"max2d fwd f32 nchw 1x1x4x4 k1073741824 s1 p536870912", "max2d fwd f32 nchw 1x1x4x4 k2147483648 s1 p1073741824",
        "max2d fwd f64 nhwc 1x64x4x4 k2000000 s1 p1000000", "max1d fwd f32 ncl 1x1x4 k1152921504606846976 s1 p576460752303423488",
        "max1d fwd u8 ncl 1x1x1000000000000000000 k3 s1", "max1d bwd f16 ncl 1x1x1000000000000000000 k1",
        "max1d bwd bf16 nlc 1x100x10000000000000000 k3 s1 p1", "max1d bwd2 f64 ncl 1x1000000000000000000x1 k1",
        "max2d fwd f32 nchw 0x1x1000000000x100000000 k3 s1", "max2d bwd f16 nhwc 0x1000x1000000x100000000 k3 s1",
        "max2d bwd bf16 nchw 65536x65536x1x134217728 k1x3 s1", "max1d fwd u8 nlc 1x1000000000000000x4 k2"}) {
    const Problem problem = parse(text);
    const Result<Plan> plan = try_make_plan(problem);
    ASSERT_TRUE(plan.ok()) << text << ": " << plan.error().message();
    for (int concurrency : {1, 8, INT32_MAX}) EXPECT_GE(plan->scratch_bytes(concurrency), 0) << text;
    EXPECT_THAT(plan->explain(), HasSubstr(to_string(problem)));
  }
}

TEST(Plan, ScratchIsInProportionToTheArrays) {
  for (const char* text : {"max2d fwd f32 nchw 1x1x4x4 k20000 s1 p10000", "max2d fwd f32 nhwc 1x64x4x4 k20000 s1 p10000",
                           "max2d fwd f32 nchw 1x1x4x4 k1073741824 s1 p536870912"})
    EXPECT_LE(make_plan(parse(text)).scratch_bytes(1), 1 << 28) << text;
}

TEST(Plan, EmptyBatchesRunWithoutMemory) {
  for (const char* text : {"max2d fwd f32 nchw 0x3x4x4 k2 idx=plane", "max2d bwd f32 nhwc 0x3x4x4 k2", "max2d bwd2 f32 nchw 0x3x4x4 k2"}) {
    const Problem p = parse(text);
    test::Rng rng(3);
    EXPECT_TRUE(test::runs_right(make_plan(p), test::make_job(p, rng), serial_executor(), 3)) << text;
  }
}

TEST(Plan, IndicesOutOfRangeAreRefusedBeforeAnythingIsWritten) {
  for (const char* pass : {"bwd", "bwd2"}) {
    const Problem p = parse(std::string("max2d ") + pass + " f32 nchw 1x2x4x4 k2");
    test::Rng rng(4);
    test::Job job = test::make_job(p, rng);
    test::put<int64_t>(job.indices.span(), {0, 1, 1, 1}, 16);
    const std::string message = message_of([&] { make_plan(p).run(job.arrays()); });
    EXPECT_THAT(message, HasSubstr("index 16 is outside the plane of 16 cells"));
    EXPECT_TRUE(job.output.intact());
  }
}

}  // namespace
}  // namespace tidepool
