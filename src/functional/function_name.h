// Names of public functions as constants: function_name_of<"max_pool", 2, "_into"> is "max_pool2d_into".
#pragma once

#include <array>
#include <cstddef>

namespace tidepool::inline v0_1::detail {

// A string literal as a template argument.
template <size_t Size>
struct Text {
  char letters[Size]{};

  consteval Text(const char (&text)[Size]) {  // NOLINT: implicit by design
    for (size_t i = 0; i < Size; ++i) letters[i] = text[i];
  }
};

template <Text family, int rank, Text suffix>
consteval auto join_name() {
  std::array<char, sizeof family.letters + sizeof suffix.letters + 1> name{};
  size_t at = 0;
  for (char c : family.letters)
    if (c != '\0') name[at++] = c;
  name[at++] = static_cast<char>('0' + rank);
  name[at++] = 'd';
  for (char c : suffix.letters) name[at++] = c;
  return name;
}

template <Text family, int rank, Text suffix>
inline constexpr auto joined_name = join_name<family, rank, suffix>();

template <Text family, int rank, Text suffix = "">
inline constexpr const char* function_name_of = joined_name<family, rank, suffix>.data();

}  // namespace tidepool::inline v0_1::detail
