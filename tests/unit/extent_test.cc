// Sizes and padding keep what the user wrote; Geometry validates it.
#include "tidepool/extent.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "tidepool/ops/max_pool.h"

namespace tidepool {
namespace {

TEST(Extent, OneNumberServesAllAxes) {
  const Extent<3> e = 3;
  EXPECT_TRUE(e.is_set());
  EXPECT_EQ(e.count, 1);
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(e[axis], 3);
}

TEST(Extent, OneNumberPerAxis) {
  const Extent<2> e = {3, 2};
  EXPECT_EQ(e.count, 2);
  EXPECT_EQ(e[0], 3);
  EXPECT_EQ(e[1], 2);
}

TEST(Extent, NothingIsUnset) {
  EXPECT_FALSE(Extent<2>().is_set());
  const Extent<2> braces = {};
  EXPECT_FALSE(braces.is_set());
}

TEST(Extent, KeepsTheLengthOfListsThatAreTooLong) {
  const Extent<2> e = {1, 2, 3, 4, 5};
  EXPECT_EQ(e.count, 5);
  EXPECT_EQ(e.values, (std::array<int64_t, 3>{1, 2, 3}));
  const std::vector<int64_t> list(1000, 7);
  EXPECT_EQ(Extent<3>(std::span<const int64_t>(list)).count, 1000);
}

TEST(Extent, TakesAnyIntegerTypeAndIsConstexpr) {
  static_assert(Extent<1>(uint8_t{200})[0] == 200);
  static_assert(Extent<2>(3u)[1] == 3);
  static_assert(Extent<2>{4, 5}[1] == 5);
  static_assert(!std::is_constructible_v<Extent<2>, bool>);
  static_assert(!std::is_constructible_v<Extent<2>, double>);
}

TEST(Padding, OneNumberServesAllSides) {
  const Padding<3> p = 2;
  EXPECT_EQ(p.mode, PaddingMode::explicit_sides);
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(p[axis], Sides(2, 2));
}

TEST(Padding, OneNumberPerAxis) {
  const Padding<2> p = {1, 2};
  EXPECT_EQ(p[0], Sides(1, 1));
  EXPECT_EQ(p[1], Sides(2, 2));
}

TEST(Padding, BeforeAndAfterPerAxis) {
  const Padding<2> p = {{0, 1}, {2, 3}};
  EXPECT_EQ(p[0], Sides(0, 1));
  EXPECT_EQ(p[1], Sides(2, 3));
}

TEST(Padding, Modes) {
  EXPECT_EQ(Padding<2>(same).mode, PaddingMode::same_upper);
  EXPECT_EQ(Padding<2>(same_lower).mode, PaddingMode::same_lower);
  EXPECT_EQ(Padding<2>(valid).mode, PaddingMode::valid);
  EXPECT_EQ(Padding<2>().mode, PaddingMode::explicit_sides);
  EXPECT_EQ(Padding<2>()[1], Sides(0, 0));
}

TEST(Extent, TakesEveryRangeOfIntegers) {
  EXPECT_EQ(Extent<2>(std::vector<int>{3, 2})[1], 2);
  EXPECT_EQ(Extent<2>(std::array<uint8_t, 2>{3, 2})[0], 3);
  EXPECT_EQ(Extent<3>(std::vector<uint64_t>{3, 2, 1}).count, 3);
  const short plain[] = {3, 2};
  EXPECT_EQ(Extent<2>(plain)[1], 2);
  EXPECT_FALSE(Extent<2>(std::vector<int>{}).is_set());
  static_assert(!std::is_constructible_v<Extent<2>, std::vector<double>>);
  static_assert(!std::is_constructible_v<Extent<2>, char>);
  static_assert(!std::is_constructible_v<Extent<2>, int, bool>);
}

TEST(Extent, SaturatesBeyondInt64) {
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  constexpr uint64_t huge = std::numeric_limits<uint64_t>::max();
  static_assert(Extent<2>(huge)[0] == largest);
  static_assert(Extent<2>(1, huge)[1] == largest);
  EXPECT_EQ(Extent<2>(std::vector<uint64_t>{huge, 5})[0], largest);
  EXPECT_EQ(Padding<2>(huge)[0], Sides(largest, largest));
  EXPECT_EQ(Sides(huge, 1), Sides(largest, 1));
  EXPECT_EQ(Extent<1>(std::numeric_limits<int64_t>::min())[0], std::numeric_limits<int64_t>::min());
}

TEST(Padding, TakesRangesAndKeepsTheirLength) {
  const Padding<2> p = std::vector<int>{1, 2};
  EXPECT_EQ(p.count, 2);
  EXPECT_EQ(p[0], Sides(1, 1));
  EXPECT_EQ(p[1], Sides(2, 2));
  EXPECT_EQ(Padding<2>(std::array<uint8_t, 1>{3})[1], Sides(3, 3));
  EXPECT_EQ(Padding<2>(std::vector<int>(5, 1)).count, 5);
  EXPECT_EQ(Padding<3>({1, 2}, {3, 4}, {5, 6}, {7, 8}).count, 4);
  const std::vector<Sides> sides{{1, 2}, {3, 4}};
  EXPECT_EQ(Padding<2>(std::span<const Sides>(sides))[1], Sides(3, 4));
  static_assert(!std::is_constructible_v<Padding<2>, bool>);
  static_assert(!std::is_constructible_v<Padding<2>, double>);
}

TEST(Ratio, TakesNumbersAndLists) {
  EXPECT_FALSE(Ratio<2>().is_set());
  EXPECT_EQ(Ratio<2>(0.5)[1], 0.5);
  EXPECT_EQ(Ratio<2>(0.5, 0.25F)[1], 0.25);
  EXPECT_EQ(Ratio<3>(std::vector<double>(7, 0.5)).count, 7);
  static_assert(!std::is_constructible_v<Ratio<2>, bool>);
}

TEST(Size, TakesIntegersOnly) {
  static_assert(Size(int8_t{-3}) == -3);
  static_assert(Size(7U).value == 7);
  static_assert(!std::is_constructible_v<Size, bool> && !std::is_constructible_v<Size, double> && !std::is_constructible_v<Size, char>);
  static_assert(!std::is_constructible_v<Size, wchar_t> && !std::is_constructible_v<Size, char32_t>);
}

TEST(Flag, TakesABoolOnly) {
  static_assert(Flag(true) && !Flag(false));
  static_assert(!std::is_constructible_v<Flag, int> && !std::is_constructible_v<Flag, double>);
  static_assert(!std::is_constructible_v<Flag, const char*> && !std::is_constructible_v<Flag, std::nullptr_t>);
}

TEST(MaxPoolOptions, HavePyTorchsDefaultsAndNames) {
  MaxPoolOptions<2> o{.kernel_size = 2};
  EXPECT_FALSE(o.stride.is_set());
  EXPECT_EQ(o.padding[0], Sides(0, 0));
  EXPECT_EQ(o.dilation[1], 1);
  EXPECT_FALSE(o.ceil_mode.rounding.has_value());
  EXPECT_EQ(o.nan, NanPolicy::propagate);
  EXPECT_FALSE(o.index_base.has_value());
  EXPECT_EQ(o.preset, Preset::torch);
  std::vector<std::string> names;
  MaxPoolOptions<2>::visit(o, [&](const char* name, auto&, const char* help) {
    names.push_back(name);
    EXPECT_NE(std::string(help), "") << name;
  });
  EXPECT_EQ(names, (std::vector<std::string>{"kernel_size", "stride", "padding", "dilation", "ceil_mode", "nan", "index_base", "preset"}));
}

TEST(CeilMode, TakesABoolOrARounding) {
  EXPECT_EQ(CeilMode(false).rounding, Rounding::floor);
  EXPECT_EQ(CeilMode(true).rounding, Rounding::ceil);
  EXPECT_EQ(CeilMode(Rounding::ceil_full).rounding, Rounding::ceil_full);
}

}  // namespace
}  // namespace tidepool
