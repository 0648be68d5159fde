// Random numbers for shuffling, augmenting and drawing: the same for the same seed on every platform, in any order of use.
#pragma once

#include <cstdint>

namespace tidepool::data {

class Rng {
 public:
  explicit Rng(uint64_t seed) noexcept : state_(seed) {}
  // A stream of its own for each of several counters: whoever knows them can go on from there, so nothing needs to be saved.
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
  // 0 … n - 1, for n below 2^31: a multiplication in place of a division.
  int64_t below(int64_t n) noexcept { return static_cast<int64_t>((bits() >> 32) * static_cast<uint64_t>(n) >> 32); }

 private:
  uint64_t state_;
};

}  // namespace tidepool::data
