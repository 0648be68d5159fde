// 64-bit arithmetic that reports overflow: sizes come from outside, so their products are never trusted.
#pragma once

#include <cstdint>

namespace tidepool::detail {

// True when the result fits; *out is meaningful only then.
[[nodiscard]] inline bool checked_add(int64_t a, int64_t b, int64_t* out) noexcept { return !__builtin_add_overflow(a, b, out); }
[[nodiscard]] inline bool checked_sub(int64_t a, int64_t b, int64_t* out) noexcept { return !__builtin_sub_overflow(a, b, out); }
[[nodiscard]] inline bool checked_mul(int64_t a, int64_t b, int64_t* out) noexcept { return !__builtin_mul_overflow(a, b, out); }

// Rounding towards minus or plus infinity, for b > 0. The quotient is corrected afterwards so that no sum can overflow.
inline constexpr int64_t floor_div(int64_t a, int64_t b) noexcept { return a / b - (a % b < 0 ? 1 : 0); }
inline constexpr int64_t ceil_div(int64_t a, int64_t b) noexcept { return a / b + (a % b > 0 ? 1 : 0); }

}  // namespace tidepool::detail
