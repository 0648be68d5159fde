// Exceptions from the caller's code in the middle of a run: they reach the caller, nothing leaks, and the library works afterwards.
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "plan/scratch.h"
#include "tidepool/c.h"
#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

struct Refused : std::runtime_error {
  Refused() : std::runtime_error("refused") {}
};

// Throws instead of the piece with this number. Negative: never.
class ThrowingExecutor : public Executor {
 public:
  explicit ThrowingExecutor(int64_t at) : at_(at) {}
  int concurrency() const noexcept override { return 4; }
  void parallel_for(int64_t n, int64_t grain, RangeFn body) override {
    for (int64_t i = 0; i < n; i += std::max<int64_t>(grain, 1)) {
      if (at_-- == 0) throw Refused();
      body(i, std::min(n, i + std::max<int64_t>(grain, 1)));
    }
  }

 private:
  int64_t at_;
};

const char* const problem_with_scratch = "max2d fwd f32 nchw 2x8x96x96 k15 s1 p7";

TEST(Exceptions, OfAnExecutorReachTheCaller) {
  const Plan plan = make_plan(parse(problem_with_scratch));
  ASSERT_GT(plan.scratch_bytes(4), 0);
  const Tensor x = rand({2, 8, 96, 96}, 1);
  Tensor expected(x.shape()), y(x.shape());
  plan.run(x, expected.span(), serial_executor());
  int64_t thrown = 0;
  for (int64_t at = 0;; ++at) {
    ThrowingExecutor executor(at);
    ASSERT_LT(at, 1000);
    try {
      plan.run(x, y.span(), executor);
      break;
    } catch (const Refused&) {
      ++thrown;
    }
  }
  EXPECT_GE(thrown, 2);
  EXPECT_TRUE(equal(y, expected));
}

TEST(Exceptions, OfAnExecutorGiveTheScratchBack) {
  const Plan plan = make_plan(parse(problem_with_scratch));
  const Tensor x = rand({2, 8, 96, 96}, 1);
  Tensor y(x.shape());
  const int64_t bytes = plan.scratch_bytes(4);
  const auto buffer = [&] { return detail::ScratchLease(bytes).span().data(); };
  const std::byte* before = buffer();
  ThrowingExecutor executor(1);
  EXPECT_THROW(plan.run(x, y.span(), executor), Refused);
  EXPECT_EQ(buffer(), before);
}

// Indices are checked on the executor too, before anything is written.
TEST(Exceptions, WhileIndicesAreCheckedLeaveTheOutputAlone) {
  const Tensor x = rand({1, 64, 200, 200}, 1);
  const auto [values, indices] = max_pool2d_with_indices(x, 2);
  const Plan plan = make_plan(parse("max2d bwd f32 nchw 1x64x200x200 k2"));
  Tensor grad_input = full(x.shape(), 7);
  ThrowingExecutor executor(0);
  EXPECT_THROW(plan.run({.input = values, .output = grad_input.span(), .indices_in = indices}, executor), Refused);
  EXPECT_TRUE(equal(grad_input, full(x.shape(), 7)));
}

TEST(Exceptions, OfARuleLeaveTheGraphUsable) {
  Tensor x = ones({1, 1, 4, 4}).set_requires_grad();
  bool fail = true;
  const Tensor y = record("picky", {x}, x.detach(), [&](const Tensor& g) {
    if (fail) throw Refused();
    return Gradients{g};
  });
  const Tensor loss = sum(max_pool2d(y, 2));
  EXPECT_THROW(loss.backward(ones({}), true), Refused);
  EXPECT_TRUE(grad_enabled());
  EXPECT_FALSE(x.grad().defined());
  fail = false;
  loss.backward(ones({}), true);
  EXPECT_EQ(sum(x.grad()).item(), 4);
}

// The size of a pool may change at any time. A run uses what it was told first.
TEST(Exceptions, AnExecutorThatGrowsIsNotOne) {
  class Growing : public Executor {
   public:
    int concurrency() const noexcept override { return ++asked_; }
    void parallel_for(int64_t n, int64_t /*grain*/, RangeFn body) override { body(0, n); }

   private:
    mutable int asked_ = 0;
  };
  const Plan plan = make_plan(parse(problem_with_scratch));
  const Tensor x = rand({2, 8, 96, 96}, 1);
  Tensor expected(x.shape()), y(x.shape());
  plan.run(x, expected.span(), serial_executor());
  Growing executor;
  plan.run(x, y.span(), executor);
  EXPECT_TRUE(equal(y, expected));
}

struct Ledger {
  int64_t live = 0;
  int64_t calls = 0;
  int64_t fail_at = -1;
};

void* allocate(void* user, size_t bytes) {
  auto* ledger = static_cast<Ledger*>(user);
  if (ledger->calls++ == ledger->fail_at) return nullptr;
  ++ledger->live;
  return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
}

void release(void* user, void* memory, size_t /*bytes*/) {
  --static_cast<Ledger*>(user)->live;
  std::free(memory);
}

// The C functions take an allocator for the scratch buffer.
TEST(Exceptions, AFailingAllocatorOfTheCaller) {
  tp_plan* plan = nullptr;
  ASSERT_EQ(tp_plan_parse(problem_with_scratch, &plan), TP_OK);
  const Tensor x = rand({2, 8, 96, 96}, 1);
  Tensor y = full(x.shape(), 7);
  const int64_t shape[] = {2, 8, 96, 96};
  tp_arrays arrays{};
  arrays.input = tp_dense(const_cast<float*>(x.data<float>()), TP_F32, 4, shape);
  arrays.output = tp_dense(y.data<float>(), TP_F32, 4, shape);
  Ledger ledger{.fail_at = 0};
  tp_run_options run{};
  run.struct_size = sizeof run;
  run.allocate = allocate;
  run.release = release;
  run.user = &ledger;
  EXPECT_EQ(tp_plan_run(plan, &arrays, &run), TP_OUT_OF_MEMORY);
  EXPECT_TRUE(equal(y, full(x.shape(), 7)));
  EXPECT_EQ(ledger.live, 0);
  EXPECT_EQ(tp_plan_run(plan, &arrays, &run), TP_OK);
  EXPECT_EQ(ledger.calls, 2);
  EXPECT_EQ(ledger.live, 0);
  EXPECT_TRUE(equal(y, max_pool2d(x, {.kernel_size = 15, .stride = 1, .padding = 7})));
  tp_plan_free(plan);
}

}  // namespace
}  // namespace tidepool
