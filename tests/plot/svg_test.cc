#include "tidepool/plot/svg.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tidepool/creation.h"

namespace tidepool::plot {
namespace {

int count(const std::string& text, const std::string& piece) {
  int found = 0;
  for (size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

TEST(LineChart, DrawsEverySeriesWithItsName) {
  const std::string svg = line_chart({"Loss", "step", "loss"}, {{"max", {0, 1, 2}, {2.3, 1, 0.5}}, {"a<b>&\"", {0, 2}, {2.3, 0.1}}});
  EXPECT_TRUE(svg.starts_with("<svg xmlns="));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(count(svg, "<path class=\"p c"), 2);
  EXPECT_EQ(count(svg, "prefers-color-scheme:dark"), 2);
  EXPECT_EQ(count(svg, "a&lt;b&gt;&amp;&quot;"), 1);
  EXPECT_EQ(svg.find("a<b"), std::string::npos);
}

// x from 0 to 2 over 64…620, y from 0 to 4 over 314…62.
TEST(LineChart, PutsPointsWhereTheyBelong) {
  const std::string svg = line_chart({"t", "x", "y"}, {{"s", {0, 1, 2}, {0, 4, 1}}});
  EXPECT_NE(svg.find("d=\"M64 314L342 62L620 251\""), std::string::npos) << svg;
  for (const char* tick : {">0<", ">1<", ">2<", ">3<", ">4<"}) EXPECT_NE(svg.find(tick), std::string::npos) << tick;
}

// y from 0.01 to 1 over 314…62: a tenth lies in the middle.
TEST(LineChart, DrawsLogarithms) {
  const std::string svg = line_chart({"t", "x", "y", true}, {{"s", {0, 1, 2, 3}, {1, 0.1, 0, 0.01}}});
  EXPECT_NE(svg.find("d=\"M64 62L249.3 188L620 314\""), std::string::npos) << svg;
  for (const char* tick : {">0.01<", ">0.02<", ">0.05<", ">0.1<", ">0.5<", ">1<"}) EXPECT_NE(svg.find(tick), std::string::npos) << tick;
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(LineChart, ThinsLongSeriesByTheirMean) {
  Series line{"s", {}, {}};
  for (int i = 0; i < 4000; ++i) line.x.push_back(i), line.y.push_back(i % 2);
  const std::string svg = line_chart({"t", "x", "y"}, {line});
  EXPECT_EQ(count(svg, "L"), 399);
  EXPECT_LT(svg.size(), 10000u);
}

TEST(LineChart, LeavesOutWhatIsNoNumber) {
  const std::string svg = line_chart({"t", "x", "y"}, {{"s", {0, 1, 2}, {1, std::nan(""), INFINITY}}, {"empty", {}, {}}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_THROW(line_chart({}, {{"s", {1}, {}}}), Error);
}

TEST(ConfusionMatrix, ShowsCountsAndMarksMistakes) {
  const std::string svg = confusion_matrix("Test", Tensor::from<int64_t>({2, 2}, {9, 1, 0, 25}), {"cat", "dog"});
  EXPECT_EQ(count(svg, "<rect class=\"h\""), 2);
  EXPECT_EQ(count(svg, "<rect class=\"m\""), 2);
  for (const char* words : {">9<", ">1<", ">25<", ">cat<", ">dog<"}) EXPECT_NE(svg.find(words), std::string::npos) << words;
  EXPECT_EQ(svg.find(">0<"), std::string::npos) << "zeros are left blank";
  EXPECT_NE(svg.find("fill-opacity=\"0.65\""), std::string::npos) << "a row without mistakes";
  EXPECT_THROW(confusion_matrix("Test", zeros({2, 2}), {"a", "b"}), Error);
  EXPECT_THROW(confusion_matrix("Test", zeros({2, 2}, DType::i64), {"a"}), Error);
}

}  // namespace
}  // namespace tidepool::plot
