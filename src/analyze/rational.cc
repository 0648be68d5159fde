#include "tidepool/analyze/rational.h"

#include <numeric>

#include "core/checked.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

[[noreturn]] void overflow() { detail::throw_error({ErrorCode::overflow, "analyze: strides and offsets of the fields overflow 64 bits"}); }

int64_t product(int64_t a, int64_t b) {
  int64_t result;
  if (!detail::checked_mul(a, b, &result) || result == INT64_MIN) overflow();
  return result;
}

int64_t sum(int64_t a, int64_t b) {
  int64_t result;
  if (!detail::checked_add(a, b, &result) || result == INT64_MIN) overflow();
  return result;
}

}  // namespace

Rational::Rational(int64_t numerator, int64_t denominator) {
  if (numerator == INT64_MIN || denominator == INT64_MIN) overflow();
  const int64_t common = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
  numerator_ = numerator / common;
  denominator_ = denominator / common;
}

Rational operator+(const Rational& a, const Rational& b) {
  const int64_t common = std::gcd(a.denominator_, b.denominator_), wider = b.denominator_ / common;
  const int64_t numerator = sum(product(a.numerator_, wider), product(b.numerator_, a.denominator_ / common));
  return {numerator, product(a.denominator_, wider)};
}

Rational operator-(const Rational& a, const Rational& b) { return a + Rational(-1) * b; }

Rational operator*(const Rational& a, const Rational& b) {
  // Reduced first, so that products overflow only if the result does.
  const Rational left(a.numerator_, b.denominator_), right(b.numerator_, a.denominator_);
  return {product(left.numerator_, right.numerator_), product(left.denominator_, right.denominator_)};
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) noexcept {
  int64_t left, right;
  if (detail::checked_mul(a.numerator_, b.denominator_, &left) && detail::checked_mul(b.numerator_, a.denominator_, &right))
    return left <=> right;
  const int64_t whole_a = detail::floor_div(a.numerator_, a.denominator_), whole_b = detail::floor_div(b.numerator_, b.denominator_);
  if (whole_a != whole_b) return whole_a <=> whole_b;
  // Equal whole parts: the fractions compare in reverse to their reciprocals, which have smaller denominators.
  const int64_t rest_a = a.numerator_ - whole_a * a.denominator_, rest_b = b.numerator_ - whole_b * b.denominator_;
  if (rest_a == 0 || rest_b == 0) return rest_a <=> rest_b;
  return Rational(b.denominator_, rest_b) <=> Rational(a.denominator_, rest_a);
}

std::string to_string(const Rational& number) {
  const std::string numerator = std::to_string(number.numerator());
  return number.is_whole() ? numerator : numerator + "/" + std::to_string(number.denominator());
}

}  // namespace tidepool::inline v0_1::analyze
