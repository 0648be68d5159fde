// Every allocation of every function fails in turn: the call must throw, write nothing, and work again afterwards.
#include <gtest/gtest.h>

#include <new>

#include "hostile/entries.h"
#include "hostile/failing_new.h"

namespace tidepool::test {
namespace {

class HostileMemory : public OnEveryEntry {};

TEST_F(HostileMemory, EveryAllocationMayFail) {
  int64_t failures = 0;
  on_every_entry([&] {
    for (int64_t n = 0;; ++n) {
      ASSERT_LT(n, 1000);
      const ValidCall call(entry());
      bool failed = false;
      fail_allocation(n);
      try {
        entry().call(call.arguments);
      } catch (const Error&) {
        failed = true;
      } catch (const std::bad_alloc&) {
        failed = true;
      }
      fail_allocation(-1);
      if (!failed) break;
      ++failures;
      ASSERT_TRUE(call.intact()) << "wrote although allocation " << n << " failed";
    }
  });
  EXPECT_GT(failures, 500);
}

}  // namespace
}  // namespace tidepool::test
