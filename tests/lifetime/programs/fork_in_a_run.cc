// Forks while other threads pool, draw random numbers and change the number of threads. Each child pools, with and without gradients, and
// ends; a child that waits for a lock which no thread of its process will ever release is ended by its alarm. Ends with 1 if a child fails.
//
// Those children end with _exit: std::exit destroys oneTBB's static objects, which can wait for a lock that a thread held during the fork.
// Children that are forked while no other thread pools end with std::exit.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "tidepool/tidepool.h"

namespace tp = tidepool;

namespace {

bool pools_right() {
  const tp::Tensor large = tp::ones({4, 16, 128, 128});
  if (tp::avg_pool2d(large, 2).item({3, 15, 63, 63}) != 1) return false;
  tp::Tensor x = tp::rand({1, 2, 48, 48}).set_requires_grad();
  const tp::Tensor y = tp::max_pool2d(x, {.kernel_size = 15, .stride = 1, .padding = 7});
  tp::sum(y).backward();
  if (tp::sum(x.grad()).item() != static_cast<double>(y.numel())) return false;
  const auto own = tp::make_executor(tp::has_threads() ? 3 : 1);
  const tp::Plan plan = tp::make_plan(tp::parse("avg2d fwd f32 nchw 4x16x128x128 k2"));
  tp::Tensor out({4, 16, 64, 64});
  plan.run(large, out.span(), *own);
  tp::set_num_threads(tp::has_threads() ? 2 : 1);
  return tp::equal(out, tp::ones({4, 16, 64, 64})) && tp::max_pool2d(large, 2).item({3, 15, 63, 63}) == 1;
}

int child() {
  alarm(60);
  for (int i = 0; i < 3; ++i)
    if (!pools_right()) return 1;
  // Threads that the child starts pool as well.
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back([&] { wrong += pools_right() ? 0 : 1; });
  for (std::thread& t : threads) t.join();
  return wrong;
}

// Forks a child, which ends by `end`. Whether it succeeded.
bool child_works(void (*end)(int)) {
  const pid_t pid = fork();
  if (pid == 0) end(child());
  int status = 0;
  if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0) return true;
  std::fprintf(stderr, "a child ended with status %d\n", status);
  return false;
}

bool children_work_while_others_pool() {
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    while (!stop) (void)tp::avg_pool2d(tp::ones({4, 16, 128, 128}), 2);
  });
  threads.emplace_back([&] {
    while (!stop) (void)tp::max_pool2d(tp::ones({4, 16, 128, 128}), 2);
  });
  threads.emplace_back([&] {
    while (!stop) (void)tp::next_seed();
  });
  if (tp::has_threads()) {
    threads.emplace_back([&] {
      for (int n = 0; !stop; ++n) tp::set_num_threads(1 + n % 4);
    });
  }
  bool right = true;
  for (int i = 0; i < 40 && right; ++i) right = child_works(_exit);
  stop = true;
  for (std::thread& t : threads) t.join();
  return right;
}

bool children_destroy_static_objects() {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // oneTBB's threads have gone to sleep by then
  bool right = true;
  for (int i = 0; i < 4 && right; ++i) right = child_works(std::exit);
  return right;
}

}  // namespace

int main() { return pools_right() && children_work_while_others_pool() && children_destroy_static_objects() ? 0 : 1; }
