#include "tidepool/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/convert.h"
#include "support/rng.h"

namespace tidepool {
namespace {

using detail::bits_of;
using detail::float_of;

// The value of a positive number with `mantissa_bits`, by definition. The code of infinity stands for the next power of two, with
// which rounding compares.
double value_of_code(int code, int mantissa_bits, int bias) {
  const int exponent = code >> mantissa_bits;
  const int mantissa = code & ((1 << mantissa_bits) - 1);
  if (exponent == 0) return std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
}

// Nearest code for any number, ties to the even code, by searching the list of all values.
uint16_t nearest_code(double value, int mantissa_bits, int bias, int infinity) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude >= value_of_code(infinity, mantissa_bits, bias)) return static_cast<uint16_t>(sign | infinity);
  int low = 0;
  int high = infinity;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (value_of_code(middle, mantissa_bits, bias) <= magnitude ? low : high) = middle;
  }
  const double halfway = (value_of_code(low, mantissa_bits, bias) + value_of_code(high, mantissa_bits, bias)) / 2;
  if (magnitude < halfway) return static_cast<uint16_t>(sign | low);
  if (magnitude > halfway) return static_cast<uint16_t>(sign | high);
  return static_cast<uint16_t>(sign | (low % 2 == 0 ? low : high));
}

uint16_t nearest_half(double value) { return nearest_code(value, 10, 15, 0x7C00); }
uint16_t nearest_bfloat16(double value) { return nearest_code(value, 7, 127, 0x7F80); }

// Random bits, and the neighbours of every number where the rounded result changes.
std::vector<float> interesting_floats() {
  std::vector<float> floats;
  test::Rng rng(20);
  for (int i = 0; i < 200000; ++i) floats.push_back(float_of(static_cast<uint32_t>(rng.bits())));
  // Few floats with random exponents are in the range of f16.
  for (int i = 0; i < 200000; ++i)
    floats.push_back(float_of(static_cast<uint32_t>((rng.bits() & 0x807FFFFFu) | (rng.bits() % 50 + 95) << 23)));
  for (int code = 0; code < 0x7C00; ++code) {
    const double halfway = (value_of_code(code, 10, 15) + value_of_code(code + 1, 10, 15)) / 2;
    for (double centre : {value_of_code(code, 10, 15), halfway}) {
      const uint32_t bits = bits_of(static_cast<float>(centre));
      for (uint32_t b : {bits - 1, bits, bits + 1}) floats.push_back(float_of(b));
    }
  }
  for (uint32_t code = 0; code < 0x7F80; code += 37)
    for (uint32_t low : {0u, 1u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu}) floats.push_back(float_of((code << 16) + low));
  for (uint32_t bits : {0u, 1u, 0x80000000u, 0x80000001u, 0x7F7FFFFFu, 0x7F800000u, 0xFF800000u, 0x7F7F7FFFu, 0x7F7F8000u})
    floats.push_back(float_of(bits));
  return floats;
}

TEST(HalfTest, EveryHalfSurvivesFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = static_cast<float>(Half::from_bits(static_cast<uint16_t>(bits)));
    uint32_t expected = bits;
#if defined(__i386__)
    // Functions return floats in an x87 register there, which makes signalling NaN quiet.
    if ((bits & 0x7FFF) > 0x7C00) expected |= 0x0200;
#endif
    ASSERT_EQ(Half(value).bits, expected);
  }
}

TEST(HalfTest, EveryHalfHasItsValue) {
  for (int code = 0; code < 0x7C00; ++code) {
    ASSERT_EQ(static_cast<float>(Half::from_bits(static_cast<uint16_t>(code))), value_of_code(code, 10, 15));
    const float negative = static_cast<float>(Half::from_bits(static_cast<uint16_t>(code | 0x8000)));
    ASSERT_EQ(negative, -value_of_code(code, 10, 15));
    ASSERT_TRUE(std::signbit(negative));
  }
  EXPECT_EQ(static_cast<float>(Half::from_bits(0x7C00)), std::numeric_limits<float>::infinity());
  EXPECT_EQ(static_cast<float>(Half::from_bits(0xFC00)), -std::numeric_limits<float>::infinity());
  for (uint32_t bits = 0x7C01; bits < 0x8000; ++bits)
    ASSERT_TRUE(std::isnan(static_cast<float>(Half::from_bits(static_cast<uint16_t>(bits)))));
}

TEST(HalfTest, RoundsAsTheSearchDoes) {
  for (float value : interesting_floats()) {
    if (std::isnan(value)) continue;
    ASSERT_EQ(Half(value).bits, nearest_half(value)) << std::hexfloat << value;
  }
}

TEST(HalfTest, KnownEdges) {
  EXPECT_EQ(Half(1.0f).bits, 0x3C00);
  EXPECT_EQ(Half(-2.0f).bits, 0xC000);
  EXPECT_EQ(Half(65504.0f).bits, 0x7BFF);
  EXPECT_EQ(Half(65519.996f).bits, 0x7BFF);
  EXPECT_EQ(Half(65520.0f).bits, 0x7C00);
  EXPECT_EQ(Half(0x1p-24f).bits, 0x0001);
  EXPECT_EQ(Half(0x1p-25f).bits, 0x0000);
  EXPECT_EQ(Half(0x1.000002p-25f).bits, 0x0001);
  EXPECT_EQ(Half(0x1.8p-24f).bits, 0x0002);
  EXPECT_EQ(Half(-0.0f).bits, 0x8000);
}

TEST(HalfTest, NaNStaysNaNWithItsSignAndTopPayload) {
  EXPECT_EQ(Half(float_of(0x7FC00000)).bits, 0x7E00);
  EXPECT_EQ(Half(float_of(0xFFC02000)).bits, 0xFE01);
  EXPECT_EQ(Half(float_of(0x7F802000)).bits, 0x7C01);
  EXPECT_EQ(Half(float_of(0x7F800001)).bits, 0x7E00);
  EXPECT_EQ(Half(float_of(0xFF801FFF)).bits, 0xFE00);
}

TEST(BFloat16Test, EveryBFloat16SurvivesFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = static_cast<float>(BFloat16::from_bits(static_cast<uint16_t>(bits)));
    ASSERT_EQ(bits_of(value), bits << 16);
    ASSERT_EQ(BFloat16(value).bits, bits);
  }
}

TEST(BFloat16Test, RoundsAsTheSearchDoes) {
  for (float value : interesting_floats()) {
    if (std::isnan(value)) continue;
    ASSERT_EQ(BFloat16(value).bits, nearest_bfloat16(value)) << std::hexfloat << value;
  }
}

TEST(BFloat16Test, NaNStaysNaN) {
  EXPECT_EQ(BFloat16(float_of(0x7FC12345)).bits, 0x7FC1);
  EXPECT_EQ(BFloat16(float_of(0x7F800001)).bits, 0x7FC0);
  EXPECT_EQ(BFloat16(float_of(0xFFFFFFFF)).bits, 0xFFFF);
}

TEST(ConvertTest, DoublesReachSixteenBitsInOneRounding) {
  test::Rng rng(21);
  for (int i = 0; i < 300000; ++i) {
    // Closer to a tie than a float can represent: rounding to float first would make it a tie.
    const bool half = rng.one_in(2);
    const int code = static_cast<int>(rng.between(0, half ? 0x7BFF : 0x7F7F));
    const double below = half ? value_of_code(code, 10, 15) : value_of_code(code, 7, 127);
    const double above = half ? value_of_code(code + 1, 10, 15) : value_of_code(code + 1, 7, 127);
    const double tie = (below + above) / 2;
    for (double value :
         {std::nextafter(tie, 0.0), tie, std::nextafter(tie, 1e300), -std::nextafter(tie, 1e300), tie * (1 + rng.unit() * 0x1p-20)}) {
      if (half)
        ASSERT_EQ(detail::convert<Half>(value).bits, nearest_half(value)) << std::hexfloat << value;
      else
        ASSERT_EQ(detail::convert<BFloat16>(value).bits, nearest_bfloat16(value)) << std::hexfloat << value;
    }
  }
  EXPECT_EQ(detail::convert<Half>(1e300).bits, 0x7C00);
  EXPECT_EQ(detail::convert<BFloat16>(-1e300).bits, 0xFF80);
  EXPECT_EQ(detail::convert<Half>(-1e-300).bits, 0x8000);
  EXPECT_EQ(detail::convert<Half>(std::numeric_limits<double>::quiet_NaN()).bits & 0x7FFF, 0x7E00);
}

TEST(ConvertTest, LargeIntegersReachBFloat16InOneRounding) {
  // Between 2^62 and 2^63 neighbours are 2^55 apart, so 2^62 + 2^54 is a tie and one more is above it.
  const int64_t tie = (int64_t{1} << 62) + (int64_t{1} << 54);
  EXPECT_EQ(detail::convert<BFloat16>(tie).bits, 0x5E80);
  EXPECT_EQ(detail::convert<BFloat16>(tie + 1).bits, 0x5E81);
  EXPECT_EQ(detail::convert<BFloat16>(-tie - 1).bits, 0xDE81);
  EXPECT_EQ(detail::convert<BFloat16>(-tie).bits, 0xDE80);
  EXPECT_EQ(detail::convert<BFloat16>(tie - 1).bits, 0x5E80);
  EXPECT_EQ(detail::convert<BFloat16>(int32_t{0x01010001}).bits, 0x4B81);
  EXPECT_EQ(detail::convert<Half>(std::numeric_limits<int64_t>::min()).bits, 0xFC00);
}

TEST(ConvertTest, FloatsToIntegersTruncateAndSaturate) {
  EXPECT_EQ(detail::convert<int8_t>(-1.9f), -1);
  EXPECT_EQ(detail::convert<int8_t>(127.9f), 127);
  EXPECT_EQ(detail::convert<int8_t>(1e30f), 127);
  EXPECT_EQ(detail::convert<int8_t>(-1e30f), -128);
  EXPECT_EQ(detail::convert<uint8_t>(-0.5), 0);
  EXPECT_EQ(detail::convert<uint8_t>(-5.0), 0);
  EXPECT_EQ(detail::convert<int64_t>(0x1p63), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(detail::convert<int64_t>(-0x1p63), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(detail::convert<int64_t>(0x1.fffffep62f), int64_t{0x7FFFFF8000000000});
  EXPECT_EQ(detail::convert<int32_t>(std::numeric_limits<float>::quiet_NaN()), 0);
  EXPECT_EQ(detail::convert<int16_t>(-std::numeric_limits<double>::infinity()), -32768);
  EXPECT_EQ(detail::convert<uint8_t>(int64_t{-1}), 255);
  EXPECT_EQ(detail::convert<int8_t>(int32_t{200}), -56);
  EXPECT_TRUE(detail::convert<bool>(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_TRUE(detail::convert<bool>(Half::from_bits(0x0001)));
  EXPECT_FALSE(detail::convert<bool>(-0.0));
  EXPECT_EQ(detail::convert<Half>(true).bits, 0x3C00);
}

}  // namespace
}  // namespace tidepool
