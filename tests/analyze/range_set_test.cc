// Sets of positions, compared with lists of booleans.
#include "tidepool/analyze/range_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/rng.h"

namespace tidepool::analyze {

namespace {

constexpr int64_t size = 24;

std::vector<bool> listed(const RangeSet& set) {
  std::vector<bool> in(size);
  for (int64_t at = 0; at < size; ++at) in[static_cast<size_t>(at)] = set.contains(at);
  return in;
}

RangeSet random_set(test::Rng& rng) {
  std::vector<Range> ranges;
  for (int64_t i = rng.between(0, 5); i > 0; --i) {
    const int64_t begin = rng.between(0, size - 1);
    ranges.push_back({begin, rng.between(begin, std::min(begin + 6, size))});
  }
  return RangeSet::of(std::move(ranges));
}

void expect_in_order(const RangeSet& set) {
  for (size_t i = 0; i < set.ranges().size(); ++i) {
    EXPECT_LT(set.ranges()[i].begin, set.ranges()[i].end);
    if (i > 0) {
      EXPECT_LT(set.ranges()[i - 1].end, set.ranges()[i].begin);
    }
  }
}

}  // namespace

TEST(RangeSet, IsAUnionOfRangesInAnyOrder) {
  const RangeSet set = RangeSet::of({{8, 9}, {0, 3}, {3, 4}, {12, 12}, {2, 3}});
  EXPECT_EQ(set.ranges(), (std::vector<Range>{{0, 4}, {8, 9}}));
  EXPECT_EQ(set.count(), 5);
  EXPECT_EQ(set.hull(), (Range{0, 9}));
  EXPECT_EQ(set.holes(), RangeSet(Range{4, 8}));
  EXPECT_TRUE(RangeSet().empty());
  EXPECT_EQ(RangeSet().hull(), Range{});
  EXPECT_TRUE(RangeSet(Range{4, 4}).empty());
}

TEST(RangeSet, FollowsTheRulesOfSets) {
  test::Rng rng(7);
  for (int round = 0; round < 2000; ++round) {
    const RangeSet a = random_set(rng), b = random_set(rng);
    const Range bounds{rng.between(0, 10), rng.between(10, size)};
    RangeSet both = a, moved{};
    both.add(b);
    moved.add(a, 5);
    RangeSet twice = a;
    twice.add(twice, 9);
    EXPECT_EQ(
        twice.count(), a.count() * 2 - [&] {
          RangeSet shifted;
          shifted.add(a, 9);
          return a.count() - a.without(shifted).count();
        }());
    const RangeSet cut = a.within(bounds), rest = a.without(b), holes = a.holes();
    for (const RangeSet& set : {a, both, moved, cut, rest, holes}) expect_in_order(set);
    int64_t count = 0;
    bool contains = true;
    for (int64_t at = 0; at < size; ++at) {
      const bool in_a = a.contains(at), in_b = b.contains(at);
      EXPECT_EQ(both.contains(at), in_a || in_b);
      EXPECT_EQ(rest.contains(at), in_a && !in_b);
      EXPECT_EQ(cut.contains(at), in_a && at >= bounds.begin && at < bounds.end);
      EXPECT_EQ(moved.contains(at), a.contains(at - 5));
      EXPECT_EQ(holes.contains(at), !in_a && at >= a.hull().begin && at < a.hull().end);
      count += in_a ? 1 : 0;
      contains = contains && (in_a || !in_b);
    }
    EXPECT_EQ(a.count(), count);
    EXPECT_EQ(a.contains(b), contains);
    EXPECT_EQ(a == b, listed(a) == listed(b));
  }
}

TEST(RangeSet, IsPrintedWithTheLastPositions) {
  EXPECT_EQ(to_string(RangeSet()), "none");
  EXPECT_EQ(to_string(RangeSet::of({{0, 3}, {5, 6}, {7, 9}})), "0-2, 5, 7-8");
  EXPECT_EQ(to_string(RangeSet::of({{0, 1}, {2, 3}, {4, 5}, {6, 7}}), 2), "0, 2, … (2 more)");
}

}  // namespace tidepool::analyze
