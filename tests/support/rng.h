// A small random generator with the same numbers on every platform, so that the seed in a failure message reproduces the failure.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

namespace tidepool::test {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t bits() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Both ends included.
  int64_t between(int64_t low, int64_t high) { return low + static_cast<int64_t>(bits() % static_cast<uint64_t>(high - low + 1)); }
  bool one_in(int64_t n) { return between(1, n) == 1; }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  template <class T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[between(0, static_cast<int64_t>(list.size()) - 1)];
  }
  template <class T>
  T pick(std::span<const T> list) {
    return list[static_cast<size_t>(between(0, static_cast<int64_t>(list.size()) - 1))];
  }

 private:
  uint64_t state_;
};

}  // namespace tidepool::test
