#include "support/fill.h"

#include <bit>
#include <limits>

#include "support/cells.h"

namespace tidepool::test {
namespace {

// Bit patterns of a floating type, from the widths of its exponent and mantissa.
template <class Bits, int exponent, int mantissa>
struct Format {
  static constexpr Bits one = 1;
  static constexpr Bits sign = static_cast<Bits>(one << (exponent + mantissa));
  static constexpr Bits inf = static_cast<Bits>(((one << exponent) - 1) << mantissa);
  static constexpr Bits quiet = static_cast<Bits>(one << (mantissa - 1));

  static Bits special(Rng& rng, bool finite) {
    const Bits s = rng.one_in(2) ? sign : Bits{0};
    switch (rng.between(0, finite ? 4 : 7)) {
      case 0:
        return s;
      case 1:
        return static_cast<Bits>(s | one);  // the smallest denormal
      case 2:
        return static_cast<Bits>(s | (quiet + quiet - 1));  // the largest denormal
      case 3:
        return static_cast<Bits>(s | (inf >> 1));  // near one
      case 4:
        return static_cast<Bits>(s | (inf - (finite ? quiet << 2 : one)));  // large, or the largest
      case 5:
        return static_cast<Bits>(s | inf);
      default:
        return static_cast<Bits>(s | inf | (rng.one_in(4) ? one : quiet) | static_cast<Bits>(rng.between(0, 3)));  // NaN, some signalling
    }
  }
};

template <class T>
struct FormatOf;
template <>
struct FormatOf<float> : Format<uint32_t, 8, 23> {};
template <>
struct FormatOf<double> : Format<uint64_t, 11, 52> {};
template <>
struct FormatOf<Half> : Format<uint16_t, 5, 10> {};
template <>
struct FormatOf<BFloat16> : Format<uint16_t, 8, 7> {};

template <class T>
T floating_cell(Contents contents, Rng& rng) {
  switch (contents) {
    case Contents::smooth:
      return T(static_cast<float>(rng.unit() * 200 - 100));
    case Contents::ties: {
      const float v = rng.pick({-1.0f, -0.0f, 0.0f, 1.0f});
      return T(v);
    }
    case Contents::identity:
      return T(-std::numeric_limits<float>::infinity());
    default:
      if (rng.one_in(3)) return T(static_cast<float>(rng.between(-3, 3)));
      return std::bit_cast<T>(FormatOf<T>::special(rng, contents == Contents::finite));
  }
}

template <class T>
T integer_cell(Contents contents, Rng& rng) {
  switch (contents) {
    case Contents::smooth:
      return static_cast<T>(rng.bits());
    case Contents::identity:
      return std::numeric_limits<T>::min();
    case Contents::ties:
      return static_cast<T>(rng.between(0, 2));
    default:
      return rng.pick({std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(0), T(1), static_cast<T>(-1)});
  }
}

}  // namespace

void fill(TensorSpan array, Contents contents, Rng& rng) {
  dispatch(array.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_cell(array.shape, [&](const Dims& at) {
      if constexpr (std::is_same_v<T, bool>) {
        put<uint8_t>(array, at, contents != Contents::identity && rng.one_in(2));
      } else if constexpr (std::is_integral_v<T>) {
        put<T>(array, at, integer_cell<T>(contents, rng));
      } else {
        put<T>(array, at, floating_cell<T>(contents, rng));
      }
    });
  });
}

Contents random_contents(Rng& rng) {
  return rng.one_in(12) ? Contents::identity : rng.pick({Contents::smooth, Contents::ties, Contents::specials});
}

}  // namespace tidepool::test
