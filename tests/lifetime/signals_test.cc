// Signals that interrupt a run, and calls of the system that they interrupt.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include <atomic>
#include <thread>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

std::atomic<int> interrupted = 0;

// A timer that interrupts the process every 200 microseconds, without SA_RESTART: system calls return EINTR.
class SignalStorm {
 public:
  SignalStorm() {
    struct sigaction action{};
    action.sa_handler = [](int) { interrupted.fetch_add(1, std::memory_order_relaxed); };
    sigaction(SIGALRM, &action, &before_);
    const itimerval often{.it_interval = {.tv_sec = 0, .tv_usec = 200}, .it_value = {.tv_sec = 0, .tv_usec = 200}};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~SignalStorm() {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before_, nullptr);
  }

 private:
  struct sigaction before_{};
};

TEST(Signals, InterruptRunsWithoutEffect) {
  const Tensor x = rand({2, 8, 128, 128}, 1);
  const Tensor expected = max_pool2d(x, {.kernel_size = 15, .stride = 1, .padding = 7});
  Tensor leaf = x.clone().set_requires_grad();
  sum(avg_pool2d(leaf, 3)).backward();
  const Tensor gradient = leaf.grad().clone();
  interrupted = 0;
  {
    const SignalStorm storm;
    while (interrupted < 200) {
      ASSERT_TRUE(equal(max_pool2d(x, {.kernel_size = 15, .stride = 1, .padding = 7}), expected));
      leaf.zero_grad();
      sum(avg_pool2d(leaf, 3)).backward();
      ASSERT_TRUE(equal(leaf.grad(), gradient));
    }
  }
  EXPECT_GE(interrupted, 200);
}

// A thread that is interrupted in the middle of its first use makes its thread-local objects once.
TEST(Signals, InterruptTheFirstUseOnAThread) {
  const SignalStorm storm;
  for (int i = 0; i < 20; ++i)
    std::thread([] {
      EXPECT_EQ(max_pool2d(ones({1, 1, 48, 48}), {.kernel_size = 15, .stride = 1, .padding = 7}).item({0, 0, 0, 0}), 1);
    }).join();
}

}  // namespace
}  // namespace tidepool
