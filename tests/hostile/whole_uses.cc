#include "hostile/whole_uses.h"

#include <gtest/gtest.h>

#include <new>
#include <thread>

#include "hostile/failing_new.h"
#include "tidepool/error.h"

namespace tidepool::test {
namespace {

enum class End : uint8_t { success, no_memory, other };

// Runs f on a new thread, on which allocation n and all later ones fail.
End run_with_failure(const std::function<void()>& f, int64_t n, std::string* what) {
  End end = End::success;
  std::thread([&] {
    fail_allocation(n);
    try {
      f();
    } catch (const std::bad_alloc&) {
      end = End::no_memory;
    } catch (const Error& e) {
      end = e.code() == ErrorCode::out_of_memory ? End::no_memory : End::other;
      fail_allocation(-1);
      *what = e.what();
    } catch (const std::exception& e) {
      end = End::other;
      fail_allocation(-1);
      *what = e.what();
    }
    fail_allocation(-1);
  }).join();
  return end;
}

}  // namespace

int64_t fail_every_allocation(const std::vector<Use>& uses) {
  int64_t failures = 0;
  for (const Use& use : uses) {
    std::string what;
    // Makes what lives as long as the process.
    EXPECT_EQ(run_with_failure(use.run, -1, &what), End::success) << use.name << ": " << what;
    for (int64_t n = 0; !::testing::Test::HasFailure(); ++n) {
      const int64_t before = live_allocations();
      const End end = run_with_failure(use.run, n, &what);
      if (end != End::other) what.clear();
      EXPECT_TRUE(use.library_leaks || live_allocations() == before) << use.name << " leaks when allocation " << n << " fails";
      if (end == End::success) break;
      EXPECT_EQ(end, End::no_memory) << use.name << ", allocation " << n << ": " << what;
      EXPECT_LT(n, 20000) << use.name;
      ++failures;
    }
  }
  return failures;
}

}  // namespace tidepool::test
