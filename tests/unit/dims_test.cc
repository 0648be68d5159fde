// Shapes from every kind of list of integers.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <span>
#include <sstream>
#include <vector>

#include "tidepool/creation.h"
#include "tidepool/ops/max_pool.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

template <class I>
void expect_two_by_three() {
  const std::vector<I> vector{I{2}, I{3}};
  const std::array<I, 2> array{I{2}, I{3}};
  const I plain[] = {I{2}, I{3}};
  EXPECT_EQ(Dims(vector), (Dims{2, 3}));
  EXPECT_EQ(Dims(array), (Dims{2, 3}));
  EXPECT_EQ(Dims(plain), (Dims{2, 3}));
  EXPECT_EQ(Dims(std::span<const I>(vector)), (Dims{2, 3}));
  EXPECT_EQ(Dims({I{2}, I{3}}), (Dims{2, 3}));
  EXPECT_EQ(zeros(vector).shape(), (Dims{2, 3}));
}

TEST(DimsFrom, EveryIntegerType) {
  expect_two_by_three<int8_t>();
  expect_two_by_three<uint8_t>();
  expect_two_by_three<short>();
  expect_two_by_three<unsigned short>();
  expect_two_by_three<int>();
  expect_two_by_three<unsigned>();
  expect_two_by_three<long>();
  expect_two_by_three<unsigned long>();
  expect_two_by_three<long long>();
  expect_two_by_three<unsigned long long>();
}

TEST(DimsFrom, OtherTypesDoNotCompile) {
  static_assert(!std::is_constructible_v<Dims, std::vector<double>>);
  static_assert(!std::is_constructible_v<Dims, std::array<bool, 2>>);
  static_assert(!std::is_constructible_v<Dims, std::array<char, 2>>);
  static_assert(!std::is_convertible_v<bool, Size>);
  static_assert(!std::is_convertible_v<double, Size>);
  static_assert(!std::is_convertible_v<char, Size>);
  static_assert(std::is_convertible_v<uint8_t, Size>);
}

TEST(DimsFrom, AtMostEight) {
  EXPECT_EQ(Dims(std::vector<int>(8, 1)).rank, 8);
  EXPECT_EQ(Dims(std::vector<int>{}), Dims{});
  const std::string text = "tensor: rank must be at most 8, got ";
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, text + "9", [] { Dims(std::vector<int>(9, 1)); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, text + "10", [] { Dims(std::array<int64_t, 10>{}); }));
  const std::vector<unsigned> list(1000, 1);
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, text + "1000", [&] { Dims{std::span(list)}; }));
}

TEST(DimsTest, PushBackStopsAtEight) {
  Dims dims;
  for (int64_t i = 0; i < 8; ++i) dims.push_back(i);
  EXPECT_EQ(to_string(dims), "0x1x2x3x4x5x6x7");
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "tensor: rank must be at most 8, got 9", [&] { dims.push_back(8); }));
  EXPECT_EQ(to_string(dims), "0x1x2x3x4x5x6x7");
}

TEST(DimsTest, IndicesCountFromEitherEnd) {
  Dims dims{4, 5, 6};
  EXPECT_EQ(dims[0], 4);
  EXPECT_EQ(dims[2], 6);
  EXPECT_EQ(dims[-1], 6);
  EXPECT_EQ(dims[-3], 4);
  dims[-2] = 9;
  EXPECT_EQ(dims, (Dims{4, 9, 6}));
  const Dims fixed{4, 5, 6};
  for (int dim : {3, 9, -4, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    const std::string text = "tensor: dim must be in [-3, 3), got " + std::to_string(dim);
    EXPECT_TRUE(refuses(ErrorCode::out_of_range, text, [&] { static_cast<void>(fixed[dim]); }));
    EXPECT_TRUE(refuses(ErrorCode::out_of_range, text, [&] { dims[dim] = 0; }));
  }
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "tensor: dim must be in [0, 0), got 0", [] { static_cast<void>(Dims{}[0]); }));
}

TEST(DimsTest, Prints) {
  std::ostringstream out;
  out << Dims{1, 3, 224, 224} << ' ' << Dims{};
  EXPECT_EQ(out.str(), "1x3x224x224 scalar");
}

// Beyond int64_t a size becomes the largest one, which every function refuses; it never wraps to a small or negative one.
TEST(DimsTest, SizesBeyondInt64AreRefusedAsTooLarge) {
  constexpr uint64_t huge = std::numeric_limits<uint64_t>::max();
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(Size(huge).value, largest);
  EXPECT_EQ(Size(uint64_t{largest}).value, largest);
  EXPECT_EQ(Size(uint64_t{largest} + 1).value, largest);
  EXPECT_EQ(Size(uint32_t{4294967295U}).value, 4294967295);
  EXPECT_EQ(Dims{huge}[0], largest);
  EXPECT_EQ(Dims(std::vector<uint64_t>{huge, 2}), (Dims{largest, 2}));
  EXPECT_TRUE(refuses(ErrorCode::overflow, "tensor: number of bytes must be below 2^63, got shape 9223372036854775807 of f32",
                      [] { zeros(Dims{huge}); }));
  const Tensor x = zeros({1, 1, 4, 4});
  EXPECT_THROW(max_pool2d(x, huge), Error);
  EXPECT_THROW(max_pool2d(x, 2, huge, huge), Error);
  EXPECT_THROW(max_pool2d(x, {.kernel_size = 2, .dilation = huge}), Error);
  EXPECT_THROW(x.index({huge}), Error);
  EXPECT_THROW(x.item({0, 0, 0, huge}), Error);
}

}  // namespace
}  // namespace tidepool
