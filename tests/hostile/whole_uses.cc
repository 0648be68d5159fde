#include "hostile/whole_uses.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <new>
#include <thread>

#include "hostile/failing_new.h"
#include "tidepool/error.h"

namespace tidepool::test {
namespace {

enum class End : uint8_t { success, no_memory, other };

struct Run {
  End end = End::success;
  bool failed = false;  // whether an allocation did
  char what[256] = "";  // a string would count as a live allocation
};

// Runs f on a new thread, on which allocation n fails, and all later ones as well or not.
Run run_with_failure(const std::function<void()>& f, int64_t n, bool only_one) {
  Run run;
  const auto stop = [&](End end) {
    run.end = end;
    run.failed = has_failed();
    fail_allocation(-1);
  };
  std::thread([&] {
    only_one ? fail_one_allocation(n) : fail_allocation(n);
    try {
      f();
      stop(End::success);
    } catch (const std::bad_alloc&) {
      stop(End::no_memory);
    } catch (const Error& e) {
      stop(e.code() == ErrorCode::out_of_memory ? End::no_memory : End::other);
      std::snprintf(run.what, sizeof run.what, "%s", e.what());
    } catch (const std::exception& e) {
      stop(End::other);
      std::snprintf(run.what, sizeof run.what, "%s", e.what());
    }
  }).join();
  return run;
}

}  // namespace

int64_t fail_every_allocation(const std::vector<Use>& uses) {
  int64_t failures = 0;
  for (const Use& use : uses) {
    const Run first = run_with_failure(use.run, -1, false);  // makes what lives as long as the process
    EXPECT_EQ(first.end, End::success) << use.name << ": " << first.what;
    for (const bool only_one : {false, true}) {
      for (int64_t n = 0; !::testing::Test::HasFailure(); ++n) {
        const int64_t before = live_allocations();
        const Run run = run_with_failure(use.run, n, only_one);
        EXPECT_TRUE(use.library_leaks || live_allocations() == before) << use.name << " leaks when allocation " << n << " fails";
        if (!run.failed) break;
        // Some uses can do without one, such as the cache of plans.
        EXPECT_TRUE(run.end == End::no_memory || (only_one && run.end == End::success))
            << use.name << ", allocation " << n << (only_one ? " alone: " : ": ") << run.what;
        EXPECT_LT(n, 20000) << use.name;
        ++failures;
      }
    }
  }
  return failures;
}

}  // namespace tidepool::test
