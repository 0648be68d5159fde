// Each kind of finding, as the whole sentence that a reader sees.
#include "tidepool/analyze/findings.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tidepool/analyze/text.h"

namespace tidepool::analyze {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

using Kind = Finding::Kind;

std::vector<Finding> findings_of(const Network& net) { return findings(net, analyze(net)); }
std::vector<Finding> findings_of(const Dims& shape, std::string_view text) { return findings_of(parse_network(shape, text)); }

}  // namespace

TEST(Findings, ThereAreNoneInAChainThatFits) {
  EXPECT_THAT(findings_of({3, 64, 64}, "conv 3x3 6 p1, max 2, conv 3x3 12 p1, max 2"), IsEmpty());
}

TEST(Findings, LostRowsAndColumnsOfOneLayerAreOneSentence) {
  const auto found = findings_of({1, 7, 7}, "max 2");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].kind, Kind::lost);
  EXPECT_EQ(found[0].node, 1);
  EXPECT_EQ(found[0].text, "max_pool1 (max 2) loses row 6 of 7 and column 6 of 7 (of the input: row 6 and column 6).");
  EXPECT_THAT(found[0].remedies, Contains("ceil_mode"));
  EXPECT_THAT(found[0].remedies, Contains("a layer input of 6 or 8 along h and w"));
  EXPECT_EQ(found[1].kind, Kind::unseen);
  EXPECT_EQ(found[1].node, -1);
  EXPECT_EQ(found[1].text, "No output depends on row 6 of 7 and column 6 of 7 of the input.");
  EXPECT_THAT(found[1].remedies, ElementsAre("an input of 6x6 or 8x8"));
}

TEST(Findings, NameTheAxesThatARemedyIsFor) {
  // Along h the last row is left over; along w windows of 2 have gaps between them.
  const auto found = findings_of({1, 7, 7}, "max 2 s2x3");
  EXPECT_THAT(found.at(0).remedies, Contains("ceil_mode along h"));
  EXPECT_THAT(findings_of({1, 7, 8}, "max 2").at(0).remedies, Contains("ceil_mode"));
}

TEST(Findings, WhatOtherCellsSeeToo) {
  // Row 63 of the pool's input is not read, but the convolution saw what it stands for from the row above.
  const auto found = findings_of({1, 63, 64}, "conv 3x3 4 p1, max 2");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].text, "max_pool1 (max 2) loses row 62 of 63 (nothing of the input: the cells that it keeps depend on the same part).");
}

TEST(Findings, WhatAnotherPathReads) {
  const auto found = findings_of({4, 8, 8}, "[ conv 1x1 4 s2 | max 2 ] add");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, Kind::lost);
  EXPECT_EQ(found[0].text,
            "conv1 (conv 1x1 4 s2) loses rows 1, 3, 5, 7 of 8 and columns 1, 3, 5, 7 of 8 (nothing of the input: another path reads the "
            "same part).");
}

TEST(Findings, ManyPositionsAreCounted) {
  const auto found = findings_of({1, 64, 64}, "max 1 s3");
  EXPECT_EQ(found.at(0).text,
            "max_pool1 (max 1 s3) loses 42 rows (1-2, 4-5, 7-8, 10-11, …) of 64 and 42 columns (1-2, 4-5, 7-8, 10-11, …) of 64 (of the "
            "input: 42 rows "
            "(1-2, 4-5, 7-8, 10-11, …) and 42 columns (1-2, 4-5, 7-8, 10-11, …)).");
}

TEST(Findings, OtherAxesHaveOtherWords) {
  EXPECT_EQ(findings_of({1, 7}, "max 2").at(0).text, "max_pool1 (max 2) loses position 6 of 7 (of the input: position 6).");
  EXPECT_EQ(findings_of({1, 1, 5, 8, 8}, "max 2").at(0).text, "max_pool1 (max 2) loses slice 4 of 5 (of the input: slice 4).");
}

TEST(Findings, OfOneOfTwoInputsNameIt) {
  Network net;
  const int left = net.input("left", {1, 1, 7, 8}), right = net.input("right", {1, 1, 3, 4});
  const int pooled = net.add(parse_network({1, 7, 8}, "max 2").node(1).layer, {left});
  net.add(Merge{}, {pooled, right});
  const auto found = findings_of(net);
  ASSERT_THAT(found, SizeIs(testing::Ge(2)));
  EXPECT_EQ(found[0].text, "max_pool1 (max 2) loses row 6 of 7 (of the input 'left': row 6).");
  EXPECT_EQ(found.back().text, "No output depends on row 6 of 7 of the input 'left'.");
}

TEST(Findings, PathsWithOtherMiddlesAreMisaligned) {
  const auto found = findings_of({1, 8, 8}, "[ max 2 s1 | crop 0:1 ] add");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].kind, Kind::misaligned);
  EXPECT_EQ(found[0].text,
            "add1 (add) joins paths that are not aligned along h and w: stride 1 and the middle of cell 0 at 1/2 and stride 1 and the "
            "middle of cell 0 "
            "at 0 of the input.");
  EXPECT_THAT(found[0].remedies, ElementsAre("kernel sizes or padding with the same middle on every path"));
}

TEST(Findings, PathsWithOtherStridesAreMisaligned) {
  const auto found = findings_of({1, 8, 8}, "[ max 2 | crop 2 ] add");
  const auto at = std::ranges::find(found, Kind::misaligned, &Finding::kind);
  ASSERT_NE(at, found.end());
  EXPECT_THAT(at->text, testing::HasSubstr("stride 2 and the middle of cell 0 at 1/2 and stride 1 and the middle of cell 0 at 2"));
  EXPECT_THAT(at->remedies, ElementsAre("strides with the same product on every path"));
}

TEST(Findings, LayersBehindAFieldThatCoversTheInputAreUnproductive) {
  // Fields 1, 3, 5, 7, 9: the last two convolutions begin with more than the five rows that there are, relu changes nothing.
  const auto found = findings_of({1, 5, 5}, "( conv 3x3 4 p1, relu ) x5");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].kind, Kind::unproductive);
  EXPECT_EQ(found[0].text,
            "Along h and w, the field before conv4 and conv5 is 7 cells, more than the 5 of the input: these layers see nothing new.");
  EXPECT_THAT(found[0].remedies, ElementsAre("an input of at least 9 along h and w", "fewer or smaller strides before conv4"));
}

TEST(Findings, AxesAreGroupedByThemselves) {
  const auto found = findings_of({1, 5, 3}, "( conv 3x3 4 p1 ) x4");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].text,
            "Along w, the field before conv3 and conv4 is 5 cells, more than the 3 of the input: these layers see nothing new.");
  EXPECT_EQ(found[1].text, "Along h, the field before conv4 is 7 cells, more than the 5 of the input: the layer sees nothing new.");
}

TEST(Findings, LayersThatSomePathStillNeedsAreCritical) {
  const auto found = findings_of({4, 8, 8}, "[ ( conv 3x3 4 p1 ) x5 | ] add, conv 3x3 4 p1");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].kind, Kind::unproductive);
  EXPECT_EQ(found[1].kind, Kind::critical);
  EXPECT_EQ(found[1].text,
            "Along h and w, the field before conv6 is 11 cells, more than the 8 of the input: the layer sees something new only on the "
            "paths with "
            "smaller fields.");
  EXPECT_THAT(found[1].remedies, Contains("an input of at least 11 along h and w"));
}

TEST(Findings, GlobalPoolingIsNotUnproductive) {
  EXPECT_THAT(findings_of({1, 5, 5}, "( conv 3x3 4 p1 ) x3, gap, flatten, linear 10"), IsEmpty());
}

TEST(Findings, UnknownLayersAndWhatTheyBlock) {
  Network net;
  const int x = net.input("image", {1, 1, 7, 7});
  const int odd = net.add(Unknown{"NonMaxSuppression"}, {x}, "nms");
  const int next = net.add(Elementwise{.function = "relu"}, {odd}, "after");
  for (int i = 0; i < 5; ++i) net.add(Elementwise{.function = "relu"}, {next});
  net.add(Unknown{"Odd"}, {x}, "alone");
  const auto found = findings_of(net);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].kind, Kind::unknown);
  EXPECT_EQ(found[0].node, odd);
  EXPECT_EQ(found[0].text, "The layer nms (NonMaxSuppression) is not known, so after to relu5 (6 layers) are not analysed.");
  EXPECT_EQ(found[1].text, "The layer alone (Odd) is not known.");
}

TEST(Findings, ComeInTheOrderOfTheNetwork) {
  const auto found = findings_of({1, 9, 9}, "max 2, ( conv 3x3 4 p1 ) x4, max 3");
  EXPECT_TRUE(std::ranges::is_sorted(found.begin(), found.end() - 1, {}, &Finding::node));
  EXPECT_EQ(found.back().node, -1);
}

TEST(Findings, NamesCannotBreakTheLine) {
  Network net;
  const int x = net.input("in\nput", {1, 1, 7, 8});
  net.add(parse_network({1, 7, 8}, "max 2").node(1).layer, {x}, "a\033[31m\n" + std::string(500, 'x'));
  for (const Finding& finding : findings_of(net)) {
    EXPECT_EQ(finding.text.find_first_of("\n\033"), std::string::npos) << finding.text;
    EXPECT_LT(finding.text.size(), 400u);
  }
}

}  // namespace tidepool::analyze
