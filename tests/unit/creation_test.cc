#include "tidepool/creation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && a.dtype() == b.dtype() &&
         std::memcmp(a.data<std::byte>(), b.data<std::byte>(), static_cast<size_t>(a.numel() * dtype_size(a.dtype()))) == 0;
}

TEST(CreationTest, ZerosAndFull) {
  for (DType dtype : all_dtypes) {
    const Tensor zero = zeros({2, 3}, dtype);
    const Tensor one = full({2, 3}, 1, dtype);
    EXPECT_EQ(zero.dtype(), dtype);
    for (int64_t i = 0; i < 6; ++i) {
      EXPECT_EQ(zero.item({i / 3, i % 3}), 0);
      EXPECT_EQ(one.item({i / 3, i % 3}), 1);
    }
  }
  EXPECT_EQ(zeros({3, 0}).numel(), 0);
  EXPECT_EQ(full({1}, -2.9, DType::i8).item({0}), -2);
  EXPECT_EQ(full({1}, 255.9, DType::u8).item({0}), 255);
  EXPECT_EQ(full({1}, -0.9, DType::u8).item({0}), 0);
  EXPECT_EQ(full({1}, 7, DType::boolean).item({0}), 1);
  EXPECT_EQ(full({1}, 1e30, DType::f16).item({0}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(full({1}, -0x1p63, DType::i64).item({0}), -0x1p63);
}

TEST(CreationTest, FullRefusesWhatTheTypeCannotHold) {
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "full: value must fit i8, got 128.000000", [] { full({1}, 128, DType::i8); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "full: value must fit u8, got -1.000000", [] { full({1}, -1, DType::u8); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "full: value must fit i64, got 9223372036854775808.000000",
                      [] { full({1}, 0x1p63, DType::i64); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "full: value must fit i32, got nan",
                      [] { full({1}, std::numeric_limits<double>::quiet_NaN(), DType::i32); }));
}

TEST(CreationTest, ArangeCountsAndWraps) {
  EXPECT_EQ(arange({2, 3}).item({1, 2}), 5);
  EXPECT_EQ(arange({300}, DType::u8).item({299}), 43);
  EXPECT_EQ(arange({300}, DType::i8).item({200}), -56);
  EXPECT_EQ(arange({2051}, DType::f16).item({2049}), 2048);
  EXPECT_EQ(arange({300}, DType::bf16).item({257}), 256);
}

TEST(RandTest, NumbersAreTheDocumentedOnes) {
  // The first outputs of the generator, computed by another program with arbitrary-precision integers.
  const uint64_t expected[] = {0x57E1FABA65107204u, 0xF4ABD143FEB24055u, 0x7C816738C12903B2u, 0x113E5DEC6F8FD8A8u};
  const Tensor i64 = rand({4}, 42, DType::i64);
  const Tensor u8 = rand({4}, 42, DType::u8);
  const Tensor i16 = rand({4}, 42, DType::i16);
  const Tensor f64 = rand({4}, 42, DType::f64);
  const Tensor f32 = rand({4}, 42);
  const Tensor f16 = rand({4}, 42, DType::f16);
  const Tensor bf16 = rand({4}, 42, DType::bf16);
  const Tensor coin = rand({4}, 42, DType::boolean);
  for (int64_t i = 0; i < 4; ++i) {
    const uint64_t bits = expected[i];
    EXPECT_EQ(i64.data<int64_t>()[i], static_cast<int64_t>(bits));
    EXPECT_EQ(u8.data<uint8_t>()[i], bits >> 56);
    EXPECT_EQ(i16.data<int16_t>()[i], static_cast<int16_t>(bits >> 48));
    EXPECT_EQ(f64.item({i}), std::ldexp(static_cast<double>(bits >> 11), -53));
    EXPECT_EQ(f32.item({i}), std::ldexp(static_cast<double>(bits >> 40), -24));
    EXPECT_EQ(f16.item({i}), std::ldexp(static_cast<double>(bits >> 53), -11));
    EXPECT_EQ(bf16.item({i}), std::ldexp(static_cast<double>(bits >> 56), -8));
    EXPECT_EQ(coin.item({i}), static_cast<double>(bits >> 63));
  }
  EXPECT_EQ(rand({1}, 0, DType::i64).data<int64_t>()[0], static_cast<int64_t>(0xA706DD2F4D197E6Fu));
}

TEST(RandTest, UniformStaysBelowOneAndSpreads) {
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
    const Tensor tensor = rand({100000}, 3, dtype);
    std::vector<int> buckets(16);
    for (int64_t i = 0; i < tensor.numel(); ++i) {
      const double value = tensor.item({i});
      ASSERT_GE(value, 0);
      ASSERT_LT(value, 1);
      ++buckets[static_cast<size_t>(value * 16)];
    }
    // 6250 are expected in each, with a standard deviation of 77.
    for (int count : buckets) EXPECT_NEAR(count, 6250, 400) << dtype_name(dtype);
  }
}

TEST(RandTest, IntegersReachTheirWholeRange) {
  const Tensor tensor = rand({20000}, 5, DType::i8);
  std::set<double> seen;
  for (int64_t i = 0; i < tensor.numel(); ++i) seen.insert(tensor.item({i}));
  EXPECT_EQ(seen.size(), 256u);
  EXPECT_EQ(*seen.begin(), -128);
}

TEST(RandTest, SeedsDifferAndRepeat) {
  EXPECT_TRUE(same_bytes(rand({1000}, 1), rand({1000}, 1)));
  const Tensor a = rand({1000}, 1, DType::i64);
  const Tensor b = rand({1000}, 2, DType::i64);
  std::set<int64_t> seen(a.data<int64_t>(), a.data<int64_t>() + 1000);
  for (int64_t i = 0; i < 1000; ++i) EXPECT_EQ(seen.count(b.data<int64_t>()[i]), 0u) << "seeds share a number";
}

TEST(RandTest, FillsFollowTheShapeNotTheStrides) {
  for (DType dtype : all_dtypes) {
    const Tensor plain = rand({2, 3, 4, 5}, 9, dtype);
    Tensor moved({2, 3, 4, 5}, dtype, MemoryFormat::channels_last);
    fill_rand(moved.span(), 9);
    EXPECT_TRUE(same_bytes(moved.clone(), plain)) << dtype_name(dtype);
    // A longer run starts with the shorter one.
    EXPECT_TRUE(same_bytes(rand({200}, 9, dtype).slice(0, 0, 120), plain.reshape({120})));
  }
  Tensor backwards = zeros({6});
  Tensor reversed = backwards.slice(0, 5, -1, -1);
  fill_randn(reversed.span(), 4);
  const Tensor forwards = randn({6}, 4);
  for (int64_t i = 0; i < 6; ++i) EXPECT_EQ(backwards.item({i}), forwards.item({5 - i}));
}

TEST(RandTest, FillLeavesTheGapsAlone) {
  Tensor tensor = full({4, 4}, -1);
  Tensor inner = tensor.slice(0, 1, 3).slice(1, 1, 3);
  fill_rand(inner.span(), 0);
  int untouched = 0;
  for (int64_t i = 0; i < 16; ++i) untouched += tensor.item({i / 4, i % 4}) == -1;
  EXPECT_EQ(untouched, 12);
}

TEST(RandnTest, BitsAreTheSameEverywhere) {
  const double expected[] = {0x1.93f66314a8e65p+0, -0x1.50186051f457cp-1, 0x1.562b58655bed4p+0, -0x1.e3d4f4da72c0ep-5};
  const Tensor tensor = randn({4}, 42, DType::f64);
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(tensor.item({i}), expected[i]) << std::hexfloat << tensor.item({i});
  EXPECT_TRUE(same_bytes(randn({1000}, 42), randn({1000}, 42, DType::f64).to(DType::f32)));
  EXPECT_TRUE(same_bytes(randn({1000}, 42, DType::f16), randn({1000}, 42, DType::f64).to(DType::f16)));
}

TEST(RandnTest, NumbersAreNormal) {
  constexpr int64_t n = 200000;
  const Tensor tensor = randn({n}, 11, DType::f64);
  std::vector<double> values(tensor.data<double>(), tensor.data<double>() + n);
  double sum = 0, squares = 0, cubes = 0, fourths = 0;
  for (double v : values) {
    ASSERT_TRUE(std::isfinite(v));
    sum += v;
    squares += v * v;
    cubes += v * v * v;
    fourths += v * v * v * v;
  }
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(squares / n, 1, 0.015);
  EXPECT_NEAR(cubes / n, 0, 0.04);
  EXPECT_NEAR(fourths / n, 3, 0.1);
  // The Kolmogorov-Smirnov test: random numbers exceed 1.95/√n once in a thousand samples.
  std::sort(values.begin(), values.end());
  double distance = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double expected = 0.5 * std::erfc(-values[i] / std::sqrt(2.0));
    distance = std::max({distance, std::fabs(expected - static_cast<double>(i) / n), std::fabs(expected - static_cast<double>(i + 1) / n)});
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(static_cast<double>(n)));
}

TEST(RandnTest, RefusesOtherDTypesAndBadSpans) {
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "randn: dtype must be floating, got i32", [] { randn({2}, 0, DType::i32); }));
  Tensor flags = zeros({2}, DType::boolean);
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "fill_randn: dtype must be floating, got bool", [&] { fill_randn(flags.span(), 0); }));
  float* nothing = nullptr;
  EXPECT_TRUE(
      refuses(ErrorCode::invalid_argument, "fill_rand: data must not be null, got shape 3", [&] { fill_rand(span(nothing, {3}), 0); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "fill_rand: size must be at least 0, got -3 (dim 0)",
                      [&] { fill_rand(span(nothing, {-3}), 0); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "tensor: size must be at least 0, got -3 (dim 0)", [] { rand({-3}); }));
}

}  // namespace
}  // namespace tidepool
