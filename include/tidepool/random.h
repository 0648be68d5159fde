// The random number generator of rand, randn, initial weights and dropout. The same seed gives the same numbers on every platform.
#pragma once

#include <cstdint>

#include "tidepool/export.h"
#include "tidepool/extent.h"

namespace tidepool::inline v0_1 {

// A seed of any integer type. randn({2, 3}, 0.5) does not compile: 0.5 would be the seed 0.
struct Seed {
  uint64_t value = 0;

  template <Integer I>
  constexpr Seed(I number) noexcept : value(static_cast<uint64_t>(number)) {}  // NOLINT: implicit by design
  constexpr operator uint64_t() const noexcept { return value; }               // NOLINT: implicit by design
};

// Resets the generator: all numbers drawn afterwards depend only on `seed`. The initial state is that of manual_seed(0).
TIDEPOOL_API void manual_seed(Seed seed);

// The complete state of the generator, for checkpoints.
struct RandomState {
  uint64_t seed = 0;
  uint64_t drawn = 0;  // number of seeds drawn since manual_seed, one per random tensor
};

TIDEPOOL_API RandomState random_state();
TIDEPOOL_API void set_random_state(const RandomState& state);

// Draws the seed for one tensor. Safe to call from several threads, but then the order of the calls decides which thread gets which seed.
TIDEPOOL_API uint64_t next_seed();

}  // namespace tidepool::inline v0_1
