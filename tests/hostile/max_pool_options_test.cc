// Invalid options of max pooling: every function must throw an Error that names the function, and write nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/max_pool_stage.h"

namespace tidepool {
namespace {

using test::Array;
using test::cube;
using test::huge;
using test::int_max;
using test::lowest;
using test::message_of;
using test::pool_by;
using test::Stage;

template <class F>
class MaxPoolHostileOptions : public ::testing::Test {};
TYPED_TEST_SUITE(MaxPoolHostileOptions, test::Families, test::FamilyName);

TYPED_TEST(MaxPoolHostileOptions, TheUnchangedCallsAreValid) { Stage<TypeParam>().expect_accepted(pool_by<TypeParam>(2)); }

TYPED_TEST(MaxPoolHostileOptions, Kernels) {
  const Stage<TypeParam> stage;
  for (int64_t k : {int64_t{0}, int64_t{-1}, -int_max, lowest})
    stage.expect_refused(pool_by<TypeParam>(k), "kernel_size must be at least 1, got " + std::to_string(k) + " (axis ");
  for (int64_t k : {int64_t{5}, int_max, huge / 4}) stage.expect_refused(pool_by<TypeParam>(k), std::to_string(k));
  for (int64_t k : {huge, huge - 1}) stage.expect_refused(pool_by<TypeParam>(k), std::to_string(k));
  stage.expect_refused({.kernel_size = int_max, .stride = 1, .ceil_mode = true}, "output size must be at least 1, got ");
  stage.expect_refused({.kernel_size = {}}, "kernel_size must have 1 ");
  stage.expect_refused({.kernel_size = {2, 2, 2, 2}}, "got 4");
  stage.expect_refused({.kernel_size = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}, "got 10");
}

TYPED_TEST(MaxPoolHostileOptions, Strides) {
  const Stage<TypeParam> stage;
  for (int64_t s : {int64_t{0}, int64_t{-2}, lowest})
    stage.expect_refused({.kernel_size = 2, .stride = s}, "stride must be at least 1, got " + std::to_string(s) + " (axis ");
  stage.expect_refused({.kernel_size = 2, .stride = {1, 1, 1, 1}}, "stride must have 1 ");
  // A large stride is valid and leaves one window. It must not be truncated to fewer bits.
  for (int64_t s : {int64_t{65536}, int64_t{65537}, int_max, int_max + 1, int64_t{1} << 32}) {
    const typename TypeParam::Options o{.kernel_size = 2, .stride = s};
    EXPECT_EQ(TypeParam::shape(stage.x.shape, o), cube(1, 2, 1, TypeParam::rank)) << s;
    EXPECT_EQ(TypeParam::pool(stage.x, o).shape(), cube(1, 2, 1, TypeParam::rank)) << s;
  }
}

TYPED_TEST(MaxPoolHostileOptions, Dilations) {
  const Stage<TypeParam> stage;
  for (int64_t d : {int64_t{0}, int64_t{-1}, lowest})
    stage.expect_refused({.kernel_size = 2, .dilation = d}, "dilation must be at least 1, got " + std::to_string(d) + " (axis ");
  for (int64_t d : {int_max, huge / 2, huge - 1, huge}) stage.expect_refused({.kernel_size = 2, .dilation = d}, std::to_string(d));
  stage.expect_refused({.kernel_size = 2, .dilation = {}}, "dilation must have 1 ");
  const typename TypeParam::Options one{.kernel_size = 1, .dilation = int_max};
  EXPECT_EQ(TypeParam::pool(stage.x, one).shape(), stage.x.shape);
}

TYPED_TEST(MaxPoolHostileOptions, Paddings) {
  const Stage<TypeParam> stage;
  for (int64_t p : {int64_t{-1}, lowest})
    stage.expect_refused({.kernel_size = 2, .padding = p}, "padding must not be negative, got " + std::to_string(p) + " (axis ");
  for (int64_t p : {int64_t{2}, int64_t{5}, int_max, huge}) {
    stage.expect_refused({.kernel_size = 2, .padding = p},
                         "padding must be at most half of the dilated kernel (2 / 2 = 1), got " + std::to_string(p) + " (axis ");
  }
  stage.expect_refused({.kernel_size = 2, .padding = {0, 0, 0, 0}}, "padding must have 1 ");
  // Other presets have no limit, so that sums of sizes overflow.
  for (int64_t p : {huge, huge / 2 + 1}) stage.expect_refused({.kernel_size = 2, .padding = p, .preset = Preset::onnx}, "overflow 64 bits");
  stage.expect_refused({.kernel_size = huge - 2, .stride = 1, .padding = huge / 2 - 1}, "");
}

TYPED_TEST(MaxPoolHostileOptions, PaddingOnOneSideOnly) {
  const Stage<TypeParam> stage;
  std::vector<Sides> sides(static_cast<size_t>(TypeParam::rank));
  sides.back() = {0, -1};
  stage.expect_refused({.kernel_size = 2, .padding = std::span<const Sides>(sides)}, "padding must not be negative, got -1 (axis ");
  sides.back() = {0, 2};
  stage.expect_refused({.kernel_size = 2, .padding = std::span<const Sides>(sides)}, "got 2 (axis ");
}

TYPED_TEST(MaxPoolHostileOptions, HugePaddingsWithoutALimitAreAnsweredOrRefused) {
  // Every axis fits 64 bits, but the memory for the result cannot be allocated.
  const Stage<TypeParam> stage;
  const int64_t p = TypeParam::rank == 1 ? int64_t{1} << 60 : TypeParam::rank == 2 ? int64_t{1} << 29 : int64_t{1} << 19;
  const typename TypeParam::Options o{.kernel_size = 2, .padding = p, .preset = Preset::onnx};
  auto calls = stage.calls();
  calls.pop_back();  // the last call, _shape, allocates nothing and may succeed
  for (const auto& [suffix, call] : calls) EXPECT_NE(message_of([&] { call(o); }), "nothing thrown") << suffix;
  for (const Array& a : stage.outputs) EXPECT_TRUE(a.intact());
}

TYPED_TEST(MaxPoolHostileOptions, WindowsOfHugeKernelsStillRun) {
  // The kernel is far larger than the input, and padding makes it fit: the time must depend on the input, not on the kernel.
  const Stage<TypeParam> stage;
  const int64_t k = TypeParam::rank == 3 ? int64_t{1} << 20 : int64_t{1} << 30;
  const typename TypeParam::Options o{.kernel_size = k, .stride = k, .padding = k / 2};
  const Tensor y = TypeParam::pool(stage.x, o);
  ASSERT_EQ(y.shape(), cube(1, 2, 1, TypeParam::rank));
  const auto x = test::cells(stage.x), got = test::cells(y);
  const size_t half = x.size() / 2;
  for (size_t c = 0; c < 2; ++c) {
    const auto first = x.begin() + static_cast<int64_t>(c * half), last = first + static_cast<int64_t>(half);
    EXPECT_EQ(got[c], TypeParam::op == Op::max ? *std::max_element(first, last) : *std::min_element(first, last));
  }
  const Pooled p = TypeParam::with_indices(stage.x, o);
  EXPECT_EQ(test::cells(p.values), got);
  const Tensor g = TypeParam::backward(p.values, p.indices, stage.x.shape, o);
  EXPECT_EQ(test::cells(g)[static_cast<size_t>(p.indices.template data<int64_t>()[0])], got[0]);
}

// The same with windows that overlap: no kernel may allocate scratch in proportion to the window.
TYPED_TEST(MaxPoolHostileOptions, OverlappingWindowsOfHugeKernelsStillRun) {
  const Stage<TypeParam> stage;
  for (int64_t k : {int64_t{20'000}, int64_t{1} << 20, int64_t{1} << 30, int64_t{1} << 31}) {
    if (TypeParam::rank == 3 && k > int64_t{1} << 20) continue;  // the number of taps would overflow 64 bits
    const typename TypeParam::Options o{.kernel_size = k, .stride = 1, .padding = k / 2};
    const Tensor y = TypeParam::pool(stage.x, o), last = TypeParam::pool(stage.input.clone(MemoryFormat::channels_last), o);
    ASSERT_EQ(y.shape(), cube(1, 2, 5, TypeParam::rank)) << k;
    EXPECT_EQ(test::cells(y), test::cells(last)) << k;
    EXPECT_EQ(test::cells(y), test::cells(TypeParam::with_indices(stage.x, o).values)) << k;
  }
}

TYPED_TEST(MaxPoolHostileOptions, SameTogetherWithCeil) {
  const Stage<TypeParam> stage;
  for (PaddingMode mode : {same, same_lower})
    for (Rounding rounding : {Rounding::ceil, Rounding::ceil_full})
      stage.expect_refused({.kernel_size = 2, .padding = mode, .ceil_mode = rounding}, "padding mode same does not go with ceil_mode");
}

TYPED_TEST(MaxPoolHostileOptions, EnumeratorsThatDoNotExist) {
  const Stage<TypeParam> stage;
  stage.expect_refused({.kernel_size = 2, .padding = static_cast<PaddingMode>(77)}, "77");
  stage.expect_refused({.kernel_size = 2, .ceil_mode = static_cast<Rounding>(77)}, "77");
  stage.expect_refused({.kernel_size = 2, .nan = static_cast<NanPolicy>(77)}, "77");
  stage.expect_refused({.kernel_size = 2, .index_base = static_cast<IndexBase>(77)}, "77");
  stage.expect_refused({.kernel_size = 2, .preset = static_cast<Preset>(77)}, "77");
}

}  // namespace
}  // namespace tidepool
