// The numbers of threads that an executor can have.
#pragma once

namespace tidepool::inline v0_1::detail {

// More threads than on any machine this runs on: a larger number is a mistake of the caller.
inline constexpr int max_threads = 1024;

// Throws Error unless this build can run that many threads. `function` is the name that the message begins with.
void check_thread_count(const char* function, int threads);

}  // namespace tidepool::inline v0_1::detail
