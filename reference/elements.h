// Elements of an array by their five coordinates, and the types that arithmetic on them uses.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tidepool/geometry.h"
#include "tidepool/tensor.h"

namespace tidepool::reference {

// bool elements are read as bytes: a bool object holds 0 or 1 only, but memory from outside may hold any byte.
template <class T>
struct Stored {
  using type = T;
};
template <>
struct Stored<bool> {
  using type = uint8_t;
};

// The element in the type that comparisons and sums use: float for f16 and bf16, otherwise its own.
inline float number(Half v) { return static_cast<float>(v); }
inline float number(BFloat16 v) { return static_cast<float>(v); }
template <class T>
T number(T v) {
  return v;
}

// The distance from 1 to the next larger value.
template <class T>
constexpr double epsilon() {
  if constexpr (std::is_same_v<T, Half>) return 0x1p-10;
  if constexpr (std::is_same_v<T, BFloat16>) return 0x1p-7;
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::epsilon();
  return 0;
}

// An array of N, C, spatial… or C, spatial… with all five dims N, C, D, H, W. Absent dims have stride 0.
struct NcdhwView {
  const std::byte* data;
  std::array<int64_t, 5> strides{};

  NcdhwView(TensorView a, const Geometry& g) : data(a.data) {
    const int first = g.batched() ? 0 : 1;
    for (int i = first; i < 2; ++i) strides[static_cast<size_t>(i)] = a.strides[i - first];
    for (int i = 0; i < g.rank(); ++i) strides[static_cast<size_t>(5 - g.rank() + i)] = a.strides[2 - first + i];
  }

  template <class T>
  T at(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) const {
    const int64_t offset = n * strides[0] + c * strides[1] + d * strides[2] + h * strides[3] + w * strides[4];
    T v;
    std::memcpy(&v, data + offset * static_cast<int64_t>(sizeof v), sizeof v);  // the address may be misaligned
    return v;
  }
};

}  // namespace tidepool::reference
