// The option words of a problem's text. Printing and parsing read the same tables; a value without a word is the default.
#pragma once

#include <optional>
#include <string_view>

#include "tidepool/problem.h"

namespace tidepool::inline v0_1::detail {

template <class Enum>
struct Word {
  Enum value;
  std::string_view text;
};

inline constexpr Word<PaddingMode> padding_words[] = {{PaddingMode::same_upper, "same"}, {PaddingMode::same_lower, "same_lower"}};
inline constexpr Word<Rounding> ceil_words[] = {{Rounding::ceil, "ceil"}, {Rounding::ceil_full, "ceil_full"}};
inline constexpr Word<Divisor> divisor_words[] = {{Divisor::full_kernel, "full"}, {Divisor::valid_only, "valid"}};
inline constexpr Word<IntegerRounding> rounding_words[] = {{IntegerRounding::floor, "floor"}, {IntegerRounding::nearest_even, "even"}};
inline constexpr Word<NanPolicy> nan_words[] = {{NanPolicy::ignore, "ignore"}};

// "" for the default.
template <class Enum, size_t N>
constexpr std::string_view word_of(const Word<Enum> (&words)[N], Enum value) noexcept {
  for (const Word<Enum>& word : words)
    if (word.value == value) return word.text;
  return {};
}

template <class Enum, size_t N>
constexpr std::optional<Enum> value_of(const Word<Enum> (&words)[N], std::string_view text) noexcept {
  for (const Word<Enum>& word : words)
    if (word.text == text) return word.value;
  return std::nullopt;
}

}  // namespace tidepool::inline v0_1::detail
