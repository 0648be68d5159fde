// What each layer reads along an axis, from its definition: one output at a time, and sets of outputs together.
#include "analyze/axis_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "support/rng.h"

namespace tidepool::analyze {

namespace {

RangeSet set_of(const std::set<int64_t>& positions) {
  std::vector<Range> ranges;
  for (const int64_t at : positions) ranges.push_back({at, at + 1});
  return RangeSet::of(std::move(ranges));
}

// Every set of outputs reads the union of what its members read, and no output reads beyond the input.
void expect_union(const AxisMap& map, test::Rng& rng) {
  for (int round = 0; round < 5; ++round) {
    const bool all = round == 4;
    const int64_t begin = all ? 0 : rng.between(0, map.output() - 1), end = all ? map.output() : rng.between(begin, map.output());
    RangeSet outputs(Range{begin, end});
    if (rng.one_in(2)) outputs.add(RangeSet(Range{rng.between(0, map.output() - 1), map.output()}));
    RangeSet one_by_one;
    for (int64_t o = 0; o < map.output(); ++o)
      if (outputs.contains(o)) one_by_one.add(map.inside(RangeSet(Range{o, o + 1})));
    EXPECT_EQ(map.inside(outputs), one_by_one) << to_string(outputs);
    EXPECT_TRUE(RangeSet(Range{0, map.input()}).contains(one_by_one));
  }
}

// inside() and unclipped() of single outputs against `reads(o)`, the positions that output o reads without ends.
template <class Reads>
void expect_reads(const AxisMap& map, const Reads& reads) {
  for (int64_t o = 0; o < map.output(); ++o) {
    const std::set<int64_t> all = reads(o);
    EXPECT_EQ(map.unclipped(o), set_of(all)) << "output " << o;
    EXPECT_EQ(map.inside(RangeSet(Range{o, o + 1})), set_of(all).within({0, map.input()})) << "output " << o;
  }
}

// Outputs a period apart read the same, moved.
void expect_period(const AxisMap& map) {
  for (int64_t o = 0; o < std::min<int64_t>(map.period(), 64); ++o) {
    RangeSet moved;
    moved.add(map.unclipped(o), map.advance());
    EXPECT_EQ(map.unclipped(o + map.period()), moved);
  }
}

}  // namespace

TEST(AxisMap, OfWindows) {
  test::Rng rng(1);
  for (int round = 0; round < 400; ++round) {
    const AxisSpec spec{.length = rng.between(1, 30),
                        .kernel = rng.between(1, 6),
                        .stride = rng.between(1, 5),
                        .dilation = rng.between(1, 4),
                        .padding = {rng.between(0, 8), rng.between(0, 8)},
                        .rounding = rng.pick({Rounding::floor, Rounding::ceil, Rounding::ceil_full}),
                        .limit_padding = false};
    const Result<Axis> axis = Axis::regular(spec);
    if (!axis || axis->output() < 1) continue;
    SCOPED_TRACE("round " + std::to_string(round));
    const AxisMap map(*axis);
    expect_reads(map, [&](int64_t o) {
      std::set<int64_t> taps;
      for (int64_t tap = 0; tap < spec.kernel; ++tap) taps.insert(o * spec.stride - spec.padding.before + tap * spec.dilation);
      return taps;
    });
    expect_period(map);
    expect_union(map, rng);
  }
}

TEST(AxisMap, OfTransposedWindows) {
  test::Rng rng(2);
  for (int round = 0; round < 400; ++round) {
    const int64_t input = rng.between(1, 12);
    const TransposedReads t{
        .kernel = rng.between(1, 6), .stride = rng.between(1, 4), .dilation = rng.between(1, 3), .padding = rng.between(0, 3)};
    const int64_t output = (input - 1) * t.stride + t.dilation * (t.kernel - 1) + 1 - t.padding + rng.between(0, 2);
    if (output < 1) continue;
    SCOPED_TRACE("round " + std::to_string(round));
    const AxisMap map(input, output, t);
    // Input i writes its taps; here what each output gets.
    expect_reads(map, [&](int64_t o) {
      std::set<int64_t> from;
      for (int64_t i = -20; i < input + 20; ++i)
        for (int64_t tap = 0; tap < t.kernel; ++tap)
          if (i * t.stride - t.padding + tap * t.dilation == o) from.insert(i);
      return from;
    });
    expect_period(map);
    expect_union(map, rng);
  }
}

TEST(AxisMap, OfInterpolation) {
  using Cells = ResizeReads::Cells;
  test::Rng rng(3);
  for (int round = 0; round < 400; ++round) {
    const int64_t input = rng.between(1, 12), output = rng.between(1, 30);
    const bool half_pixel = rng.one_in(2);
    const Cells cells = rng.pick({Cells::floor, Cells::ceil, Cells::round_down, Cells::round_up, Cells::linear, Cells::cubic});
    const ResizeReads r = half_pixel ? ResizeReads{.cells = cells, .scale = 2 * input, .shift = input - output, .unit = 2 * output}
                                     : ResizeReads{.cells = cells, .scale = input, .shift = 0, .unit = output};
    SCOPED_TRACE("round " + std::to_string(round));
    const AxisMap map(input, output, r);
    for (int64_t o = 0; o < output; ++o) {
      // All fractions here are exact enough in double, because the denominators are small.
      const double at = (static_cast<double>(o) + (half_pixel ? 0.5 : 0.0)) * static_cast<double>(input) / static_cast<double>(output) -
                        (half_pixel ? 0.5 : 0.0);
      const double low = std::floor(at + 1e-9), rest = std::max(0.0, at - low);
      std::set<int64_t> read;
      const auto cell = [&](double position) { read.insert(std::clamp<int64_t>(static_cast<int64_t>(position), 0, input - 1)); };
      const bool whole = rest < 1e-9;
      if (cells == Cells::floor) cell(low);
      if (cells == Cells::ceil) cell(low + (whole ? 0 : 1));
      if (cells == Cells::round_down) cell(low + (rest > 0.5 + 1e-9 ? 1 : 0));
      if (cells == Cells::round_up) cell(low + (rest > 0.5 - 1e-9 ? 1 : 0));
      if (cells == Cells::linear)
        for (int i = 0; i < (whole ? 1 : 2); ++i) cell(low + i);
      if (cells == Cells::cubic)
        for (int i = whole ? 0 : -1; i < (whole ? 1 : 3); ++i) cell(low + i);
      EXPECT_EQ(map.inside(RangeSet(Range{o, o + 1})), set_of(read)) << "output " << o;
    }
    expect_period(map);
    expect_union(map, rng);
  }
}

TEST(AxisMap, OfSlicesAndPadding) {
  using Outside = ShiftedReads::Outside;
  test::Rng rng(4);
  for (int round = 0; round < 400; ++round) {
    const int64_t input = rng.between(1, 9), before = rng.between(-3, 20), output = rng.between(1, 40);
    const auto outside = rng.pick({Outside::nothing, Outside::reflect, Outside::replicate, Outside::circular});
    const int64_t step = outside == Outside::nothing ? rng.between(1, 3) : 1;
    SCOPED_TRACE("round " + std::to_string(round));
    const AxisMap map(input, output, ShiftedReads{.begin = -before, .step = step, .outside = outside});
    for (int64_t o = 0; o < output; ++o) {
      int64_t at = o * step - before;
      while (outside == Outside::circular && (at < 0 || at >= input)) at += at < 0 ? input : -input;
      if (outside == Outside::replicate) at = std::clamp<int64_t>(at, 0, input - 1);
      while (outside == Outside::reflect && (at < 0 || at >= input)) at = input == 1 ? 0 : at < 0 ? -at : 2 * (input - 1) - at;
      EXPECT_EQ(map.inside(RangeSet(Range{o, o + 1})), RangeSet(Range{at, at + 1}).within({0, input})) << "output " << o;
    }
    expect_union(map, rng);
  }
}

TEST(AxisMap, OfAdaptiveBins) {
  test::Rng rng(5);
  for (int64_t input = 1; input <= 14; ++input)
    for (int64_t output = 1; output <= 17; ++output) {
      const AxisMap map(Axis::adaptive(input, output).value());
      for (int64_t o = 0; o < output; ++o)
        EXPECT_EQ(map.inside(RangeSet(Range{o, o + 1})), RangeSet(Range{o * input / output, ((o + 1) * input + output - 1) / output}));
      expect_period(map);
      expect_union(map, rng);
    }
}

TEST(AxisMap, ManyCellsAreFollowedAsRanges) {
  constexpr int64_t large = int64_t{1} << 30;
  const RangeSet all(Range{0, large}), half(Range{5, large / 2});
  EXPECT_EQ(AxisMap(large, large, ShiftedReads{.begin = -2}).inside(half), RangeSet(Range{3, large / 2 - 2}));
  EXPECT_EQ(AxisMap(large / 2, large, ResizeReads{.scale = large / 2, .unit = large}).inside(all), RangeSet(Range{0, large / 2}));
  EXPECT_EQ(AxisMap(large / 2, large, TransposedReads{.kernel = 2, .stride = 2}).inside(all), RangeSet(Range{0, large / 2}));
  EXPECT_EQ(AxisMap(7, large, ShiftedReads{.begin = -large / 2, .outside = ShiftedReads::Outside::circular}).inside(half),
            RangeSet(Range{0, 7}));
  EXPECT_THROW(AxisMap(large, large / 2, ShiftedReads{.step = 2}).inside(RangeSet(Range{0, large / 2})), Error);
}

TEST(AxisMap, MiddlesOfWindows) {
  const AxisMap conv(Axis::regular({.length = 20, .kernel = 3, .stride = 2, .padding = {1, 1}}).value());
  EXPECT_EQ(conv.stride(), Rational(2));
  EXPECT_EQ(conv.centre(), Rational(0));
  EXPECT_EQ(conv.reach(), 2);
  const AxisMap pool(Axis::regular({.length = 20, .kernel = 2, .stride = 2}).value());
  EXPECT_EQ(pool.centre(), Rational(1, 2));
  const AxisMap bins(Axis::adaptive(7, 3).value());
  EXPECT_EQ(bins.stride(), Rational(7, 3));
  EXPECT_EQ(bins.reach(), 2);
  const AxisMap up(10, 20, TransposedReads{.kernel = 2, .stride = 2});
  EXPECT_EQ(up.stride(), Rational(1, 2));
  EXPECT_EQ(up.centre(), Rational(-1, 4));
  const AxisMap nearest(10, 20, ResizeReads{.scale = 10, .unit = 20});
  EXPECT_EQ(nearest.centre(), up.centre());
  const AxisMap linear(10, 20, ResizeReads{.cells = ResizeReads::Cells::linear, .scale = 20, .shift = -10, .unit = 40});
  EXPECT_EQ(linear.centre(), up.centre());
  EXPECT_EQ(AxisMap::whole(9).centre(), Rational(4));
  EXPECT_EQ(AxisMap::whole(9).reach(), 8);
}

}  // namespace tidepool::analyze
