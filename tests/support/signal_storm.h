// Signals that interrupt whatever the process does.
#pragma once

#include <signal.h>
#include <sys/time.h>

#include <atomic>

namespace tidepool::test {

// A timer that interrupts the process every 200 microseconds, without SA_RESTART: system calls return EINTR.
class SignalStorm {
 public:
  SignalStorm() {
    interrupted_ = 0;
    struct sigaction action{};
    action.sa_handler = [](int) { interrupted_.fetch_add(1, std::memory_order_relaxed); };
    sigaction(SIGALRM, &action, &before_);
    const itimerval often{.it_interval = {.tv_sec = 0, .tv_usec = 200}, .it_value = {.tv_sec = 0, .tv_usec = 200}};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~SignalStorm() {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before_, nullptr);
  }
  SignalStorm(const SignalStorm&) = delete;
  SignalStorm& operator=(const SignalStorm&) = delete;

  int interrupted() const { return interrupted_; }  // how often until now

 private:
  static inline std::atomic<int> interrupted_ = 0;
  struct sigaction before_{};
};

}  // namespace tidepool::test
