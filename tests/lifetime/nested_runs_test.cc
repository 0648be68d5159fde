// Runs inside runs: an executor may do other queued work on a thread that waits, as every work-stealing pool does. Then a thread begins a
// run while it is in the middle of another one.
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <functional>
#include <new>

#include "core/checked.h"
#include "plan/scratch.h"
#include "support/compare.h"
#include "support/problem_lists.h"
#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

// Before, between and after the pieces of a run it starts one of the tasks that wait, on the same thread, with itself as their executor.
class HelpingExecutor : public Executor {
 public:
  int concurrency() const noexcept override { return 4; }
  void parallel_for(int64_t n, int64_t grain, RangeFn body) override {
    deepest = std::max(deepest, ++depth);
    const int64_t piece = std::max<int64_t>(grain, 1);
    for (int64_t at = 0; at < n; at += piece) {
      help();
      body(at, std::min(n, at + piece));
    }
    help();
    --depth;
  }
  void help() {
    if (tasks.empty()) return;
    const std::function<void()> task = std::move(tasks.front());
    tasks.pop_front();
    task();
  }

  std::deque<std::function<void()>> tasks;
  int depth = 0;
  int deepest = 0;
};

// Problems whose kernels need scratch, of very different sizes, so that the buffer of one does not fit the next.
const std::vector<const char*> with_scratch = {
    "max2d fwd f32 nchw 2x8x64x64 k9 s1 p4",  "max2d fwd f32 nchw 1x4x200x200 k31 s1 p15", "avg2d fwd f32 nchw 1x4x300x300 k65 s1 p32",
    "max2d fwd f32 nhwc 1x64x48x48 k7 s1 p3", "avg2d fwd f32 nchw 4x16x40x40 k33 s1 p16",  "max2d fwd u8 nchw 1x8x400x400 k21 s1 p10",
};

struct PlannedRun {
  Plan plan;
  Tensor x, y, expected;

  explicit PlannedRun(const Problem& problem)
      : plan(make_plan(problem)),
        x(rand(problem.geometry.input_shape(), 5, problem.dtype)),
        y(zeros(problem.geometry.output_shape(), problem.dtype)),
        expected(zeros(problem.geometry.output_shape(), problem.dtype)) {
    if (problem.layout == Layout::channels_last) {
      x = x.clone(MemoryFormat::channels_last);
      y = y.clone(MemoryFormat::channels_last);
      expected = expected.clone(MemoryFormat::channels_last);
    }
    plan.run(x, expected.span(), serial_executor());
  }
};

TEST(NestedRuns, EachRunHasItsOwnScratch) {
  std::vector<PlannedRun> runs;
  for (int round = 0; round < 3; ++round)
    for (const char* text : with_scratch) runs.emplace_back(parse(text));
  HelpingExecutor executor;
  int64_t with = 0;
  for (PlannedRun& run : runs) {
    with += run.plan.scratch_bytes(executor.concurrency()) > 0 ? 1 : 0;
    executor.tasks.push_back([&] { run.plan.run(run.x, run.y.span(), executor); });
  }
  EXPECT_GE(with, 12) << "these problems must need scratch";
  while (!executor.tasks.empty()) executor.help();
  EXPECT_GE(executor.deepest, 4);
  for (const PlannedRun& run : runs) EXPECT_TRUE(equal(run.y, run.expected)) << to_string(run.plan.problem());
}

// The same through the functions' own plan cache: nested calls overwrite slots while their plans run.
TEST(NestedRuns, CachedPlansOutliveTheirSlot) {
  HelpingExecutor executor;
  struct Job {
    Tensor x, y, expected;
  };
  std::vector<Job> jobs;
  for (int64_t size = 20; size < 220; ++size) {  // more problems than the cache has slots
    Tensor x = rand({1, 2, size, 33}, static_cast<uint64_t>(size));
    Tensor expected = max_pool2d(x, {.kernel_size = 9, .stride = 1, .padding = 4});
    jobs.push_back({.x = x, .y = zeros(expected.shape()), .expected = expected});
  }
  for (Job& job : jobs) {
    executor.tasks.push_back([&] {
      Problem problem = parse("max2d fwd f32 nchw 1x2x" + std::to_string(job.x.size(2)) + "x33 k9 s1 p4");
      const Plan plan = cached_plan(problem);
      plan.run(job.x, job.y.span(), executor);
      (void)cached_plan(parse("max2d fwd f32 nchw 1x2x64x64 k" + std::to_string(1 + job.x.size(2) % 60)));
    });
  }
  while (!executor.tasks.empty()) executor.help();
  for (const Job& job : jobs) ASSERT_TRUE(equal(job.y, job.expected)) << job.x.shape();
}

// The state of recording belongs to the thread: what a nested task changes is restored when it ends.
TEST(NestedRuns, RecordingIsRestored) {
  HelpingExecutor executor;
  PlannedRun outer(parse(with_scratch[0]));
  Tensor leaf = ones({1, 1, 4, 4}).set_requires_grad();
  bool inner_recorded = false;
  executor.tasks.push_back([&] {
    const NoGrad off;
    inner_recorded = max_pool2d(leaf, 2).requires_grad();
  });
  executor.tasks.push_back([&] { sum(avg_pool2d(leaf, 2)).backward(); });
  outer.plan.run(outer.x, outer.y.span(), executor);
  EXPECT_TRUE(executor.tasks.empty());
  EXPECT_FALSE(inner_recorded);
  EXPECT_TRUE(grad_enabled());
  EXPECT_TRUE(equal(outer.y, outer.expected));
  EXPECT_TRUE(equal(leaf.grad(), full({1, 1, 4, 4}, 0.25)));
}

// backward() runs rules without recording and names them in messages. Both are no business of a task that an executor begins while a rule
// waits for it; what the program itself has set on the thread is.
TEST(NestedRuns, TasksDoNotSeeTheBackwardPassThatWaits) {
  HelpingExecutor executor;
  PlannedRun inner(parse(with_scratch[0]));
  Tensor leaf = ones({1, 1, 4, 4}).set_requires_grad(), other = ones({1, 1, 4, 4}).set_requires_grad();
  Tensor changed = ones({2});
  const Saved kept(changed);
  changed.mark_changed();
  bool recorded = false, rule_recorded = true;
  std::string message;
  const auto run_backward = [&] {
    executor.tasks.push_back([&] {
      const Tensor y = sum(avg_pool2d(other, 2));
      recorded = y.requires_grad();
      if (recorded) y.backward();
      try {
        (void)kept.get();
      } catch (const Error& e) {
        message = e.what();
      }
    });
    const Tensor y = record("waits", {leaf}, leaf.detach(), [&](const Tensor& g) {
      inner.plan.run(inner.x, inner.y.span(), executor);
      rule_recorded = (leaf * 2.0).requires_grad();
      return Gradients{g};
    });
    sum(y).backward();
  };
  run_backward();
  EXPECT_TRUE(executor.tasks.empty());
  EXPECT_TRUE(recorded);
  EXPECT_FALSE(rule_recorded);
  EXPECT_EQ(message.find("autograd backward:"), 0U) << message;
  EXPECT_TRUE(equal(other.grad(), full({1, 1, 4, 4}, 0.25)));
  EXPECT_TRUE(equal(leaf.grad(), ones({1, 1, 4, 4})));
  EXPECT_TRUE(equal(inner.y, inner.expected));
  EXPECT_TRUE(grad_enabled());

  executor.tasks.push_back([&] { recorded = (leaf * 2.0).requires_grad(); });
  {
    const NoGrad no_grad;
    inner.plan.run(inner.x, inner.y.span(), executor);
  }
  EXPECT_FALSE(recorded);
}

// A failing rule inside another rule: the outer message still names the outer function.
TEST(NestedRuns, MessagesNameTheRuleThatFailed) {
  Tensor a = ones({2}).set_requires_grad();
  const Tensor inner_result =
      record("inner", {a}, a.detach(), [](const Tensor&) -> Gradients { throw Error(ErrorCode::io, "inner failed"); });
  const Tensor b = ones({2}).set_requires_grad();
  const Saved kept(b);
  const Tensor outer_result = record("outer", {b}, b.detach(), [&](const Tensor& g) {
    EXPECT_THROW(sum(inner_result).backward(), Error);
    Tensor changed = b.detach();
    changed.mark_changed();
    (void)kept.get();
    return Gradients{g};
  });
  try {
    sum(outer_result).backward();
    FAIL() << "kept was changed";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("outer backward:"), 0U) << e.what();
  }
}

TEST(ScratchLease, ANestedLeaseHasMemoryOfItsOwn) {
  const detail::ScratchLease first(1000);
  ASSERT_TRUE(first.ok());
  std::byte* memory = first.span().data();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0U);
  {
    const detail::ScratchLease second(500);
    const detail::ScratchLease third(2000);
    ASSERT_TRUE(second.ok() && third.ok());
    EXPECT_NE(second.span().data(), memory);
    EXPECT_NE(third.span().data(), memory);
    EXPECT_NE(second.span().data(), third.span().data());
  }
  EXPECT_EQ(first.span().data(), memory);
}

TEST(ScratchLease, TheLargestBufferIsKept) {
  const std::byte* large = nullptr;
  {
    const detail::ScratchLease lease(int64_t{1} << 20);
    large = lease.span().data();
    const detail::ScratchLease small(64);
  }
  const detail::ScratchLease again(4096);
  EXPECT_EQ(again.span().data(), large);
}

int64_t asked_for_more = 0;

// The handler is called when an allocation has failed, so it counts what the allocator was asked for and could not give.
class CountedFailures {
 public:
  CountedFailures() {
    asked_for_more = 0;
    before_ = std::set_new_handler([] {
      ++asked_for_more;
      throw std::bad_alloc();
    });
  }
  ~CountedFailures() { std::set_new_handler(before_); }

 private:
  std::new_handler before_;
};

// On 32-bit systems these leave 0, 64 and 65 bytes when their upper 32 bits are lost. A buffer that is smaller than its label says would be
// kept for the next run, which would write beyond its end.
TEST(ScratchLease, MoreThanTheAddressSpaceIsNotAllocated) {
  constexpr int64_t two_32 = int64_t{1} << 32;
  const CountedFailures failures;
  for (const int64_t bytes : {detail::max_bytes + 1, 2 * detail::max_bytes + 2, 2 * detail::max_bytes + 66, (int64_t{1} << 62) + 64}) {
    const detail::ScratchLease lease(bytes);
    EXPECT_FALSE(lease.ok()) << bytes;
  }
  for (const int64_t bytes : {two_32, two_32 + 64, two_32 + 65}) {
    const detail::ScratchLease lease(bytes);
    if (sizeof(void*) == 4) EXPECT_FALSE(lease.ok()) << bytes;
  }
  const detail::ScratchLease lease(int64_t{1} << 20);
  ASSERT_TRUE(lease.ok());
  std::memset(lease.span().data(), 1, lease.span().size());
  EXPECT_EQ(asked_for_more, 0) << "the allocator was asked for more than a process can have";
}

}  // namespace
}  // namespace tidepool
