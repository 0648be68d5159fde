// What a child process must know about the threads of its parent.
#pragma once

namespace tidepool::inline v0_1::nn::onednn {

// Whether the calling thread has forked this process from one with threads. OpenMP keeps a pool of threads for each thread that starts
// parallel regions. fork copies the description of the pool but not its threads, so the next parallel region would wait for them forever.
// Other threads of the child start pools of their own.
bool lost_its_threads() noexcept;

}  // namespace tidepool::inline v0_1::nn::onednn
