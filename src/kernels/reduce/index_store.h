// How an arg-max leaves a kernel: from a tap number to the base and type that was asked for.
#pragma once

#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

inline void store_index(const KernelArgs& a, int64_t at, int64_t value) noexcept {
  switch (a.index_dtype) {
    case DType::u8:
      reinterpret_cast<uint8_t*>(a.index)[at] = static_cast<uint8_t>(value);
      break;
    case DType::i16:
      reinterpret_cast<int16_t*>(a.index)[at] = static_cast<int16_t>(value);
      break;
    case DType::i32:
      reinterpret_cast<int32_t*>(a.index)[at] = static_cast<int32_t>(value);
      break;
    default:
      reinterpret_cast<int64_t*>(a.index)[at] = value;
      break;
  }
}

inline int64_t load_index(const KernelArgs& a, int64_t at) noexcept {
  switch (a.index_dtype) {
    case DType::u8:
      return reinterpret_cast<const uint8_t*>(a.index)[at];
    case DType::i16:
      return reinterpret_cast<const int16_t*>(a.index)[at];
    case DType::i32:
      return reinterpret_cast<const int32_t*>(a.index)[at];
    default:
      return reinterpret_cast<const int64_t*>(a.index)[at];
  }
}

// Offset of tap 0 inside the plane; outside it when padding hides that tap.
inline int64_t plane_start(const KernelArgs& a, int64_t od, int64_t oh, int64_t ow) noexcept {
  return (a.depth.start(od) * a.height.input + a.height.start(oh)) * a.width.input + a.width.start(ow);
}

// What to add to a plane offset so that it counts from the asked base.
inline int64_t index_origin(const KernelArgs& a, int64_t n, int64_t c) noexcept {
  return a.index_base == IndexBase::tensor ? (n * a.channels + c) * a.input_plane() : 0;
}

// Writes `count` indices from lane-wide tap numbers: element j belongs to plane start `start + j * step` and lies at `at + j * at_step`.
// Not inline: every kernel of every type would carry it along.
template <class Lane>
[[gnu::noinline]] void store_taps(const KernelArgs& a, const Lane* taps, int64_t count, int64_t at, int64_t at_step, int64_t start,
                                  int64_t step) noexcept {
  if (a.index_base == IndexBase::window) {
    for (int64_t j = 0; j < count; ++j) store_index(a, at + j * at_step, static_cast<int64_t>(taps[j]));
    return;
  }
  int64_t* out = reinterpret_cast<int64_t*>(a.index) + at;
  for (int64_t j = 0; j < count; ++j) out[j * at_step] = start + j * step + a.tap_offsets[taps[j]];
}

}  // namespace tidepool::inline v0_1::detail
