// The generator that initial weights and dropout draw from. The same seed gives the same numbers on every platform.
#pragma once

#include <cstdint>

#include "tidepool/tensor.h"

namespace tidepool::nn {

struct RandomState {
  uint64_t seed = 0;
  uint64_t drawn = 0;  // tensors so far
};

void manual_seed(uint64_t seed);
// To save with a checkpoint and to go on from.
RandomState random_state();
void set_random_state(const RandomState& wanted);

// The seed of the next tensor.
uint64_t next_seed();

}  // namespace tidepool::nn
