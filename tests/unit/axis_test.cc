// The windows of one axis against a loop that counts cells. All shapes and windows are computed by this class.
#include "tidepool/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "support/rng.h"

namespace tidepool {
namespace {

using ::testing::StartsWith;

constexpr int64_t huge = std::numeric_limits<int64_t>::max();
#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 Wide;
#endif

std::string describe(const AxisSpec& s) {
  return "L=" + std::to_string(s.length) + " k=" + std::to_string(s.kernel) + " s=" + std::to_string(s.stride) +
         " d=" + std::to_string(s.dilation) + " p=" + std::to_string(s.padding.before) + ":" + std::to_string(s.padding.after) +
         " mode=" + std::to_string(static_cast<int>(s.padding_mode)) + " rounding=" + std::to_string(static_cast<int>(s.rounding));
}

// The taps of a window by a plain loop.
Window count_window(const AxisSpec& s, Sides pad, int64_t o) {
  Window w;
  for (int64_t t = 0, pos = o * s.stride - pad.before; t < s.kernel; ++t, pos += s.dilation) {
    if (pos < s.length + pad.after) ++w.padded_count;
    if (pos >= 0 && pos < s.length && w.count++ == 0) w.begin = pos, w.first_tap = t;
  }
  return w;
}

// The number of outputs, found by counting up instead of dividing.
int64_t count_outputs(const AxisSpec& s) {
  const int64_t effective = s.dilation * (s.kernel - 1) + 1;
  const int64_t padded = s.length + s.padding.before + s.padding.after;
  int64_t o = -100;
  if (s.rounding == Rounding::floor) {
    while (o * s.stride + effective <= padded) ++o;  // o + 1 windows fit: the last starts at o * stride
    return o;
  }
  while ((o - 1) * s.stride + effective < padded) ++o;  // o windows reach the end
  if (s.rounding == Rounding::ceil && (o - 1) * s.stride >= s.length + s.padding.before) --o;
  return o;
}

void expect_windows(const AxisSpec& s, const Axis& axis, Sides pad) {
  int64_t last_read = -1, interior = 0;
  bool empty = false;
  for (int64_t o = 0; o < axis.output(); ++o) {
    const Window expected = count_window(s, pad, o);
    const Window w = axis.window(o);
    ASSERT_EQ(w.count, expected.count) << describe(s) << " output " << o;
    ASSERT_EQ(w.padded_count, expected.padded_count) << describe(s) << " output " << o;
    ASSERT_EQ(axis.start(o), o * s.stride - pad.before);
    const bool whole = expected.count == s.kernel;
    interior += whole;
    ASSERT_EQ(whole, o >= axis.interior().begin && o < axis.interior().end) << describe(s) << " output " << o;
    if (expected.count == 0) {
      empty = true;
      continue;
    }
    ASSERT_EQ(w.begin, expected.begin) << describe(s) << " output " << o;
    ASSERT_EQ(w.first_tap, expected.first_tap) << describe(s) << " output " << o;
    last_read = std::max(last_read, w.begin + (w.count - 1) * s.dilation);
  }
  ASSERT_EQ(axis.interior().size(), interior) << describe(s);
  ASSERT_EQ(axis.has_empty_window(), empty) << describe(s);
  ASSERT_EQ(axis.dropped(), s.length - 1 - last_read) << describe(s);
}

template <class F>
void for_all_small(F f) {
  for (int64_t length = 1; length <= 12; ++length)
    for (int64_t kernel = 1; kernel <= 6; ++kernel)
      for (int64_t stride = 1; stride <= 4; ++stride)
        for (int64_t dilation = 1; dilation <= 3; ++dilation)
          f(AxisSpec{.length = length, .kernel = kernel, .stride = stride, .dilation = dilation, .limit_padding = false});
}

TEST(Axis, EverySmallAxisMatchesCounting) {
  int64_t valid = 0, refused = 0;
  for_all_small([&](AxisSpec s) {
    for (int64_t before = 0; before <= 5; ++before)
      for (int64_t after = 0; after <= 5; ++after)
        for (Rounding rounding : {Rounding::floor, Rounding::ceil, Rounding::ceil_full}) {
          s.padding = {before, after};
          s.rounding = rounding;
          const int64_t outputs = count_outputs(s);
          const Result<Axis> axis = Axis::regular(s);
          ASSERT_EQ(axis.ok(), outputs >= 1) << describe(s);
          if (!axis.ok()) {
            ++refused;
            ASSERT_THAT(axis.error().message(), StartsWith("output size must be at least 1, got " + std::to_string(outputs) + " from"));
            continue;
          }
          ++valid;
          ASSERT_EQ(axis->output(), outputs) << describe(s);
          ASSERT_EQ(axis->rounding(), rounding);
          expect_windows(s, *axis, s.padding);
          if (::testing::Test::HasFatalFailure()) return;
        }
  });
  EXPECT_GT(valid, 80'000);
  EXPECT_GT(refused, 1'000);
}

TEST(Axis, PyTorchsPaddingLimitIsHalfOfTheDilatedKernel) {
  for_all_small([&](AxisSpec s) {
    s.length = 12;
    s.limit_padding = true;
    const int64_t effective = s.dilation * (s.kernel - 1) + 1;
    for (int64_t before = 0; before <= 7; ++before)
      for (int64_t after = 0; after <= 7; ++after) {
        s.padding = {before, after};
        const Result<Axis> axis = Axis::regular(s);
        if (before <= effective / 2 && after <= effective / 2) {
          ASSERT_EQ(axis.ok(), count_outputs(s) >= 1) << describe(s);
        } else {
          ASSERT_FALSE(axis.ok()) << describe(s);
          const std::string e = std::to_string(effective), h = std::to_string(effective / 2);
          const std::string p = std::to_string(before > effective / 2 ? before : after);
          ASSERT_EQ(axis.error().message(), "padding must be at most half of the dilated kernel (" + e + " / 2 = " + h + "), got " + p);
        }
      }
  });
}

TEST(Axis, SamePaddingGivesCeilOfLengthOverStrideOutputs) {
  for_all_small([&](AxisSpec s) {
    for (PaddingMode mode : {PaddingMode::same_upper, PaddingMode::same_lower})
      for (bool limit : {false, true}) {
        s.padding_mode = mode;
        s.limit_padding = limit;
        const Result<Axis> axis = Axis::regular(s);
        ASSERT_TRUE(axis.ok()) << describe(s) << ": " << axis.error().message();
        int64_t outputs = 0;
        while (outputs * s.stride < s.length) ++outputs;
        ASSERT_EQ(axis->output(), outputs) << describe(s);
        const int64_t total = std::max<int64_t>(0, (outputs - 1) * s.stride + s.dilation * (s.kernel - 1) + 1 - s.length);
        const Sides pad = mode == PaddingMode::same_upper ? Sides(total / 2, total - total / 2) : Sides(total - total / 2, total / 2);
        ASSERT_EQ(Sides(axis->pad_before(), axis->pad_after()), pad) << describe(s);
        ASSERT_EQ(axis->padding_mode(), mode);
        expect_windows(s, *axis, pad);
        if (::testing::Test::HasFatalFailure()) return;
      }
  });
}

TEST(Axis, ValidIsNoPadding) {
  const Result<Axis> axis = Axis::regular({.length = 7, .kernel = 2, .stride = 2, .padding = 1, .padding_mode = PaddingMode::valid});
  ASSERT_TRUE(axis.ok());
  EXPECT_EQ(axis->pad_before(), 0);
  EXPECT_EQ(axis->pad_after(), 0);
  EXPECT_EQ(axis->output(), 3);
}

TEST(Axis, SevenByTwoDropsOneCell) {
  const Result<Axis> axis = Axis::regular({.length = 7, .kernel = 2, .stride = 2});
  ASSERT_TRUE(axis.ok());
  EXPECT_EQ(axis->output(), 3);
  EXPECT_EQ(axis->dropped(), 1);
}

TEST(Axis, AdaptiveBinsCoverTheInputByPyTorchsBounds) {
  for (int64_t length = 1; length <= 40; ++length)
    for (int64_t output = 0; output <= 50; ++output) {
      const Result<Axis> axis = Axis::adaptive(length, output);
      ASSERT_TRUE(axis.ok());
      ASSERT_TRUE(axis->is_adaptive());
      ASSERT_EQ(axis->input(), length);
      ASSERT_EQ(axis->output(), output);
      ASSERT_EQ(axis->interior().size(), axis->is_even() ? output : 0);
      int64_t largest = 0;
      bool even = output > 0 && output <= length;  // windows of one size at equal steps
      for (int64_t o = 0; o < output; ++o) {
        int64_t begin = 0, end = 0;
        while ((begin + 1) * output <= o * length) ++begin;  // floor(o * L / O)
        while (end * output < (o + 1) * length) ++end;       // ceil((o + 1) * L / O)
        const Window w = axis->window(o);
        ASSERT_EQ(w, (Window{begin, end - begin, 0, end - begin})) << length << " to " << output << ", output " << o;
        ASSERT_EQ(axis->start(o), begin);
        largest = std::max(largest, end - begin);
        even = even && begin == o * (length / output) && end - begin == axis->window(0).count;
        if (axis->is_even()) {
          ASSERT_EQ(begin, o * axis->stride());
        }
      }
      ASSERT_EQ(axis->is_even(), even) << length << " to " << output;
      if (output > 0) {
        ASSERT_EQ(axis->kernel(), largest) << length << " to " << output;
      }
    }
}

#if defined(__SIZEOF_INT128__)
// Numbers of any magnitude: either the answer is that of 128-bit arithmetic, or the sizes really are at the edge of 64 bits.
TEST(Axis, HugeNumbersAreExactOrRefused) {
  test::Rng rng(20);
  const auto any = [&]() -> int64_t {
    if (rng.one_in(3)) return rng.between(1, 9);
    const int shift = static_cast<int>(rng.between(0, 62));
    return std::max<int64_t>(1, static_cast<int64_t>(rng.bits() >> 1) >> shift);
  };
  int64_t answered = 0;
  for (int i = 0; i < 50'000; ++i) {
    AxisSpec s{.length = any(), .kernel = any(), .stride = any(), .dilation = any(), .limit_padding = rng.one_in(2)};
    if (rng.one_in(2)) s.padding = {any(), any()};
    s.rounding = rng.pick({Rounding::floor, Rounding::ceil, Rounding::ceil_full});
    if (rng.one_in(4)) s.padding_mode = rng.pick({PaddingMode::same_upper, PaddingMode::same_lower});
    const Result<Axis> axis = Axis::regular(s);
    const Wide effective = Wide{s.dilation} * (s.kernel - 1) + 1;
    if (!axis.ok()) {
      if (axis.error().code() == ErrorCode::overflow) {
        const Wide reach = Wide{s.length} + s.padding.before + s.padding.after + effective + s.stride;
        ASSERT_GT(reach, Wide{huge / 2}) << describe(s) << ": " << axis.error().message();
      }
      continue;
    }
    ++answered;
    const Wide room = Wide{s.length} + axis->pad_before() + axis->pad_after() - effective;
    const Wide rest = ((room % s.stride) + s.stride) % s.stride;
    const bool same = s.padding_mode != PaddingMode::explicit_sides;
    Wide outputs = (room - rest) / s.stride + 1 + (s.rounding != Rounding::floor && rest != 0 && !same ? 1 : 0);
    if (s.rounding == Rounding::ceil && !same && (outputs - 1) * s.stride >= Wide{s.length} + s.padding.before) --outputs;
    if (same) outputs = (Wide{s.length} + s.stride - 1) / s.stride;
    ASSERT_EQ(Wide{axis->output()}, outputs) << describe(s);
    for (int64_t o : {int64_t{0}, axis->output() / 2, axis->output() - 1}) {
      const Window w = axis->window(o);
      ASSERT_GE(w.count, 0) << describe(s);
      ASSERT_LE(w.count, s.kernel) << describe(s);
      if (w.count == 0) continue;
      const Wide start = Wide{o} * s.stride - axis->pad_before();
      ASSERT_EQ(Wide{w.begin}, start + Wide{w.first_tap} * s.dilation) << describe(s);
      ASSERT_GE(w.begin, 0) << describe(s);
      ASSERT_TRUE(w.first_tap == 0 || w.begin < s.dilation) << describe(s);
      const Wide last = Wide{w.begin} + Wide{w.count - 1} * s.dilation;
      ASSERT_LT(last, Wide{s.length}) << describe(s);
      ASSERT_TRUE(w.first_tap + w.count == s.kernel || last + s.dilation >= s.length) << describe(s);
    }
  }
  EXPECT_GT(answered, 5'000);
}
#else
TEST(Axis, HugeNumbersAreExactOrRefused) { GTEST_SKIP() << "this compiler has no 128-bit integers to compare with"; }
#endif

TEST(Axis, DefaultIsOneCellAndOneWindow) {
  const Axis axis;
  EXPECT_EQ(axis.input(), 1);
  EXPECT_EQ(axis.output(), 1);
  EXPECT_EQ(axis.window(0), (Window{0, 1, 0, 1}));
  EXPECT_EQ(axis, Axis::regular({.length = 1}).value());
}

}  // namespace
}  // namespace tidepool
