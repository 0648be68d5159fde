// core/portable.h: the same results from the branches for GCC and Clang and from the portable ones.
#include "core/portable.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace tidepool::detail {
namespace {

constexpr int64_t most = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();

TEST(Portable, SumsAndDifferencesReportOverflow) {
  struct Case {
    int64_t a, b;
    bool sum_fits, difference_fits;
  };
  for (const Case& c :
       {Case{1, 2, true, true}, Case{most, 0, true, true}, Case{most, 1, false, true}, Case{most, -1, true, false},
        Case{least, 1, true, false}, Case{least, -1, false, true}, Case{0, least, true, false}, Case{-1, least, false, true},
        Case{least, least, false, true}, Case{most, least, true, false}, Case{most, most, false, true}}) {
    int64_t result = 0;
    EXPECT_EQ(checked_add(c.a, c.b, &result), c.sum_fits) << c.a << " + " << c.b;
    if (c.sum_fits) EXPECT_EQ(result, c.a + c.b);
    EXPECT_EQ(checked_sub(c.a, c.b, &result), c.difference_fits) << c.a << " - " << c.b;
    if (c.difference_fits) EXPECT_EQ(result, c.a - c.b);
  }
}

TEST(Portable, ProductsReportOverflow) {
  constexpr int64_t root = int64_t{1} << 32;
  struct Case {
    int64_t a, b;
    bool fits;
  };
  for (const Case& c : {Case{3, -7, true}, Case{0, least, true}, Case{most, 1, true}, Case{most, -1, true}, Case{least, 1, true},
                        Case{least, -1, false}, Case{most, 2, false}, Case{most / 2, 2, true}, Case{most / 2 + 1, 2, false},
                        Case{least / 2, 2, true}, Case{least / 2 - 1, 2, false}, Case{least / 2, -2, false}, Case{least / 2 + 1, -2, true},
                        Case{root, root / 2, false}, Case{-root, root / 2, true}, Case{-root, -root / 2, false},
                        Case{root - 1, root / 2, true}, Case{least, least, false}, Case{-1, -1, true}}) {
    for (const auto& [a, b] : {std::array{c.a, c.b}, std::array{c.b, c.a}}) {
      int64_t result = 0;
      EXPECT_EQ(checked_mul(a, b, &result), c.fits) << a << " * " << b;
      if (c.fits) EXPECT_EQ(result, a * b);
    }
  }
}

TEST(Portable, NumbersAreReadLikeFromChars) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Case {
    const char* text;
    double value;
  };
  for (const Case& c :
       {Case{"1", 1}, Case{"-2.5", -2.5}, Case{"0.1", 0.1}, Case{".5", .5}, Case{"5.", 5}, Case{"1e3", 1000}, Case{"1E+3", 1000},
        Case{"25e-1", 2.5}, Case{"-0", -0.0}, Case{"inf", infinity}, Case{"-INF", -infinity}, Case{"Infinity", infinity},
        Case{"9007199254740993", 9007199254740992}, Case{"1.7976931348623157e308", std::numeric_limits<double>::max()}}) {
    double value = 42;
    EXPECT_EQ(parse_double(c.text, &value), std::errc()) << c.text;
    EXPECT_EQ(value, c.value) << c.text;
    EXPECT_EQ(std::signbit(value), std::signbit(c.value)) << c.text;
  }
  double value = 0;
  EXPECT_EQ(parse_double("nan", &value), std::errc());
  EXPECT_TRUE(std::isnan(value));
}

TEST(Portable, OtherTextsAreNoNumbers) {
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1,5", "0x10", "1e", "1e+", ".", "e5", "--1", "1.2.3", "infin", "nano", "1\t"}) {
    double value = 0;
    EXPECT_EQ(parse_double(text, &value), std::errc::invalid_argument) << '"' << text << '"';
  }
  double value = 0;
  EXPECT_EQ(parse_double("1e999", &value), std::errc::result_out_of_range);
  EXPECT_EQ(parse_double(std::string_view("125", 2), &value), std::errc());
  EXPECT_EQ(value, 12);
}

}  // namespace
}  // namespace tidepool::detail
