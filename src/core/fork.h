// What a child process finds after fork(): a copy of the memory, and of all threads only the one that called fork.
#pragma once

#include <cstdint>
#include <mutex>

namespace tidepool::inline v0_1::detail {

// The library's mutexes. fork() waits until they are free, so that the child does not inherit one that a thread holds which it does not
// have. A function that holds one must not call fork or code of the user.
enum class SharedState : uint8_t { random, executors, gradients, count };
std::mutex& mutex_of(SharedState state);

// The mutex of an object of which there are many, such as a node of a graph. Several objects share one, so a function that holds one must
// not lock another.
std::mutex& mutex_of(const void* object);

// Whether this process was forked after the first call of this function. A thread pool that was started before has no threads then.
bool forked_since_first_call() noexcept;

}  // namespace tidepool::inline v0_1::detail
