// Types for option values per axis: one number for all axes, one per axis, or unset. They store what the caller wrote; Geometry checks it.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>

namespace tidepool::inline v0_1 {

inline constexpr int max_spatial = 3;

// Integer types without bool and the character types, which C++ would convert silently.
template <class T>
concept Integer = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool> && !std::same_as<std::remove_cv_t<T>, char> &&
                  !std::same_as<std::remove_cv_t<T>, wchar_t> && !std::same_as<std::remove_cv_t<T>, char8_t> &&
                  !std::same_as<std::remove_cv_t<T>, char16_t> && !std::same_as<std::remove_cv_t<T>, char32_t>;

// std::array, std::vector, std::span or a C array of integers.
template <class R>
concept IntegerRange = requires(const R& range) {
  std::data(range);
  std::size(range);
  requires Integer<std::remove_cvref_t<decltype(*std::data(range))>>;
};

namespace detail {
// An unsigned number above the range of int64_t becomes the largest int64_t instead of a negative number, so that later checks reject it.
template <Integer I>
constexpr int64_t to_int64(I value) noexcept {
  if constexpr (std::is_unsigned_v<I> && sizeof(I) >= sizeof(int64_t)) {
    constexpr I largest = static_cast<I>(std::numeric_limits<int64_t>::max());
    return value > largest ? std::numeric_limits<int64_t>::max() : static_cast<int64_t>(value);
  } else {
    return static_cast<int64_t>(value);
  }
}
}  // namespace detail

// An integer parameter. Accepts every integer type, but not bool or double.
struct Size {
  int64_t value = 0;

  template <Integer I>
  constexpr Size(I number) noexcept : value(detail::to_int64(number)) {}  // NOLINT: implicit by design
  constexpr operator int64_t() const noexcept { return value; }           // NOLINT: implicit by design
};

// The part of Extent<N> that does not depend on N. `count` is the number of values that the caller gave, even when there are too many to
// store: the check then reports that number.
struct Sizes {
  std::array<int64_t, max_spatial> values{};
  int64_t count = 0;

  constexpr bool is_set() const noexcept { return count != 0; }
  // The value for one axis. A single value applies to all axes.
  constexpr int64_t operator[](int axis) const noexcept { return values[count == 1 ? 0 : static_cast<size_t>(axis)]; }

  template <IntegerRange R>
  static constexpr Sizes from(const R& list) noexcept {
    Sizes s;
    for (const auto number : list) {
      if (s.count < max_spatial) s.values[static_cast<size_t>(s.count)] = detail::to_int64(number);
      ++s.count;
    }
    return s;
  }
};

// kernel_size = 3, kernel_size = {3, 2}, kernel_size = a vector, stride = {} (unset: the op's default).
// There is no std::initializer_list constructor, because with one GCC 12 compiles {.misspelt = 2} as a list of sizes.
template <int N>
struct Extent : Sizes {
  static_assert(N >= 1 && N <= max_spatial);
  constexpr Extent() = default;
  template <Integer... I>
    requires(sizeof...(I) > 0)
  constexpr Extent(I... numbers) noexcept : Sizes(from(std::array{detail::to_int64(numbers)...})) {}  // NOLINT: implicit by design
  template <IntegerRange R>
  constexpr Extent(const R& list) noexcept : Sizes(from(list)) {}  // NOLINT: implicit by design
};

// output_ratio = 0.5 or {0.5, 0.7}.
struct Ratios {
  std::array<double, max_spatial> values{};
  int64_t count = 0;

  constexpr bool is_set() const noexcept { return count != 0; }
  constexpr double operator[](int axis) const noexcept { return values[count == 1 ? 0 : static_cast<size_t>(axis)]; }

  static constexpr Ratios from(std::span<const double> list) noexcept {
    Ratios r;
    r.count = static_cast<int64_t>(list.size());
    for (size_t i = 0; i < list.size() && i < r.values.size(); ++i) r.values[i] = list[i];
    return r;
  }
};

template <int N>
struct Ratio : Ratios {
  constexpr Ratio() = default;
  template <class... T>
    requires(sizeof...(T) > 0 && ((Integer<T> || std::floating_point<T>) && ...))
  constexpr Ratio(T... numbers) noexcept : Ratios(from(std::array{static_cast<double>(numbers)...})) {}  // NOLINT: implicit by design
  constexpr Ratio(std::span<const double> list) noexcept : Ratios(from(list)) {}                         // NOLINT: implicit by design
};

enum class PaddingMode : uint8_t {
  explicit_sides,  // the numbers given
  valid,           // no padding
  same_upper,      // so that output = ceil(input / stride); an odd element is added after the input
  same_lower,      // the same, with the odd element before the input
};

inline constexpr PaddingMode valid = PaddingMode::valid;
inline constexpr PaddingMode same = PaddingMode::same_upper;
inline constexpr PaddingMode same_lower = PaddingMode::same_lower;

// Padding of one axis: 1, or {before, after}.
struct Sides {
  int64_t before = 0;
  int64_t after = 0;

  constexpr Sides() = default;
  template <Integer I>
  constexpr Sides(I both) noexcept : before(detail::to_int64(both)), after(before) {}  // NOLINT: implicit by design
  template <Integer I, Integer J>
  constexpr Sides(I before_, J after_) noexcept : before(detail::to_int64(before_)), after(detail::to_int64(after_)) {}
  friend constexpr bool operator==(const Sides&, const Sides&) = default;
};

// The part of Padding<N> that does not depend on N.
struct Pads {
  PaddingMode mode = PaddingMode::explicit_sides;
  std::array<Sides, max_spatial> sides{};
  int64_t count = 1;

  constexpr Sides operator[](int axis) const noexcept { return sides[count == 1 ? 0 : static_cast<size_t>(axis)]; }

  static constexpr Pads from(std::span<const Sides> list) noexcept {
    Pads p;
    p.count = static_cast<int64_t>(list.size());
    for (size_t i = 0; i < list.size() && i < p.sides.size(); ++i) p.sides[i] = list[i];
    return p;
  }
};

// padding = 1, {1, 2} (one per axis), {{0, 1}, {2, 2}} (before and after per axis), a vector of numbers (one per axis), or `same`.
template <int N>
struct Padding : Pads {
  constexpr Padding() = default;
  template <Integer I>
  constexpr Padding(I all) noexcept : Pads{.sides = {Sides(all)}} {}        // NOLINT: implicit by design
  constexpr Padding(PaddingMode mode_) noexcept : Pads{.mode = mode_} {}    // NOLINT: implicit by design
  constexpr Padding(Sides only) noexcept : Pads(from(std::array{only})) {}  // NOLINT: implicit by design
  constexpr Padding(Sides first, Sides second) noexcept : Pads(from(std::array{first, second})) {}
  constexpr Padding(Sides first, Sides second, Sides third) noexcept : Pads(from(std::array{first, second, third})) {}
  constexpr Padding(Sides first, Sides second, Sides third, Sides fourth) noexcept  // accepted here so that the check can report "got 4"
      : Pads(from(std::array{first, second, third, fourth})) {}
  constexpr Padding(std::span<const Sides> list) noexcept : Pads(from(list)) {}  // NOLINT: implicit by design
  template <IntegerRange R>
  constexpr Padding(const R& list) noexcept {  // NOLINT: implicit by design
    const Sizes sizes = Sizes::from(list);
    count = sizes.count;
    for (size_t i = 0; i < sides.size(); ++i) sides[i] = Sides(sizes.values[i]);
  }
};

}  // namespace tidepool::inline v0_1
