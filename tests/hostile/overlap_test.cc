// Arrays that share memory, and arrays that only look as if they did. Compared with the sets of their addresses.
#include "plan/overlap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "support/cells.h"
#include "support/rng.h"

namespace tidepool::test {
namespace {

constexpr int64_t memory_bytes = 1 << 12;
alignas(64) std::byte memory[memory_bytes];

// The first byte of every element, in the order of the cells. Strides are multiples of the element, but two arrays may differ in it.
std::vector<int64_t> bytes_of(const TensorView& t) {
  std::vector<int64_t> all;
  for_each_cell(t.shape, [&](const Dims& at) {
    const int64_t first = t.data - memory + offset_of(t.strides, at) * dtype_size(t.dtype);
    for (int64_t i = 0; i < dtype_size(t.dtype); ++i) all.push_back(first + i);
  });
  return all;
}

bool share_memory(const TensorView& a, const TensorView& b) {
  const std::vector<int64_t> in_a = bytes_of(a), in_b = bytes_of(b);
  const std::set<int64_t> all(in_a.begin(), in_a.end());
  return std::any_of(in_b.begin(), in_b.end(), [&](int64_t byte) { return all.contains(byte); });
}

bool has_duplicates(const TensorView& t) {
  std::vector<int64_t> all = bytes_of(t);
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) != all.end();
}

// A few small dimensions with strides that interleave, overlap, run backwards or repeat.
TensorView random_view(Rng& rng) {
  TensorView t;
  t.dtype = rng.pick({DType::u8, DType::i16, DType::f32});
  const int rank = static_cast<int>(rng.between(1, 4));
  for (int i = 0; i < rank; ++i) {
    t.shape.push_back(rng.between(rng.one_in(20) ? 0 : 1, 4));
    t.strides.push_back(rng.pick<int64_t>({1, 2, 3, 4, 6, 8, 12, 16, 24, 32, -1, -2, -4, -8, -12, 0}));
  }
  t.data = memory + memory_bytes / 2 + rng.between(-64, 64) * dtype_size(t.dtype);
  return t;
}

TEST(Overlap, SharedMemoryIsAlwaysFound) {
  int64_t shared = 0, apart = 0, found_apart = 0;
  for (uint64_t seed = 0; seed < 60'000; ++seed) {
    Rng rng(seed);
    const TensorView a = random_view(rng), b = random_view(rng);
    const bool overlap = share_memory(a, b);
    if (overlap) {
      ASSERT_TRUE(detail::may_overlap(a, b)) << "seed " << seed;
      ASSERT_TRUE(detail::may_overlap(b, a)) << "seed " << seed;
    }
    ++(overlap ? shared : apart);
    found_apart += !overlap && !detail::may_overlap(a, b);
  }
  EXPECT_GT(shared, 10'000);
  EXPECT_GT(apart, 10'000);
  EXPECT_GT(found_apart, apart / 2);
}

TEST(Overlap, ArraysThatOverlapThemselvesAreAlwaysFound) {
  int64_t duplicates = 0, sound = 0;
  for (uint64_t seed = 0; seed < 30'000; ++seed) {
    Rng rng(seed);
    const TensorView t = random_view(rng);
    if (has_duplicates(t)) {
      ASSERT_TRUE(detail::overlaps_itself(t)) << "seed " << seed;
    }
    ++(has_duplicates(t) ? duplicates : sound);
    // Dimensions of one element have no second one that could overlap, whatever their stride.
    TensorView squeezed = t;
    squeezed.shape = squeezed.strides = Dims();
    for (int i = 0; i < t.rank(); ++i)
      if (t.size(i) != 1) squeezed.shape.push_back(t.size(i)), squeezed.strides.push_back(t.stride(i));
    ASSERT_EQ(detail::overlaps_itself(t), detail::overlaps_itself(squeezed)) << "seed " << seed;
  }
  EXPECT_GT(duplicates, 5'000);
  EXPECT_GT(sound, 5'000);
}

// What callers do: channels, rows or columns of one array as two, which do not touch each other.
TEST(Overlap, InterleavedArraysAreApart) {
  const auto view = [](int64_t offset, Dims shape, Dims strides, DType dtype = DType::f32) {
    TensorView t;
    t.data = memory + offset * dtype_size(dtype);
    t.dtype = dtype, t.shape = shape, t.strides = strides;
    return t;
  };
  const Dims nhwc = {96, 1, 24, 6};  // 4 rows of 4 pixels of 6 channels
  const TensorView front = view(0, {2, 3, 4, 4}, nhwc), back = view(3, {2, 3, 4, 4}, nhwc), middle = view(2, {2, 3, 4, 4}, nhwc);
  EXPECT_FALSE(detail::may_overlap(front, back));
  EXPECT_FALSE(detail::may_overlap(back, front));
  EXPECT_TRUE(detail::may_overlap(front, middle));
  EXPECT_TRUE(detail::may_overlap(back, middle));
  const TensorView even = view(0, {4, 8}, {16, 2}), odd = view(1, {4, 8}, {16, 2});
  EXPECT_FALSE(detail::may_overlap(even, odd));
  EXPECT_TRUE(detail::may_overlap(even, view(2, {4, 8}, {16, 2})));
  EXPECT_TRUE(detail::may_overlap(even, view(1, {4, 8}, {16, 3})));  // meets it at elements 4 and 10
  const TensorView left = view(0, {4, 8}, {16, 1}), right = view(8, {4, 8}, {16, 1});
  EXPECT_FALSE(detail::may_overlap(left, right));
  EXPECT_TRUE(detail::may_overlap(left, view(7, {4, 8}, {16, 1})));
  EXPECT_FALSE(detail::may_overlap(left, view(56, {4}, {1})));  // directly behind its last element
  EXPECT_TRUE(detail::may_overlap(left, view(55, {4}, {1})));
  EXPECT_FALSE(detail::may_overlap(left, view(0, {0, 8}, {16, 1})));
  EXPECT_FALSE(detail::overlaps_itself(even));
  EXPECT_FALSE(detail::overlaps_itself(view(0, {1, 4, 1, 8}, {0, 16, 1, 1})));  // only dims of one element have strides like these
  EXPECT_TRUE(detail::overlaps_itself(view(0, {4, 9}, {8, 1})));
  EXPECT_FALSE(detail::overlaps_itself(view(0, {4, 9}, {9, 1})));
}

}  // namespace
}  // namespace tidepool::test
