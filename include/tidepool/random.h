// The generator behind rand, randn, initial weights and dropout. The same seed gives the same numbers on every platform.
#pragma once

#include <cstdint>

#include "tidepool/extent.h"

namespace tidepool {

// A seed of any integer type. randn({2, 3}, 0.5) does not compile: 0.5 would be the seed 0.
struct Seed {
  uint64_t value = 0;

  template <Integer I>
  constexpr Seed(I number) noexcept : value(static_cast<uint64_t>(number)) {}  // NOLINT: implicit by design
  constexpr operator uint64_t() const noexcept { return value; }               // NOLINT: implicit by design
};

// Starts the generator anew: what is drawn afterwards depends on `seed` alone. A program that never calls it draws as after manual_seed(0).
void manual_seed(Seed seed);

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
