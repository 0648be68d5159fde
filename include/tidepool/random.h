// The random number generator of rand, randn, initial weights and dropout. The same seed gives the same numbers on every platform.
#pragma once

#include <cstdint>

namespace tidepool {

// Resets the generator: all numbers drawn afterwards depend only on `seed`. The initial state is that of manual_seed(0).
void manual_seed(uint64_t seed);

// The complete state of the generator, for checkpoints.
struct RandomState {
  uint64_t seed = 0;
  uint64_t drawn = 0;  // number of seeds drawn since manual_seed, one per random tensor
};

RandomState random_state();
void set_random_state(const RandomState& state);

// Draws the seed for one tensor. Safe to call from several threads, but then the order of the calls decides which thread gets which seed.
uint64_t next_seed();

}  // namespace tidepool
