// Exact fractions.
#include "tidepool/analyze/rational.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "tidepool/error.h"

namespace tidepool::analyze {

TEST(Rational, IsReduced) {
  EXPECT_EQ(Rational(6, 4), Rational(3, 2));
  EXPECT_EQ(Rational(1, -2), Rational(-1, 2));
  EXPECT_EQ(Rational(0, 7), Rational(0));
  EXPECT_EQ(Rational(6, -4).numerator(), -3);
  EXPECT_EQ(Rational(6, -4).denominator(), 2);
  EXPECT_TRUE(Rational(4, 2).is_whole());
  EXPECT_FALSE(Rational(4, 3).is_whole());
}

TEST(Rational, CalculatesLikeFractions) {
  for (int64_t a = -6; a <= 6; ++a)
    for (int64_t b = 1; b <= 5; ++b)
      for (int64_t c = -6; c <= 6; ++c)
        for (int64_t d = 1; d <= 5; ++d) {
          EXPECT_EQ(Rational(a, b) + Rational(c, d), Rational(a * d + c * b, b * d));
          EXPECT_EQ(Rational(a, b) - Rational(c, d), Rational(a * d - c * b, b * d));
          EXPECT_EQ(Rational(a, b) * Rational(c, d), Rational(a * c, b * d));
          EXPECT_EQ(Rational(a, b) < Rational(c, d), a * d < c * b);
          EXPECT_EQ(Rational(a, b) >= Rational(c, d), a * d >= c * b);
        }
}

TEST(Rational, ComparesLargeNumbersExactly) {
  constexpr int64_t large = std::numeric_limits<int64_t>::max();
  EXPECT_LT(Rational(large - 2, large - 1), Rational(large - 1, large));
  EXPECT_GT(Rational(-(large - 2), large - 1), Rational(-(large - 1), large));
  EXPECT_LT(Rational(large - 1, large), Rational(1));
  EXPECT_LT(Rational(large, 3), Rational(large));
  EXPECT_LT(Rational(-large), Rational(-large, 2));
}

TEST(Rational, OverflowIsAnError) {
  constexpr int64_t large = std::numeric_limits<int64_t>::max();
  EXPECT_THROW(Rational(large) + Rational(1), Error);
  EXPECT_THROW(Rational(large) * Rational(2), Error);
  EXPECT_THROW(Rational(1, large) + Rational(1, large - 1), Error);
  EXPECT_EQ(Rational(large) * Rational(1, large), Rational(1));
}

TEST(Rational, IsPrintedAsPeopleWriteIt) {
  EXPECT_EQ(to_string(Rational(3)), "3");
  EXPECT_EQ(to_string(Rational(-7, 2)), "-7/2");
}

}  // namespace tidepool::analyze
