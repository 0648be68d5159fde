// Each kind of finding, as the whole sentence that a reader sees.
#include "tidepool/analyze/findings.h"

#include <gmock/gmock.h>

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
  EXPECT_THAT(found[0].remedies, Contains("an input of 6 or 8 along h and w"));
  EXPECT_EQ(found[1].kind, Kind::unseen);
  EXPECT_EQ(found[1].node, -1);
  EXPECT_EQ(found[1].text, "No output depends on row 6 of 7 and column 6 of 7 of the input.");
  EXPECT_THAT(found[1].remedies, ElementsAre("an input of 6x6 or 8x8"));
}
}  // namespace tidepool::analyze
