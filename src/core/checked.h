// 64-bit arithmetic that reports overflow. Sizes come from the caller, so every product of them must be checked.
#pragma once

#include <cstdint>

namespace tidepool::inline v0_1::detail {

// True when the result fits; *out is meaningful only then.
[[nodiscard]] inline bool checked_add(int64_t a, int64_t b, int64_t* out) noexcept { return !__builtin_add_overflow(a, b, out); }
[[nodiscard]] inline bool checked_sub(int64_t a, int64_t b, int64_t* out) noexcept { return !__builtin_sub_overflow(a, b, out); }
[[nodiscard]] inline bool checked_mul(int64_t a, int64_t b, int64_t* out) noexcept { return !__builtin_mul_overflow(a, b, out); }

// Division that rounds towards minus or plus infinity, for b > 0. Written without a + b, which could overflow.
inline constexpr int64_t floor_div(int64_t a, int64_t b) noexcept { return a / b - (a % b < 0 ? 1 : 0); }
inline constexpr int64_t ceil_div(int64_t a, int64_t b) noexcept { return a / b + (a % b > 0 ? 1 : 0); }

}  // namespace tidepool::inline v0_1::detail
