// The settings of a thread that functions of the library read: those of NoGrad, ScopedTarget and CallTrace, and the backward rule that
// is running.
#pragma once

#include <cstdint>
#include <string>

namespace tidepool::inline v0_1 {
class CallTrace;
}

namespace tidepool::inline v0_1::detail {

struct ThreadState {
  bool recording = true;
  int64_t target = 0;                 // of the innermost ScopedTarget, or 0
  const std::string* rule = nullptr;  // the name of the function whose backward rule is running
  CallTrace* trace = nullptr;         // the innermost one
  // The settings from before the outermost backward pass, or null outside of backward passes.
  const ThreadState* before_backward = nullptr;
};

extern constinit thread_local ThreadState thread_state;

// Gives the thread other settings until the end of the scope. A part of a computation gets those of the thread that started it, so that it
// does the same on every thread. A CallTrace is not given on, because its observer belongs to one thread.
class ThreadStateScope {
 public:
  explicit ThreadStateScope(const ThreadState& state) noexcept;
  ~ThreadStateScope();
  ThreadStateScope(const ThreadStateScope&) = delete;
  ThreadStateScope& operator=(const ThreadStateScope&) = delete;

 private:
  ThreadState before_;
};

// A backward pass. Its rules may change the settings.
class BackwardScope {
 public:
  BackwardScope() noexcept;
  ~BackwardScope();
  BackwardScope(const BackwardScope&) = delete;
  BackwardScope& operator=(const BackwardScope&) = delete;

 private:
  ThreadState before_;
};

// While the thread waits for an executor of the user, which may run other work of the program on it. That work gets the settings from
// before the backward pass in which the thread waits: what the program has set, and not what the library has. It is not traced.
class WaitScope {
 public:
  WaitScope() noexcept;
  ~WaitScope();
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;

 private:
  ThreadState before_;
};

}  // namespace tidepool::inline v0_1::detail
