// The lock of the running statistics of batch normalisation, which every forward pass in training changes.
#pragma once

#include <mutex>

namespace tidepool::inline v0_1::nn {

// One lock for all layers: the changes take little time, and a layer that can be moved cannot hold a mutex. fork() waits until it is free,
// as for the mutexes of core/fork.h.
std::mutex& running_statistics_mutex();

}  // namespace tidepool::inline v0_1::nn
