// Runs code in a child process, for tests of what works after fork.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>

namespace tidepool::test {

// ThreadSanitizer ends a child that starts threads.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool children_may_have_threads = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool children_may_have_threads = false;
#else
inline constexpr bool children_may_have_threads = true;
#endif
#else
inline constexpr bool children_may_have_threads = true;
#endif

// Calls body(), which returns an empty text or what is wrong, in a child of this process. A child that has not ended after `seconds`
// hangs: it is killed, and the assertion fails.
template <class Body>
::testing::AssertionResult works_in_child(const Body& body, int seconds = 60) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return ::testing::AssertionFailure() << "fork failed";
  if (child == 0) {
    std::string wrong;
    try {
      wrong = body();
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    if (!wrong.empty()) std::fprintf(stderr, "in the child: %s\n", wrong.c_str());
    _exit(wrong.empty() ? 0 : 1);
  }
  int status = 0;
  for (int tenths = 0; waitpid(child, &status, WNOHANG) == 0; ++tenths) {
    if (tenths >= 10 * seconds) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return ::testing::AssertionFailure() << "the child has not ended after " << seconds << " s";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "the child ended with status " << status;
}

}  // namespace tidepool::test
