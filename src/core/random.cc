#include "tidepool/random.h"

#include <mutex>

#include "core/fork.h"

namespace tidepool::inline v0_1 {
namespace {

RandomState current;  // guarded by mutex_of(SharedState::random)

}  // namespace

void manual_seed(Seed seed) { set_random_state({.seed = seed}); }

RandomState random_state() {
  const std::scoped_lock lock(detail::mutex_of(detail::SharedState::random));
  return current;
}

void set_random_state(const RandomState& new_state) {
  const std::scoped_lock lock(detail::mutex_of(detail::SharedState::random));
  current = new_state;
}

uint64_t next_seed() {
  const std::scoped_lock lock(detail::mutex_of(detail::SharedState::random));
  // rand scrambles its seed, so it is enough that different pairs of seed and count give different numbers.
  return current.seed * 0x9E3779B97F4A7C15U + current.drawn++;
}

}  // namespace tidepool::inline v0_1
