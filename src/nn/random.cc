#include "tidepool/nn/random.h"

#include <mutex>

namespace tidepool::nn {
namespace {

std::mutex mutex;
RandomState state;

}  // namespace

void manual_seed(uint64_t seed) { set_random_state({.seed = seed}); }

RandomState random_state() {
  const std::scoped_lock lock(mutex);
  return state;
}

void set_random_state(const RandomState& wanted) {
  const std::scoped_lock lock(mutex);
  state = wanted;
}

uint64_t next_seed() {
  const std::scoped_lock lock(mutex);
  // rand scrambles its seed: all that matters here is that no two pairs meet.
  return state.seed * 0x9E3779B97F4A7C15U + state.drawn++;
}

}  // namespace tidepool::nn
