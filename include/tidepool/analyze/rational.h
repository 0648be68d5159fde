// Exact fractions: after an upsampling layer, neighbouring cells can be half an input cell apart.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "tidepool/export.h"

namespace tidepool::inline v0_1::analyze {

// In lowest terms, with a positive denominator. Arithmetic throws Error(overflow) if numerator or denominator do not fit 64 bits.
class TIDEPOOL_API Rational {
 public:
  constexpr Rational(int64_t whole = 0) noexcept : numerator_(whole) {}  // NOLINT: implicit by design
  Rational(int64_t numerator, int64_t denominator);                      // the denominator must not be 0

  int64_t numerator() const noexcept { return numerator_; }
  int64_t denominator() const noexcept { return denominator_; }
  bool is_whole() const noexcept { return denominator_ == 1; }
  double value() const noexcept { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }

  TIDEPOOL_API friend Rational operator+(const Rational& a, const Rational& b);
  TIDEPOOL_API friend Rational operator-(const Rational& a, const Rational& b);
  TIDEPOOL_API friend Rational operator*(const Rational& a, const Rational& b);
  TIDEPOOL_API friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) noexcept;
  friend bool operator==(const Rational& a, const Rational& b) noexcept = default;

 private:
  int64_t numerator_ = 0, denominator_ = 1;
};

TIDEPOOL_API std::string to_string(const Rational& number);  // "2", "-1/2"

}  // namespace tidepool::inline v0_1::analyze
