// The windows of single layers: compared with the field of every cell, and with sentences worked out by hand.
#include "tidepool/analyze/windows.h"

#include <gmock/gmock.h>

#include <chrono>

#include "tidepool/analyze/dependence.h"
#include "tidepool/analyze/report.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

WindowAxis axis_of(const Dims& shape, const std::string& text) { return window_axes(parse_network(shape, text), 1).at(0); }

RangeSet cells_of(const WindowTaps& taps) {
  std::vector<Range> ranges;
  for (int64_t i = 0; i < taps.count; ++i) ranges.push_back({taps.begin + i * taps.step, taps.begin + i * taps.step + 1});
  return RangeSet::of(std::move(ranges));
}

RangeSet unread_of(const WindowAxis& axis) {
  RangeSet all;
  for (const Unread& unread : axis.unread) all.add(unread.cells);
  return all;
}

// The number behind the last = or :, before any explanation.
int64_t result_of(const std::string& size) {
  const std::string formula = size.substr(0, size.find_first_of(",;", 0));
  const size_t one_less = formula.find(": one more");
  const std::string numbers = formula.substr(0, one_less);
  return std::stoll(numbers.substr(numbers.find_last_of("=:") + 1));
}

// Taps, unread cells and remedies against dependence() and analyze(), which other tests compare with gradients.
void expect_consistent(int64_t length, const std::string& text) {
  SCOPED_TRACE(std::to_string(length) + " " + text);
  const Network net = parse_network({1, length}, text);
  const auto axes = window_axes(net, 1);
  ASSERT_THAT(axes, SizeIs(1));
  const WindowAxis& axis = axes[0];
  EXPECT_EQ(axis.input, length);
  EXPECT_EQ(axis.output, net.node(1).shape[2]);
  EXPECT_EQ(result_of(axis.size), axis.output) << axis.size;
  EXPECT_TRUE(axis.unread_is_complete);
  RangeSet read;
  for (int64_t o = 0; o < axis.output; ++o) {
    const auto fields = dependence(net, 1, one_cell(net.node(1).shape, {o}));
    const RangeSet field = fields.empty() ? RangeSet() : fields[0].along(2);
    EXPECT_EQ(cells_of(window_taps(net, 1, 2, o)), field) << "output " << o;
    read.add(field);
  }
  EXPECT_EQ(unread_of(axis), RangeSet(Range{0, length}).without(read));
  const Report report = analyze(net);
  if (!report.losses.empty()) {
    EXPECT_EQ(axis.remedies, report.losses[0].remedies);
  }
}

}  // namespace

TEST(Windows, AreTheFieldsOfTheCells) {
  int layers = 0;
  for (const char* kind : {"max", "conv"})
    for (int64_t length = 1; length <= 12; ++length)
      for (int kernel = 1; kernel <= 4; ++kernel)
        for (int stride = 1; stride <= 5; ++stride)
          for (int dilation = 1; dilation <= 3; ++dilation)
            for (const char* rest : {"", " p1", " p0:1", " same", " same_lower", " ceil", " p1 ceil", " ceil_full"}) {
              if (std::string(rest).find("ceil") != std::string::npos && std::string(kind) == "conv") continue;
              const std::string text = std::string(kind) + " " + std::to_string(kernel) + (kind[0] == 'c' ? " 1" : "") + " s" +
                                       std::to_string(stride) + " d" + std::to_string(dilation) + rest;
              try {
                (void)parse_network({1, length}, text);
              } catch (const Error&) {
                continue;  // the kernel is larger than the input, or the padding than half of it
              }
              expect_consistent(length, text);
              ++layers;
            }
  EXPECT_GT(layers, 5000);
}

TEST(Windows, OfLayersOfOtherKinds) {
  for (int64_t length = 2; length <= 9; ++length)
    for (const char* text :
         {"adaptive_avg 1",  "adaptive_max 3", "adaptive_avg 12", "gap",   "convt 2 1 s2",  "convt 3 1 s2 p1 o1", "convt 2 1 s3",
          "convt 3 1 d2 p1", "unpool 2",       "unpool 3 s2",     "up 2",  "up 3 linear",   "up 2 linear align",  "up 2 cubic",
          "up 0.5",          "resize 4",       "resize 5 linear", "pad 2", "pad 1 reflect", "pad 2 circular",     "crop 0:1"}) {
      if (std::string(text).starts_with("resize") && (length == 4 || length == 5)) continue;  // changes nothing
      expect_consistent(length, text);
    }
}

TEST(Windows, SayHowTheSizeComesAbout) {
  EXPECT_EQ(axis_of({1, 7, 7}, "max 2").size, "floor((7 + 0 + 0 - 2) / 2) + 1 = floor(5 / 2) + 1 = 3");
  EXPECT_EQ(axis_of({1, 7, 7}, "max 2 ceil").size, "ceil((7 + 0 + 0 - 2) / 2) + 1 = ceil(5 / 2) + 1 = 4");
  EXPECT_EQ(axis_of({1, 9, 9}, "max 3 s2 p1 d2").size, "floor((9 + 1 + 1 - 2 * (3 - 1) - 1) / 2) + 1 = floor(6 / 2) + 1 = 4");
  EXPECT_EQ(axis_of({1, 5}, "max 1 s3 ceil").size,
            "ceil((5 + 0 + 0 - 1) / 3) + 1 = ceil(4 / 3) + 1 - 1 = 2: one more window would begin behind the input");
  EXPECT_EQ(axis_of({1, 7}, "max 2 same").size, "ceil(7 / 2) = 4, which takes a padding of 0 before and 1 after");
  EXPECT_EQ(axis_of({1, 7}, "convt 3 1 s2 p1 o1").size, "(7 - 1) * 2 - 1 - 1 + 1 * (3 - 1) + 1 + 1 = 14");
  EXPECT_EQ(axis_of({1, 7}, "up 1.5").size, "floor(7 * 1.5) = 10");
  EXPECT_EQ(axis_of({1, 7}, "crop 1:2").size, "7 - 1 - 2 = 4");
  EXPECT_EQ(axis_of({1, 7}, "adaptive_avg 3").size,
            "as given: 3; output o reads from floor(o * 7 / 3) up to, not including, ceil((o + 1) * 7 / 3)");
  EXPECT_EQ(axis_of({1, 7}, "gap").size, "one window over the whole axis: 1");
}

TEST(Windows, SayWhyCellsAreLeftOut) {
  const auto reasons = [](const Dims& shape, const std::string& text) {
    std::vector<std::string> list;
    for (const Unread& unread : axis_of(shape, text).unread) list.push_back(to_string(unread.cells) + ": " + unread.reason);
    return list;
  };
  EXPECT_THAT(reasons({1, 7}, "max 2"), ElementsAre("6: output 3 would reach 6-7, but the input ends at 6"));
  EXPECT_THAT(reasons({1, 7}, "max 4 s3 p1"), ElementsAre("6: output 2 would reach 5-8, but the input with its padding ends at 7"));
  EXPECT_THAT(reasons({1, 8}, "max 2 s3"), ElementsAre("2, 5: a stride of 3 moves past more than the 2 cells of a window"));
  EXPECT_THAT(reasons({1, 9}, "max 2 s3 d1"), ElementsAre("2, 5: a stride of 3 moves past more than the 2 cells of a window",
                                                          "8: output 3 would begin at 9, but the input ends at 8"));
  EXPECT_THAT(reasons({1, 6}, "max 2 s3 d2"), ElementsAre("1, 4: a dilation of 2 leaves gaps between the cells of a window"));
  EXPECT_THAT(reasons({1, 4}, "up 0.5"), ElementsAre("1, 3: the coordinates of neighbouring outputs are 2 cells apart"));
  EXPECT_THAT(reasons({1, 4}, "crop 1:0"), ElementsAre("0: the layer cuts them off"));
  EXPECT_THAT(reasons({1, 8}, "max 2"), IsEmpty());
}

TEST(Windows, CountTheCellsOfAverages) {
  const Network net = parse_network({1, 5}, "avg 3 s2 p1 ceil");
  const auto counts = [&](int64_t o) {
    const WindowTaps taps = window_taps(net, 1, 2, o);
    return std::vector{taps.first, taps.taps, taps.count, taps.padded_count};
  };
  EXPECT_THAT(counts(0), ElementsAre(-1, 3, 2, 3));
  EXPECT_THAT(counts(1), ElementsAre(1, 3, 3, 3));
  EXPECT_THAT(counts(2), ElementsAre(3, 3, 2, 3));
  const WindowTaps over = window_taps(parse_network({1, 4}, "avg 3 s2 ceil"), 1, 2, 1);
  EXPECT_EQ(over.count, 2);
  EXPECT_EQ(over.padded_count, 2);
}

TEST(Windows, OfLongAxesAreFoundAtOnce) {
  const auto start = std::chrono::steady_clock::now();
  const WindowAxis even = axis_of({1, 1'000'000'001, 1'000'000'001}, "max 2");
  EXPECT_EQ(to_string(unread_of(even)), "1000000000");
  EXPECT_TRUE(even.unread_is_complete);
  EXPECT_THAT(even.remedies, testing::Contains("ceil_mode"));
  const WindowAxis gaps = axis_of({1, 1'000'000'000}, "max 2 s3");
  EXPECT_FALSE(gaps.unread_is_complete);
  EXPECT_TRUE(unread_of(gaps).contains(2) && unread_of(gaps).contains(999'999'998));
  EXPECT_FALSE(unread_of(gaps).contains(3));
  EXPECT_THAT(gaps.remedies, testing::Contains("stride 2 along l"));
  (void)axis_of({1, 1'000'000'000}, "max 100000 s3 d2");
  (void)axis_of({1, 60'000}, "conv 1000 1 s2 d2");
  (void)axis_of({1, 1'000'000'000}, "adaptive_avg 999999999");
  const WindowAxis transposed = axis_of({1, 300'000'000}, "convt 1 1 s3 p1:2");
  EXPECT_EQ(to_string(unread_of(transposed)), "0, 299999999");
  EXPECT_TRUE(transposed.unread_is_complete);
  (void)axis_of({1, 1'000'000'000}, "up 0.5");
  const WindowAxis up = axis_of({1, 7}, "up 100000000");
  EXPECT_TRUE(up.unread_is_complete);
  EXPECT_THAT(up.unread, IsEmpty());
  EXPECT_EQ(up.size, "floor(7 * 100000000) = 700000000");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

// Whole strides in the middle change nothing but the sizes of inputs.
TEST(Windows, HaveTheSameRemediesOnLongAxes) {
  int compared = 0;
  for (const char* text : {"max 2", "max 2 s3", "max 3 s2 d2", "max 3 s4 d3 p1", "max 2 s2 d3 ceil", "conv 5 1 s3 d2", "max 1 s2 ceil"})
    for (int64_t length = 60; length < 72; ++length) {
      const auto without_sizes = [&](int64_t cells) {
        std::vector<std::string> kept;
        for (const std::string& remedy : axis_of({1, cells}, text).remedies)
          if (!remedy.starts_with("a layer input") && !remedy.starts_with("adaptive")) kept.push_back(remedy);
        return kept;
      };
      const auto few = without_sizes(length);
      EXPECT_EQ(few, without_sizes(length + 12'000)) << text << " " << length;
      EXPECT_EQ(few, without_sizes(length + 999'999'600)) << text << " " << length;
      compared += few.empty() ? 0 : 1;
    }
  EXPECT_GT(compared, 20);
}

TEST(Windows, RefuseWhatIsNotThere) {
  const Network net = parse_network({1, 7, 7}, "max 2");
  EXPECT_THROW((void)window_taps(net, 1, 2, 3), Error);
  EXPECT_THROW((void)window_taps(net, 1, 2, -1), Error);
  EXPECT_THROW((void)window_taps(net, 1, 1, 0), Error);
  EXPECT_THAT(window_axes(net, 0), IsEmpty());
  EXPECT_THAT(window_axes(parse_network({1, 7, 7}, "relu"), 1), IsEmpty());
}

}  // namespace tidepool::analyze
