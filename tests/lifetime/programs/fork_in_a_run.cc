// Forks while other threads pool, draw random numbers and change the number of threads. Each child pools, with and without gradients, and
// ends; a child that waits for a lock which no thread of its process will ever release is ended by its alarm. Ends with 1 if a child fails.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
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

}  // namespace

int main() {
  if (!pools_right()) return 1;
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
  int failed = 0;
  for (int i = 0; i < 40 && failed == 0; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      const int result = child();
      if (i % 2 == 0) _exit(result);
      std::exit(result);  // destroys static objects too
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
      std::fprintf(stderr, "child %d ended with status %d\n", i, status);
      ++failed;
    }
  }
  stop = true;
  for (std::thread& t : threads) t.join();
  return failed;
}
