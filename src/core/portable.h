// What compilers, standard libraries and systems do differently, in one place. Each piece has a branch for what is tested here and a
// portable one for everything else, such as MSVC and macOS. TIDEPOOL_PORTABLE=1 selects the portable branches, so that they can be tested
// too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

#if !defined(TIDEPOOL_PORTABLE)
#define TIDEPOOL_PORTABLE 0
#endif

#if (defined(__GNUC__) || defined(__clang__)) && !TIDEPOOL_PORTABLE
#define TIDEPOOL_GNU 1
#else
#define TIDEPOOL_GNU 0
#endif

// After the parameters of a lambda that must be inlined, because it is called once per element.
#if TIDEPOOL_GNU
#define TIDEPOOL_INLINE_LAMBDA __attribute__((always_inline))
#else
#define TIDEPOOL_INLINE_LAMBDA
#endif

namespace tidepool::inline v0_1::detail {

// Sums, differences and products that report overflow: true when the result fits; *out is meaningful only then.
#if TIDEPOOL_GNU
[[nodiscard]] inline bool checked_add(int64_t a, int64_t b, int64_t* out) noexcept { return !__builtin_add_overflow(a, b, out); }
[[nodiscard]] inline bool checked_sub(int64_t a, int64_t b, int64_t* out) noexcept { return !__builtin_sub_overflow(a, b, out); }
[[nodiscard]] inline bool checked_mul(int64_t a, int64_t b, int64_t* out) noexcept { return !__builtin_mul_overflow(a, b, out); }
#else
[[nodiscard]] inline bool checked_add(int64_t a, int64_t b, int64_t* out) noexcept {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return false;
  *out = a + b;
  return true;
}
[[nodiscard]] inline bool checked_sub(int64_t a, int64_t b, int64_t* out) noexcept {
  if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b) return false;
  *out = a - b;
  return true;
}
[[nodiscard]] inline bool checked_mul(int64_t a, int64_t b, int64_t* out) noexcept {
  // Bounds on |a| by division; INT64_MIN / -1 would overflow itself.
  if (a > 0 ? (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a) : b > 0 ? a < INT64_MIN / b : a != 0 && b < INT64_MAX / a) return false;
  *out = a * b;
  return true;
}
#endif

// Hints that the line at this address is soon read or written. The address need not be valid.
inline void prefetch_read([[maybe_unused]] uintptr_t address) noexcept {
#if TIDEPOOL_GNU
  __builtin_prefetch(reinterpret_cast<const void*>(address));  // NOLINT
#endif
}
inline void prefetch_write([[maybe_unused]] uintptr_t address) noexcept {
#if TIDEPOOL_GNU
  __builtin_prefetch(reinterpret_cast<const void*>(address), 1);  // NOLINT
#endif
}

// The size of huge pages, or 0 where they cannot be requested; and the request, which is only a hint.
#if defined(__linux__) && !TIDEPOOL_PORTABLE
inline constexpr size_t huge_page = size_t{2} << 20;
#else
inline constexpr size_t huge_page = 0;
#endif
void request_huge_pages(void* memory, size_t bytes) noexcept;

// Reads the whole of `text` as a decimal number, inf or nan, like std::from_chars, which not all libraries have for double. No locale
// changes the result.
std::errc parse_double(std::string_view text, double* value);

}  // namespace tidepool::inline v0_1::detail
