// A fast check of window indices of one or two bytes: no tap that padding or the end of the input hides was chosen.
#pragma once

#include <cstdint>

namespace tidepool::inline v0_1::detail {

// One axis of the windows. A tap's number is taken apart into one tap per axis: number % kernel of the first axis, number / kernel % kernel
// of the second, what is left of the last. Each must lie between the bounds of its window.
template <class T>
struct TapAxis {
  int64_t kernel = 1;                              // above 1, except that of the last axis
  bool varies = false;                             // false: the bounds of the first output hold for all
  const T* first;                                  // the first tap inside the input, per output; readable for repeated_outputs(period)
  const T* span;                                   // the last one minus the first
  static constexpr T no_tap = static_cast<T>(-1);  // `first` of a window in the padding, with span 0
};

// `count` indices. After `period` of them, at least tap_vector, the bounds are the same again.
template <class T>
struct TapRow {
  const T* taps;
  int64_t count;
  int64_t period;
  const TapAxis<T>* axes;
  int axis_count;  // 1 to 3
  bool may_be_none;
};
inline constexpr int64_t tap_vector = 64;  // no vector holds more indices
inline constexpr int64_t repeated_outputs(int64_t period) noexcept { return period + tap_vector; }

// u16 checks i16 indices: those below 0 are wrong, except -1 where it means none.
bool taps_valid(int64_t target, const TapRow<uint8_t>& row) noexcept;
bool taps_valid(int64_t target, const TapRow<uint16_t>& row) noexcept;

// Whether indices[i] lies in [origin + i * step, origin + i * step + size) for all i.
bool are_in_planes(int64_t target, const int64_t* indices, int64_t count, int64_t origin, int64_t size, int64_t step) noexcept;

}  // namespace tidepool::inline v0_1::detail
