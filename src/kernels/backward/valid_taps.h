// A fast check of one-byte window indices: no tap that padding or the end of the input hides was chosen.
#pragma once

#include <cstdint>

namespace tidepool::inline v0_1::detail {

// What may be chosen. Bits stand for taps of one axis that some window does not have: a window that lacks them forbids their bits, and a
// tap may be chosen if it has none of the forbidden ones.
//
//   3×3, padding 1      bit 0: first row   bit 1: last row   bit 2: first column   bit 3: last column
//   of tap 0: 0101      forbidden at the top left corner: 0101, elsewhere in the first row: 0001, inside: 0
struct TapRules {
  static constexpr int64_t most_taps = 64;
  alignas(16) uint8_t bits[most_taps] = {};
  uint8_t last = 0;         // the highest tap
  bool may_be_none = true;  // 255
};

// `count` indices. What the first forbids is forbidden[0], and so on; after `period` windows the same again.
struct TapRow {
  const uint8_t* taps;
  int64_t count;
  const uint8_t* forbidden;  // readable for repeated_bytes(period)
  int64_t period;
};
inline constexpr int64_t repeated_bytes(int64_t period) noexcept { return period + 64; }

bool taps_valid(int64_t target, const TapRules& rules, const TapRow& row) noexcept;

}  // namespace tidepool::inline v0_1::detail
