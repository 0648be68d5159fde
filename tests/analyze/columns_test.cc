// Columns and paragraphs that keep within a width.
#include "analyze/columns.h"

#include <gmock/gmock.h>

namespace tidepool::analyze {

using testing::ElementsAre;

namespace {

std::vector<Column> three_columns() {
  return {{.title = "name", .cells = {"a", "a name that is longer than 24 characters"}, .cuttable = true},
          {.title = "x", .cells = {"1", "22"}, .right = true, .drop = 1},
          {.title = "y", .cells = {"4444", "5"}, .right = true, .drop = 2}};
}

}  // namespace

TEST(Columns, AreAlignedAndEndWithoutSpaces) {
  const auto rows = aligned_rows(three_columns(), 100);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->header, "name                                       x     y");
  EXPECT_THAT(rows->lines,
              ElementsAre("a                                          1  4444", "a name that is longer than 24 characters  22     5"));
  EXPECT_THAT(rows->dropped, ElementsAre());
}

TEST(Columns, AreCutThenDroppedThenCutAgain) {
  EXPECT_THAT(aligned_rows(three_columns(), 40)->lines,
              ElementsAre("a                          1  4444", "a name that is longer t…  22     5"));
  const auto narrow = aligned_rows(three_columns(), 29);
  EXPECT_THAT(narrow->lines, ElementsAre("a                          1", "a name that is longer t…  22"));
  EXPECT_THAT(narrow->dropped, ElementsAre("y"));
  const auto narrowest = aligned_rows(three_columns(), 12);
  EXPECT_THAT(narrowest->lines, ElementsAre("a", "a name that…"));
  EXPECT_THAT(narrowest->dropped, ElementsAre("y", "x"));
  EXPECT_FALSE(aligned_rows(three_columns(), 11));
}

TEST(Columns, WithoutContentsAreLeftOut) {
  auto columns = three_columns();
  columns[1].cells = {"", ""};
  const auto rows = aligned_rows(columns, 100);
  EXPECT_EQ(rows->header, "name                                         y");
  EXPECT_THAT(rows->dropped, ElementsAre());
}

TEST(Columns, CutCountsCharactersNotBytes) {
  EXPECT_EQ(width_of("größe"), 5u);
  EXPECT_EQ(cut("größe", 5), "größe");
  EXPECT_EQ(cut("größe", 4), "grö…");
  EXPECT_EQ(cut("größe", 4, true), "…öße");
  EXPECT_EQ(cut("größe", 1), "…");
  EXPECT_EQ(cut("größe", 0), "");
}

TEST(Paragraph, BreaksBetweenWordsAndInsideLongOnes) {
  EXPECT_EQ(paragraph("one two three", 100, "- "), "- one two three\n");
  EXPECT_EQ(paragraph("one two three", 9, "- "), "- one two\n  three\n");
  EXPECT_EQ(paragraph("abcdefghij k", 6, "- "), "- abcd\n  efgh\n  ij k\n");
  EXPECT_EQ(paragraph("ööööö", 4, "- "), "- öö\n  öö\n  ö\n");
  EXPECT_EQ(paragraph("", 10, "- "), "- \n");
  EXPECT_EQ(folded_list({"pad 1", "bytes 9"}, 8), "pad 1,\nbytes 9\n");
}

}  // namespace tidepool::analyze
