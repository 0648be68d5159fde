// Numbers that an axis must refuse, with the exact message, and large ones that it must accept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tidepool/axis.h"

namespace tidepool {
namespace {

constexpr int64_t huge = std::numeric_limits<int64_t>::max();

TEST(AxisRefusals, AdaptiveRefusesEmptyInputNegativeOutputAndOverflow) {
  EXPECT_EQ(Axis::adaptive(0, 1).error().message(), "input size must be at least 1, got 0");
  EXPECT_THAT(Axis::adaptive(4, -1).error().message(), ::testing::HasSubstr("-1"));
  const Result<Axis> wide = Axis::adaptive(huge, huge);
  ASSERT_FALSE(wide.ok());
  EXPECT_EQ(wide.error().code(), ErrorCode::overflow);
}

struct Refused {
  AxisSpec spec;
  ErrorCode code;
  std::string message;
};

TEST(AxisRefusals, ErrorsNameTheRuleAndTheValue) {
  const auto bad = ErrorCode::invalid_argument;
  const std::vector<Refused> cases = {
      {{.length = 4, .kernel = 0}, bad, "kernel_size must be at least 1, got 0"},
      {{.length = 4, .kernel = -3}, bad, "kernel_size must be at least 1, got -3"},
      {{.length = 4, .kernel = 0, .stride = 0}, bad, "kernel_size must be at least 1, got 0"},
      {{.length = 4, .kernel = 2, .stride = 0}, bad, "stride must be at least 1, got 0"},
      {{.length = 4, .kernel = 2, .stride = std::numeric_limits<int64_t>::min()},
       bad,
       "stride must be at least 1, got -9223372036854775808"},
      {{.length = 4, .kernel = 2, .dilation = 0}, bad, "dilation must be at least 1, got 0"},
      {{.length = 4, .kernel = 2, .dilation = -1}, bad, "dilation must be at least 1, got -1"},
      {{.length = 4, .kernel = 2, .padding = -1}, bad, "padding must not be negative, got -1"},
      {{.length = 4, .kernel = 2, .padding = {0, -7}}, bad, "padding must not be negative, got -7"},
      {{.length = 4, .kernel = 2, .padding = 2}, bad, "padding must be at most half of the dilated kernel (2 / 2 = 1), got 2"},
      {{.length = 9, .kernel = 3, .dilation = 2, .padding = {2, 3}},
       bad,
       "padding must be at most half of the dilated kernel (5 / 2 = 2), got 3"},
      {{.length = 0, .kernel = 1}, bad, "input size must be at least 1, got 0"},
      {{.length = 2, .kernel = 3}, bad, "output size must be at least 1, got 0 from input 2, kernel 3, stride 1, padding 0, dilation 1"},
      {{.length = 2, .kernel = 5, .stride = 2, .padding = {0, 1}},
       bad,
       "output size must be at least 1, got 0 from input 2, kernel 5, stride 2, padding 0:1, dilation 1"},
      {{.length = 2, .kernel = 9, .stride = 2, .dilation = 2, .padding = 1},
       bad,
       "output size must be at least 1, got -6 from input 2, kernel 9, stride 2, padding 1, dilation 2"},
      {{.length = 4, .kernel = 4, .dilation = huge / 2},
       ErrorCode::overflow,
       "sizes overflow 64 bits (input 4, kernel 4, stride 1, padding 0, dilation 4611686018427387903)"},
      {{.length = huge, .kernel = 3, .padding = {1, 0}},
       ErrorCode::overflow,
       "sizes overflow 64 bits (input 9223372036854775807, kernel 3, stride 1, padding 1:0, dilation 1)"},
      {{.length = 4, .kernel = 1, .padding = huge, .limit_padding = false},
       ErrorCode::overflow,
       "sizes overflow 64 bits (input 4, kernel 1, stride 1, padding 9223372036854775807, dilation 1)"},
  };
  for (const Refused& c : cases) {
    const Result<Axis> axis = Axis::regular(c.spec);
    ASSERT_FALSE(axis.ok()) << c.message;
    EXPECT_EQ(axis.error().message(), c.message);
    EXPECT_EQ(axis.error().code(), c.code) << c.message;
  }
}

// The time of a query must not grow with the length of the axis.
TEST(AxisRefusals, QueriesOnHugeAxesTakeNoTime) {
  const int64_t big = int64_t{1} << 45;
  const auto regular = [](AxisSpec s) {
    s.limit_padding = false;
    return Axis::regular(s).value();
  };
  EXPECT_EQ(regular({.length = big, .kernel = 1}).dropped(), 0);
  EXPECT_FALSE(regular({.length = big, .kernel = 3, .padding = 1}).has_empty_window());
  const Axis padded = regular({.length = 4, .kernel = 3, .padding = {0, big}});
  EXPECT_EQ(padded.dropped(), 0);
  EXPECT_TRUE(padded.has_empty_window());
  const Axis covered = regular({.length = 4, .kernel = big, .padding = big - 1});
  EXPECT_EQ(covered.output(), big + 3);
  EXPECT_EQ(covered.dropped(), 0);
  EXPECT_FALSE(covered.has_empty_window());
  const Axis gapped = regular({.length = big, .kernel = 2, .dilation = big - 1, .padding = {big / 2, big / 2}});
  EXPECT_EQ(gapped.has_empty_window(), false);
  const Axis sparse = regular({.length = 2, .kernel = 2, .dilation = big, .padding = big / 2});
  EXPECT_TRUE(sparse.has_empty_window());
}

TEST(AxisRefusals, SixteenBitTruncationDoesNotHappen) {
  const Result<Axis> axis = Axis::regular({.length = 10, .kernel = 2, .stride = 65536});
  ASSERT_TRUE(axis.ok());
  EXPECT_EQ(axis->output(), 1);
  EXPECT_EQ(Axis::regular({.length = 200'000, .kernel = 1, .stride = 65536})->output(), 4);
}

TEST(AxisRefusals, DilationOfIntMaxWithOneTapIsHarmless) {
  const Result<Axis> one = Axis::regular({.length = 10, .kernel = 1, .dilation = 2147483647});
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->output(), 10);
  EXPECT_FALSE(Axis::regular({.length = 10, .kernel = 2, .dilation = 2147483647}).ok());
}

}  // namespace
}  // namespace tidepool
