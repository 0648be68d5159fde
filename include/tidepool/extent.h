// Sizes as users type them: one number for all axes, one per axis, or nothing. Geometry decides whether they make sense.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace tidepool {

inline constexpr int max_spatial = 3;

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;

// The rank-erased part: what was typed. `count` keeps the typed length even when it is too long to store, so that it can be refused.
struct Sizes {
  std::array<int64_t, max_spatial> values{};
  int64_t count = 0;

  constexpr bool is_set() const noexcept { return count != 0; }
  // The value for one axis; a single number serves all axes.
  constexpr int64_t operator[](int axis) const noexcept { return values[count == 1 ? 0 : static_cast<size_t>(axis)]; }

  static constexpr Sizes from(std::span<const int64_t> list) noexcept {
    Sizes s;
    s.count = static_cast<int64_t>(list.size());
    for (size_t i = 0; i < list.size() && i < s.values.size(); ++i) s.values[i] = list[i];
    return s;
  }
};

// kernel_size = 3, kernel_size = {3, 2}, stride = {} (unset: the op's default).
template <int N>
struct Extent : Sizes {
  constexpr Extent() = default;
  template <Integer I>
  constexpr Extent(I value) noexcept : Sizes{{static_cast<int64_t>(value)}, 1} {}  // NOLINT: implicit by design
  constexpr Extent(std::initializer_list<int64_t> list) noexcept : Sizes(from({list.begin(), list.size()})) {}
  constexpr Extent(std::span<const int64_t> list) noexcept : Sizes(from(list)) {}  // NOLINT: implicit by design
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
  constexpr Ratio(double value) noexcept : Ratios{{value}, 1} {}  // NOLINT: implicit by design
  constexpr Ratio(std::initializer_list<double> list) noexcept : Ratios(from({list.begin(), list.size()})) {}
  constexpr Ratio(std::span<const double> list) noexcept : Ratios(from(list)) {}  // NOLINT: implicit by design
};

enum class PaddingMode : uint8_t {
  explicit_sides,  // the numbers given
  valid,           // none
  same_upper,      // output = ceil(input / stride); the odd cell after
  same_lower,      // the same, the odd cell before
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
  constexpr Sides(I both) noexcept : before(both), after(both) {}  // NOLINT: implicit by design
  constexpr Sides(int64_t before_, int64_t after_) noexcept : before(before_), after(after_) {}
  friend constexpr bool operator==(const Sides&, const Sides&) = default;
};

struct Pads {
  PaddingMode mode = PaddingMode::explicit_sides;
  std::array<Sides, max_spatial> sides{};
  int64_t count = 1;

  constexpr Sides operator[](int axis) const noexcept { return sides[count == 1 ? 0 : static_cast<size_t>(axis)]; }
};

// padding = 1, {1, 2} (one per axis), {{0, 1}, {2, 2}} (before and after per axis), or `same`.
template <int N>
struct Padding : Pads {
  constexpr Padding() = default;
  template <Integer I>
  constexpr Padding(I all) noexcept : Pads{.sides = {Sides(all)}} {}      // NOLINT: implicit by design
  constexpr Padding(PaddingMode mode_) noexcept : Pads{.mode = mode_} {}  // NOLINT: implicit by design
  constexpr Padding(std::initializer_list<Sides> list) noexcept : Padding(std::span<const Sides>(list.begin(), list.size())) {}
  constexpr Padding(std::span<const Sides> list) noexcept {  // NOLINT: implicit by design
    count = static_cast<int64_t>(list.size());
    for (size_t i = 0; i < list.size() && i < sides.size(); ++i) sides[i] = list[i];
  }
};

}  // namespace tidepool
