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

#if (defined(__unix__) || defined(__APPLE__)) && !TIDEPOOL_PORTABLE
#define TIDEPOOL_POSIX 1
#else
#define TIDEPOOL_POSIX 0
#endif

#if TIDEPOOL_POSIX
#include <dlfcn.h>
#endif

// A function that must be inlined, and the same after the parameters of a lambda: they are called once per element.
#if TIDEPOOL_GNU
#define TIDEPOOL_ALWAYS_INLINE [[gnu::always_inline]] inline
#define TIDEPOOL_INLINE_LAMBDA __attribute__((always_inline))
#else
#define TIDEPOOL_ALWAYS_INLINE inline
#define TIDEPOOL_INLINE_LAMBDA
#endif

// Hints that the cache line at an address (a uintptr_t, which need not be valid) will soon be read or written. Macros, because GCC takes a
// function that only prefetches for one without effect, and drops its calls.
#if TIDEPOOL_GNU
#define TIDEPOOL_PREFETCH_READ(address) __builtin_prefetch(reinterpret_cast<const void*>(address))      // NOLINT
#define TIDEPOOL_PREFETCH_WRITE(address) __builtin_prefetch(reinterpret_cast<const void*>(address), 1)  // NOLINT
#else
#define TIDEPOOL_PREFETCH_READ(address) static_cast<void>(address)
#define TIDEPOOL_PREFETCH_WRITE(address) static_cast<void>(address)
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

// The address of a function that some library of the process may have, or null.
inline void* find_symbol([[maybe_unused]] const char* name) noexcept {
#if TIDEPOOL_POSIX
  return dlsym(RTLD_DEFAULT, name);
#else
  return nullptr;
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
