// Runs a program's checks before main, in main, in an atexit handler, in static destructors and in destructors of thread-local objects, on
// the main thread and on others. Ends with 1 if a result is wrong. For one source file: it defines objects.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

void check_all(const char* when);  // the program's checks

inline void check(bool right, const char* what, const char* when) {
  if (right) return;
  std::fprintf(stderr, "%s is wrong %s\n", what, when);
  std::_Exit(1);
}

struct Static {
  Static() {
    check_all("in a static constructor");
    std::atexit([] { check_all("in an atexit handler registered before main"); });
  }
  ~Static() { check_all("in a static destructor"); }
};
const Static before_others;

// Made before the library's thread-local objects, so that it is destroyed after them.
struct ThreadLocal {
  const char* when = nullptr;
  ~ThreadLocal() {
    if (when != nullptr) check_all(when);
  }
};
thread_local ThreadLocal first, last;

inline void use_thread(const char* when_first, const char* when_last) {
  first.when = when_first;
  check_all("on a thread");
  last.when = when_last;
}

// What main() does.
inline int run_at_every_moment() {
  first.when = "in a thread-local destructor of the main thread";
  check_all("in main");
  std::atexit([] { check_all("in an atexit handler"); });
  for (int i = 0; i < 4; ++i)
    std::thread(use_thread, "in a thread-local destructor", "in the thread-local destructor that runs first").join();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(use_thread, "in a thread-local destructor of several", nullptr);
  for (std::thread& t : threads) t.join();
  // Uses the library for the first time while the thread ends.
  std::thread([] { first.when = "in a thread-local destructor of a thread that did nothing else"; }).join();
  return 0;
}

}  // namespace
