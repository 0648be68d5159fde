// Cells that no window reads: which layer loses them, what the network loses by it, and what keeps them.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tidepool/analyze/report.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

namespace {

// What a remedy says about a one-dimensional layer, tried: nothing must be lost.
void expect_lossless(const Dims& shape, std::string_view text) {
  EXPECT_TRUE(analyze(parse_network(shape, text)).losses.empty()) << text << " on " << to_string(shape);
}

Report report_of(const Dims& shape, std::string_view text) { return analyze(parse_network(shape, text)); }

}  // namespace

TEST(Losses, OfTheLastCellsHaveRemedies) {
  const Report report = report_of({1, 7}, "max 2");
  ASSERT_EQ(report.losses.size(), 1u);
  const Loss& loss = report.losses[0];
  EXPECT_EQ(loss.node, 1);
  EXPECT_EQ(loss.dim, 2);
  EXPECT_EQ(to_string(loss.cells), "6");
  EXPECT_THAT(loss.remedies, ElementsAre("padding 0:1 along l", "padding 1 along l", "ceil_mode", "adaptive pooling to 3 along l",
                                         "a layer input of 6 or 8 along l"));
  EXPECT_THAT(report.input_sizes, ElementsAre("6 or 8"));
  for (const char* text : {"max 2 p0:1", "max 2 p1", "max 2 ceil", "adaptive_max 3"}) expect_lossless({1, 7}, text);
  expect_lossless({1, 6}, "max 2");
  expect_lossless({1, 8}, "max 2");
}

TEST(Losses, BetweenWindowsHaveOtherRemedies) {
  const Report report = report_of({1, 9}, "avg 2 s3");
  ASSERT_EQ(report.losses.size(), 1u);
  EXPECT_EQ(to_string(report.losses[0].cells), "2, 5, 8");
  EXPECT_THAT(report.losses[0].remedies, Not(Contains("ceil_mode")));
  EXPECT_THAT(report.losses[0].remedies, Contains("adaptive pooling to 3 along l"));
  const Report narrow = report_of({1, 8}, "conv 2 1 s3");
  EXPECT_EQ(to_string(narrow.losses[0].cells), "2, 5");
  EXPECT_THAT(narrow.losses[0].remedies, Contains("stride 2 along l"));
  expect_lossless({1, 8}, "conv 2 1 s2");
}

TEST(Losses, PaddingIsARemedyIfTheLayerTakesIt) {
  // A pool of 5 refuses more than 2, unless it follows ONNX. A convolution takes anything.
  const Report pool = report_of({1, 21}, "max 5 s4 p1");
  ASSERT_EQ(pool.losses.size(), 1u);
  EXPECT_THAT(pool.losses[0].remedies, Not(Contains("padding 1:3 along l")));
  EXPECT_THAT(pool.losses[0].remedies, Contains("padding 2 along l"));
  expect_lossless({1, 21}, "max 5 s4 p2");
  for (const std::string layer : {"conv 5 1 s4", "max 5 s4 onnx"}) {
    EXPECT_THAT(report_of({1, 21}, layer + " p1").losses.at(0).remedies, Contains("padding 1:3 along l")) << layer;
    expect_lossless({1, 21}, layer + " p1:3");
  }
}

// Padding of both sides is told as such, also where it was not the same before.
TEST(Losses, RemediesKeepUnequalPadding) {
  const Report report = report_of({1, 33}, "conv 2 1 s2 d3 p2:1");
  ASSERT_EQ(report.losses.size(), 1u);
  EXPECT_THAT(report.losses[0].remedies, Contains("padding 3:2 along l"));
  expect_lossless({1, 33}, "conv 2 1 s2 d3 p3:2");
}

// Padding of a transposed convolution cuts the output off.
TEST(Losses, OfTransposedConvolutions) {
  const Report report = report_of({1, 5}, "convt 1 2 p1");
  ASSERT_EQ(report.losses.size(), 1u);
  EXPECT_EQ(report.losses[0].node, 1);
  EXPECT_EQ(to_string(report.losses[0].cells), "0, 4");
  EXPECT_THAT(report.losses[0].remedies, ElementsAre("padding 0 along l"));
  expect_lossless({1, 5}, "convt 1 2");
  // The taps reach 2 cells behind the first, and output padding adds a cell.
  EXPECT_THAT(report_of({1, 9}, "convt 2 1 s3 d2 p4:5 o1").losses.at(0).remedies, ElementsAre("padding 2:3 along l"));
  EXPECT_EQ(report_of({1, 9}, "convt 2 1 s3 d2 p3:3 o1").losses.size(), 1u);
  expect_lossless({1, 9}, "convt 2 1 s3 d2 p2:3 o1");
  for (const char* usual : {"convt 2 1 s2", "convt 4 1 s2 p1", "convt 3 1 s2 p1 o1", "convt 3 1 p1", "unpool 2", "unpool 3 s2 p1"})
    expect_lossless({1, 9}, usual);
}

TEST(Losses, AreTracedToTheInput) {
  // 30 cells: 28 after the convolution, of which the second pool does not read the last two of 14.
  const Report report = report_of({1, 30}, "conv 3 1, max 2, max 4");
  ASSERT_EQ(report.losses.size(), 1u);
  EXPECT_EQ(report.losses[0].node, 3);
  EXPECT_EQ(to_string(report.losses[0].cells), "12-13");
  // Cell 12 of the pool reads 24 and 25 of the convolution, those 24 to 27 of the input; cell 11 reads up to 25.
  ASSERT_EQ(report.losses[0].of_input.size(), 1u);
  EXPECT_EQ(to_string(report.losses[0].of_input[0].second), "26-29");
  EXPECT_EQ(to_string(report.unseen[0]), "26-29");
  EXPECT_FALSE(report.losses[0].elsewhere);
}

TEST(Losses, MayBeSeenOnAnotherPath) {
  const Report report = report_of({1, 9}, "[ max 2 | conv 3 1 s2 p0:1 ] add");
  ASSERT_EQ(report.losses.size(), 1u);
  EXPECT_EQ(report.losses[0].node, 1);
  EXPECT_TRUE(report.losses[0].elsewhere);
  EXPECT_THAT(report.unseen[0].ranges(), IsEmpty());
}

TEST(Losses, OverlapsHideNothing) {
  // The cell that the pool leaves out was seen by the convolution's neighbouring cells.
  const Report report = report_of({1, 7}, "conv 3 1 p1, max 2");
  ASSERT_EQ(report.losses.size(), 1u);
  EXPECT_EQ(to_string(report.losses[0].cells), "6");
  EXPECT_THAT(report.losses[0].of_input, IsEmpty());
  EXPECT_THAT(report.unseen[0].ranges(), IsEmpty());
}

TEST(Losses, OnPurposeAreNotReported) {
  EXPECT_THAT(report_of({1, 9}, "crop 1").losses, IsEmpty());
  EXPECT_EQ(to_string(report_of({1, 9}, "slice 2 3:5").unseen[0]), "0-2, 5-8");
}

TEST(Losses, OfBothAxes) {
  const Report report = report_of({3, 7, 10}, "max 2x3");
  ASSERT_EQ(report.losses.size(), 2u);
  EXPECT_EQ(report.losses[0].dim, 2);
  EXPECT_EQ(to_string(report.losses[0].cells), "6");
  EXPECT_EQ(report.losses[1].dim, 3);
  EXPECT_EQ(to_string(report.losses[1].cells), "9");
}

TEST(Losses, InputSizesKeepEverything) {
  const Report report = report_of({1, 45, 61}, "max 2, max 2");
  ASSERT_FALSE(report.input_sizes.empty());
  EXPECT_EQ(report.input_sizes[0].substr(0, 5), "44x60");
  expect_lossless({1, 44, 60}, "max 2, max 2");
}

// Every size that is named is tried with all layers, those that interpolate or crop among them.
TEST(Losses, InputSizesKeepEverythingForAllLayers) {
  EXPECT_EQ(report_of({1, 9}, "resize 4").losses.size(), 1u);
  EXPECT_THAT(report_of({1, 9}, "resize 4").input_sizes, IsEmpty());  // 8 loses every other cell
  EXPECT_THAT(report_of({1, 9}, "max 2, resize 3").input_sizes, ElementsAre("6"));
  EXPECT_THAT(report_of({1, 13, 13}, "slice 2 1:-1, up 2, max 4").input_sizes, IsEmpty());  // no size brings back what is sliced off
  EXPECT_THAT(report_of({1, 9, 9}, "max 2, convt 1x1 2 p1").input_sizes, IsEmpty());
}

TEST(Losses, InputSizesAreFoundInLargeNetworks) {
  EXPECT_THAT(report_of({3, 62, 62}, "max 4, ( conv 3x3 3 p1 ) x5000").input_sizes, ElementsAre("60x60 or 64x64"));
}

TEST(Losses, OfNetworksWithTooManyGapsAreRefused) {
  try {
    report_of({1, 1 << 22}, "( conv 1 1 s2, up 2 ) x1000");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::unsupported);
    EXPECT_THAT(e.message(), testing::HasSubstr("more than 33554432 gaps altogether"));
  }
  EXPECT_FALSE(report_of({1, 1 << 20}, "conv 1 1 s2, conv 1 1 s2").losses.empty());  // counted from 0 again
}

TEST(Losses, InputSizesOfEachAxisAreFoundOnTheirOwn) {
  // No number of cells added to both 25 and 38 makes both even; 45 and 60 need multiples of 8.
  EXPECT_THAT(report_of({1, 25, 38}, "max 2").input_sizes, ElementsAre("24x38 or 26x38"));
  const std::string text = "conv 3 4 p1, max 2, conv 3 4 p1, max 4";
  EXPECT_THAT(report_of({1, 45, 60}, text).input_sizes, ElementsAre("40x56 or 48x64"));
  expect_lossless({1, 40, 56}, text);
  expect_lossless({1, 48, 64}, text);
  // Where windows leave gaps, no size helps.
  EXPECT_THAT(report_of({1, 25, 38}, "max 2 s3").input_sizes, IsEmpty());
}

}  // namespace tidepool::analyze
