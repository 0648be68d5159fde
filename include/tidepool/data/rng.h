// Random numbers for shuffling, augmentation and generated pictures. They depend only on the seed, not on the platform.
#pragma once

#include <cstdint>

namespace tidepool::inline v0_1::data {

class Rng {
 public:
  explicit Rng(uint64_t seed) noexcept : state_(seed) {}
  // An independent generator for each combination of seed and counters, such as the epoch and the number of a picture. A resumed run
  // creates it again from the counters, so its state need not be saved.
  template <class... Counters>
  static Rng of(uint64_t seed, Counters... counters) noexcept {
    Rng rng(seed);
    ((rng.state_ = rng.bits() + static_cast<uint64_t>(counters)), ...);
    return Rng(rng.bits());
  }

  // SplitMix64.
  uint64_t bits() noexcept {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  float unit() noexcept { return static_cast<float>(bits() >> 40) * 0x1p-24F; }  // [0, 1)
  float between(float low, float high) noexcept { return low + (high - low) * unit(); }
  // A number from 0 to n - 1, for n below 2^31. Scales 32 random bits by a multiplication, which is faster than a remainder.
  int64_t below(int64_t n) noexcept { return static_cast<int64_t>((bits() >> 32) * static_cast<uint64_t>(n) >> 32); }

 private:
  uint64_t state_;
};

}  // namespace tidepool::inline v0_1::data
