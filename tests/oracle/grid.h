// What the oracles of all ops stand on: cells by their five coordinates, and the definition of a tap.
#pragma once

#include <array>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::oracle {

// bool cells are bytes here: a bool object may only hold 0 or 1, foreign memory may hold anything.
template <class T>
struct Stored {
  using type = T;
};
template <>
struct Stored<bool> {
  using type = uint8_t;
};

// What comparisons and sums happen in.
inline float number(Half v) { return static_cast<float>(v); }
inline float number(BFloat16 v) { return static_cast<float>(v); }
template <class T>
T number(T v) {
  return v;
}

// The unit in the last place of 1.
template <class T>
constexpr double epsilon() {
  if constexpr (std::is_same_v<T, Half>) return 0x1p-10;
  if constexpr (std::is_same_v<T, BFloat16>) return 0x1p-7;
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::epsilon();
  return 0;
}

// Five dims N, C, D, H, W over an array of N, C, spatial… or C, spatial….
struct Grid {
  const std::byte* data;
  std::array<int64_t, 5> strides{};

  Grid(TensorView a, const Geometry& g) : data(a.data) {
    const int first = g.batched() ? 0 : 1;
    for (int i = first; i < 2; ++i) strides[static_cast<size_t>(i)] = a.strides[i - first];
    for (int i = 0; i < g.rank(); ++i) strides[static_cast<size_t>(5 - g.rank() + i)] = a.strides[2 - first + i];
  }

  template <class T>
  T at(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) const {
    const int64_t offset = n * strides[0] + c * strides[1] + d * strides[2] + h * strides[3] + w * strides[4];
    T v;
    std::memcpy(&v, data + offset * static_cast<int64_t>(sizeof v), sizeof v);
    return v;
  }
};

// Where tap t of output o lies; outside the input, or -1, when there is no such cell.
inline int64_t position(const Axis& axis, int64_t o, int64_t t) {
  if (!axis.is_adaptive()) return o * axis.stride() - axis.pad_before() + t * axis.dilation();
  // Cell i belongs to bin o when the intervals [i, i+1) and [o, o+1) * input / output meet.
  const int64_t cell = o * axis.input() / axis.output() + t;
  return cell * axis.output() < (o + 1) * axis.input() ? cell : -1;
}

inline bool inside(const Axis& axis, int64_t pos) { return pos >= 0 && pos < axis.input(); }

// Calls f(n, c, od, oh, ow, o) for every output cell in row-major order; o counts them.
template <class F>
void for_each_output(const Geometry& g, F f) {
  int64_t o = 0;
  for (int64_t n = 0; n < g.batch(); ++n)
    for (int64_t c = 0; c < g.channels(); ++c)
      for (int64_t od = 0; od < g.depth().output(); ++od)
        for (int64_t oh = 0; oh < g.height().output(); ++oh)
          for (int64_t ow = 0; ow < g.width().output(); ++ow) f(n, c, od, oh, ow, o++);
}

// Calls f(d, h, w) for every real cell of a window, row-major.
template <class F>
void for_each_cell(const Geometry& g, int64_t od, int64_t oh, int64_t ow, F f) {
  for (int64_t td = 0; td < g.depth().kernel(); ++td)
    for (int64_t th = 0; th < g.height().kernel(); ++th)
      for (int64_t tw = 0; tw < g.width().kernel(); ++tw) {
        const int64_t d = position(g.depth(), od, td), h = position(g.height(), oh, th), w = position(g.width(), ow, tw);
        if (inside(g.depth(), d) && inside(g.height(), h) && inside(g.width(), w)) f(d, h, w);
      }
}

// The taps of one output that a divisor counts, one by one.
inline int64_t count_taps(const Geometry& g, Divisor divisor, int64_t od, int64_t oh, int64_t ow) {
  const auto counts = [&](const Axis& axis, int64_t o, int64_t t) {
    if (divisor == Divisor::full_kernel) return true;
    const int64_t pos = position(axis, o, t);
    if (divisor == Divisor::valid_only || axis.is_adaptive()) return inside(axis, pos);
    return pos < axis.input() + axis.pad_after();
  };
  int64_t count = 0;
  for (int64_t td = 0; td < g.depth().kernel(); ++td)
    for (int64_t th = 0; th < g.height().kernel(); ++th)
      for (int64_t tw = 0; tw < g.width().kernel(); ++tw)
        if (counts(g.depth(), od, td) && counts(g.height(), oh, th) && counts(g.width(), ow, tw)) ++count;
  return count;
}

}  // namespace tidepool::oracle
