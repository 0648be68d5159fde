#pragma once

#include <cstdint>
#include <functional>

namespace tidepool::test {

// From now on the n-th allocation of this thread, counted from 0, and all later ones fail. A negative n turns failures off.
void fail_allocation(int64_t n);

// The same, but the allocations after it succeed.
void fail_one_allocation(int64_t n);

// Runs f while allocation n of this thread and all later ones fail. Returns false if it ended for lack of memory; passes on other errors.
bool completes_with_failure(int64_t n, const std::function<void()>& f);

// Whether an allocation of this thread has failed since the last call of one of these functions.
bool has_failed();

// How many allocations of all threads have not been freed.
int64_t live_allocations();

}  // namespace tidepool::test
