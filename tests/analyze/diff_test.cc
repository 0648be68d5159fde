// Two networks side by side: how layers are paired, the table, and the summary.
#include "tidepool/analyze/diff.h"

#include <gmock/gmock.h>

#include <sstream>

#include "analyze/columns.h"
#include "analyze/networks.h"
#include "tidepool/analyze/text.h"

namespace tidepool::analyze {

using testing::HasSubstr;

namespace {

std::string pairs_text(const Network& a, const Network& b) {
  std::string text;
  for (const LayerPair& pair : paired_layers(a, b))
    text += (pair.a < 0 ? "-" : std::to_string(pair.a)) + (pair.same ? "=" : ":") + (pair.b < 0 ? "-" : std::to_string(pair.b)) + " ";
  return text;
}

std::string pairs_text(std::string_view a, std::string_view b) {
  return pairs_text(parse_network({3, 64, 64}, a), parse_network({3, 64, 64}, b));
}

std::string table_of(std::string_view a, std::string_view b, const DiffOptions& options = {}) {
  const Network net_a = parse_network({3, 64, 64}, a), net_b = parse_network({3, 64, 64}, b);
  const Report report_a = analyze(net_a), report_b = analyze(net_b);
  return diff_table({net_a, report_a, "A"}, {net_b, report_b, "B"}, options);
}

constexpr auto pools = "conv 3x3 32 p1, relu, max 2, conv 3x3 64 p1, relu, max 2";
constexpr auto strides = "conv 3x3 32 p1, bn, relu, conv 3x3 32 s2 p1, conv 3x3 64 p1, bn, relu, conv 3x3 64 s2 p1";

}  // namespace

TEST(Pairs, OfANetworkWithItselfAreAllLayers) { EXPECT_EQ(pairs_text(pools, pools), "0=0 1=1 2=2 3=3 4=4 5=5 6=6 "); }

TEST(Pairs, PutStridedConvolutionsInThePlaceOfPools) { EXPECT_EQ(pairs_text(pools, strides), "0=0 1=1 -:2 2=3 3:4 4=5 -:6 5=7 6:8 "); }

TEST(Pairs, LeaveAddedAndRemovedLayersAlone) {
  EXPECT_EQ(pairs_text("conv 3x3 8, relu, max 2", "conv 3x3 8, max 2"), "0=0 1=1 2:- 3=2 ");
  EXPECT_EQ(pairs_text("conv 3x3 8, max 2", "conv 3x3 8, relu, max 2"), "0=0 1=1 -:2 2=3 ");
  EXPECT_EQ(pairs_text("softmax", "gap"), "0=0 1:- -:1 ");
}

TEST(Pairs, HoldEveryLayerOnceAndInOrder) {
  const Network a = parse_network({3, 224, 224}, test::resnet50());
  const Network b =
      parse_network({3, 224, 224}, "conv 7x7 64 s2 p3, max 3 s2 p1, ( conv 3x3 64 p1, bn, relu ) x40, gap, flatten, linear 1000");
  int in_a = 0, in_b = 0;
  for (const LayerPair& pair : paired_layers(a, b)) {
    EXPECT_TRUE(pair.a == -1 || pair.a == in_a++);
    EXPECT_TRUE(pair.b == -1 || pair.b == in_b++);
  }
  EXPECT_EQ(in_a, static_cast<int>(a.nodes().size()));
  EXPECT_EQ(in_b, static_cast<int>(b.nodes().size()));
}

TEST(Pairs, OfHugeNetworksKeepTheirEnds) {
  const Network a = parse_network({1, 8}, "max 1, ( relu ) x9000, max 2"), b = parse_network({1, 8}, "max 1, ( sigmoid ) x8000, max 2");
  const auto pairs = paired_layers(a, b);
  EXPECT_EQ(pairs.size(), 9003u);
  EXPECT_TRUE(pairs[1].same);
  EXPECT_TRUE(pairs.back().same);
  EXPECT_EQ(pairs.back().b, 8002);
}

TEST(Diff, AsATable) {
  EXPECT_EQ(table_of(pools, strides, {.columns = 140}),
            "A                   output  field  params  mult-adds     bytes     B                      output  field  params  mult-adds    "
            " bytes\n"
            "input            1x3x64x64      1                      49.2 kB  =  input               1x3x64x64      1                      "
            "49.2 kB\n"
            "conv 3x3 32 p1  1x32x64x64      3     896      3.5 M  524.3 kB  =  conv 3x3 32 p1     1x32x64x64      3     896      3.5 M  "
            "524.3 kB\n"
            "                                                                >  bn                 1x32x64x64      3      64             "
            "524.3 kB\n"
            "relu            1x32x64x64      3                     524.3 kB  =  relu               1x32x64x64      3                     "
            "524.3 kB\n"
            "max 2           1x32x32x32      4                     131.1 kB  ~  conv 3x3 32 s2 p1  1x32x32x32      5   9,248      9.4 M  "
            "131.1 kB\n"
            "conv 3x3 64 p1  1x64x32x32      8  18,496     18.9 M  262.1 kB  =  conv 3x3 64 p1     1x64x32x32      9  18,496     18.9 M  "
            "262.1 kB\n"
            "                                                                >  bn                 1x64x32x32      9     128             "
            "262.1 kB\n"
            "relu            1x64x32x32      8                     262.1 kB  =  relu               1x64x32x32      9                     "
            "262.1 kB\n"
            "max 2           1x64x16x16     10                      65.5 kB  ~  conv 3x3 64 s2 p1  1x64x16x16     13  36,928      9.4 M   "
            "65.5 kB\n"
            "\n"
            "                        A         B  ratio\n"
            "parameters         19,392    65,760   3.39\n"
            "multiply-adds      22.4 M    41.3 M   1.84\n"
            "outputs            1.8 MB    2.6 MB   1.44\n"
            "peak, inference    1.1 MB    1.1 MB      1\n"
            "peak, training     1.6 MB    2.3 MB    1.4\n"
            "moved              3.6 MB    5.4 MB   1.49\n"
            "time             360.0 us  535.8 us   1.49\n"
            "\n"
            "B has 3.39 times the parameters (65,760 instead of 19,392), 1.84 times the multiply-adds (41.3 M instead of 22.4 M) and 1.4 "
            "times the peak\n"
            "memory of training (2.3 MB instead of 1.6 MB); the output of both is 1x64x16x16, in B with a field of 13 instead of 10.\n");
}

TEST(Diff, SaysWhatIsTheSame) {
  EXPECT_THAT(table_of("max 2", "max 2", {.columns = 400}),
              HasSubstr("B has the same parameters (0), the same multiply-adds (0) and the same peak memory of "
                        "training ("));
  EXPECT_THAT(table_of("max 2", "max 2", {.columns = 400}), HasSubstr("; the output of both is 1x3x32x32 with a field of 2.\n"));
  EXPECT_THAT(table_of("max 2", "max 4", {.columns = 400}),
              HasSubstr("; its output is 1x3x16x16 instead of 1x3x32x32, with a field of 4 instead of 2.\n"));
}

TEST(Diff, HasNoRatioToNothing) {
  EXPECT_THAT(table_of("max 2", "conv 2x2 3 s2 nobias", {.columns = 400}),
              HasSubstr("B has 36 parameters instead of 0, 36,864 multiply-adds instead of 0 and "));
}

TEST(Diff, KeepsWithinTheWidth) {
  for (const int columns : {20, 40, 60, 80, 100, 140}) {
    std::istringstream lines(table_of(pools, strides, {.columns = columns}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(width_of(line), static_cast<size_t>(columns)) << line;
  }
}

TEST(Diff, LeavesTheSameColumnsOutOnBothSides) {
  EXPECT_THAT(table_of(pools, strides, {.columns = 100}),
              HasSubstr("A                   output  field  params     B                      output  field  params\n"));
  EXPECT_THAT(table_of(pools, strides, {.columns = 100}), HasSubstr("Too narrow for: mult-adds, bytes.\n"));
}

TEST(Diff, FoldsIntoAList) {
  const std::string table = table_of("conv 3x3 8, max 2", "conv 3x3 8, avg 2", {.columns = 30});
  EXPECT_THAT(table,
              HasSubstr("A max 2, output 1x8x31x31,\n  field 4, bytes 30.8 kB\nB avg 2, output 1x8x31x31,\n  field 4, bytes 30.8 kB\n"));
}

TEST(Diff, HasColoursOnlyIfAsked) {
  EXPECT_EQ(table_of(pools, strides).find('\033'), std::string::npos);
  EXPECT_THAT(table_of(pools, strides, {.colour = true}), HasSubstr("\033[33mmax 2"));
}

}  // namespace tidepool::analyze
