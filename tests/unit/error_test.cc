#include "tidepool/error.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <set>
#include <string>

#include "core/checked.h"

namespace tidepool {
namespace {

constexpr int64_t smallest = std::numeric_limits<int64_t>::min();
constexpr int64_t largest = std::numeric_limits<int64_t>::max();

TEST(ErrorTest, CarriesCodeAndMessage) {
  const Error error(ErrorCode::out_of_range, "op: rule, got 3 (axis h)");
  EXPECT_EQ(error.code(), ErrorCode::out_of_range);
  EXPECT_STREQ(error.what(), "op: rule, got 3 (axis h)");
  EXPECT_EQ(error.message(), error.what());
}

TEST(ErrorTest, EveryCodeHasItsOwnName) {
  std::set<std::string> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::io); ++code) names.insert(error_code_name(static_cast<ErrorCode>(code)));
  EXPECT_EQ(names.size(), 10u);
  EXPECT_EQ(names.count("unknown"), 0u);
  EXPECT_STREQ(error_code_name(ErrorCode::out_of_memory), "out_of_memory");
  EXPECT_STREQ(error_code_name(static_cast<ErrorCode>(99)), "unknown");
}

TEST(ResultTest, HoldsAValueThatCanMoveOut) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(**result, 7);
  const std::unique_ptr<int> moved = std::move(result).value();
  EXPECT_EQ(*moved, 7);
}

TEST(ResultTest, ThrowsItsErrorWhenAskedForAValue) {
  const Result<int> result = Error(ErrorCode::parse, "text: must be a number, got x");
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error().code(), ErrorCode::parse);
  try {
    static_cast<void>(result.value());
    FAIL() << "value() of an error returned";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "text: must be a number, got x");
  }
}

TEST(CheckedTest, ReportsOverflowAndOnlyThat) {
  int64_t out = 0;
  EXPECT_TRUE(detail::checked_add(largest, -1, &out));
  EXPECT_EQ(out, largest - 1);
  EXPECT_FALSE(detail::checked_add(largest, 1, &out));
  EXPECT_FALSE(detail::checked_add(smallest, -1, &out));
  EXPECT_TRUE(detail::checked_sub(-1, smallest, &out));
  EXPECT_EQ(out, largest);
  EXPECT_FALSE(detail::checked_sub(0, smallest, &out));
  EXPECT_TRUE(detail::checked_mul(int64_t{1} << 31, int64_t{1} << 31, &out));
  EXPECT_EQ(out, int64_t{1} << 62);
  EXPECT_FALSE(detail::checked_mul(int64_t{1} << 32, int64_t{1} << 31, &out));
  EXPECT_TRUE(detail::checked_mul(-(int64_t{1} << 32), int64_t{1} << 31, &out));
  EXPECT_EQ(out, smallest);
  EXPECT_FALSE(detail::checked_mul(smallest, -1, &out));
}

TEST(CheckedTest, DivisionsRoundToTheirSide) {
  for (int64_t b = 1; b <= 7; ++b) {
    for (int64_t a = -30; a <= 30; ++a) {
      const int64_t floor = detail::floor_div(a, b);
      const int64_t ceil = detail::ceil_div(a, b);
      EXPECT_TRUE(floor * b <= a && a < (floor + 1) * b) << a << " / " << b;
      EXPECT_TRUE((ceil - 1) * b < a && a <= ceil * b) << a << " / " << b;
    }
  }
  EXPECT_EQ(detail::ceil_div(largest, 2), int64_t{1} << 62);
  EXPECT_EQ(detail::floor_div(smallest, 3), -3074457345618258603);
  EXPECT_EQ(detail::ceil_div(largest, largest), 1);
}

}  // namespace
}  // namespace tidepool
