// The generator behind rand, randn, initial weights and dropout. The same seed gives the same numbers on every platform.
#pragma once

#include <cstdint>

namespace tidepool {

// Starts the generator anew: what is drawn afterwards depends on `seed` alone. A program that never calls it draws as after manual_seed(0).
void manual_seed(uint64_t seed);

// All there is to save with a checkpoint and to continue from.
struct RandomState {
  uint64_t seed = 0;
  uint64_t drawn = 0;  // tensors so far
};

RandomState random_state();
void set_random_state(const RandomState& state);

// The seed of the next tensor. Threads may call it at the same time; who gets which seed is then a matter of timing.
uint64_t next_seed();

}  // namespace tidepool
