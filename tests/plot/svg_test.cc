#include "tidepool/plot/svg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "plot/svg_text.h"
#include "tidepool/creation.h"

namespace tidepool::plot {
namespace {

int count(const std::string& text, const std::string& piece) {
  int found = 0;
  for (size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

struct Marks {
  double low, high;
  std::vector<double> expected;
};

void expect_marks(const Marks& row, const std::vector<double>& got) {
  ASSERT_EQ(got.size(), row.expected.size()) << row.low << " to " << row.high;
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], row.expected[i], 1e-9 * std::abs(row.high)) << row.low << " to " << row.high;
}

// Steps of 1, 2 and 5 times a power of ten, and no mark outside the axis.
TEST(Ticks, AreTheRoundNumbersOfTheAxis) {
  for (const Marks& row : std::vector<Marks>{{0, 5, {0, 1, 2, 3, 4, 5}},
                                             {0, 4.9, {0, 1, 2, 3, 4}},
                                             {0, 5.1, {0, 2, 4}},
                                             {0, 10, {0, 2, 4, 6, 8, 10}},
                                             {0, 10.1, {0, 5, 10}},
                                             {0, 25, {0, 5, 10, 15, 20, 25}},
                                             {0, 25.1, {0, 10, 20}},
                                             {0, 50, {0, 10, 20, 30, 40, 50}},
                                             {0, 0.5, {0, .1, .2, .3, .4, .5}},
                                             {-3, 3, {-2, 0, 2}},
                                             {-7.5, -2.5, {-7, -6, -5, -4, -3}},
                                             {998, 1003, {998, 999, 1000, 1001, 1002, 1003}},
                                             {1000, 4000, {1000, 2000, 3000, 4000}}})
    expect_marks(row, ticks(row.low, row.high, 5));
  expect_marks({0, 12, {0, 2, 4, 6, 8, 10, 12}}, ticks(0, 12, 6));
}

// A range of 10000 and more has the powers of ten alone.
TEST(Ticks, OfALogarithmicAxisAreThoseInsideIt) {
  for (const Marks& row : std::vector<Marks>{{1, 10, {1, 2, 5, 10}},
                                             {0.01, 1, {.01, .02, .05, .1, .2, .5, 1}},
                                             {0.03, 0.3, {.05, .1, .2}},
                                             {1.5, 6, {2, 5}},
                                             {2, 20, {2, 5, 10, 20}},
                                             {2.1, 19, {5, 10}},
                                             {5, 5000, {5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000}},
                                             {1, 10000, {1, 10, 100, 1000, 10000}},
                                             {0.2, 60000, {1, 10, 100, 1000, 10000}}})
    expect_marks(row, log_ticks(row.low, row.high));
}

TEST(Numbers, HaveSixDigitsAndCoordinatesATenth) {
  for (const auto& [value, text] : std::vector<std::pair<double, std::string>>{
           {0, "0"}, {-0.0, "0"}, {12, "12"}, {-0.25, "-0.25"}, {1e-5, "1e-05"}, {1234567, "1.23457e+06"}, {1.0 / 3, "0.333333"}})
    EXPECT_EQ(number(value), text);
  for (const auto& [value, text] : std::vector<std::pair<double, std::string>>{
           {0, "0"}, {10, "10"}, {10.04, "10"}, {10.06, "10.1"}, {-3.5, "-3.5"}, {249.333, "249.3"}})
    EXPECT_EQ(pixel(value), text);
}

TEST(Escaped, LeavesNothingThatXmlDoesNotAllow) {
  EXPECT_EQ(escaped("x&y<z>\"q\"&&"), "x&amp;y&lt;z&gt;&quot;q&quot;&amp;&amp;");
  EXPECT_EQ(escaped("a\tb\nc\x01 'd'"), "a b c  'd'");
  EXPECT_EQ(escaped("\xc3\xa9"), "\xc3\xa9");
}

// Everything behind the style.
std::string drawing(const std::string& svg) {
  const std::string end_of_style = "</style>\n";
  const size_t at = svg.find(end_of_style);
  return at == std::string::npos ? "no style" : svg.substr(at + end_of_style.size());
}

TEST(LineChart, IsThisDocument) {
  const std::string svg = line_chart({"Title <1>", "x & x", "y > y"}, {{"one", {0, 1, 2}, {0, 4, 1}}, {"two\"", {0, 2}, {2, 3}}});
  EXPECT_TRUE(
      svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"360\" viewBox=\"0 0 640 360\" role=\"img\">\n"
                      "<title>Title &lt;1&gt;</title><desc>y &gt; y against x &amp; x</desc>\n<style>"))
      << svg;
  EXPECT_NE(
      svg.find(".c0{stroke:#0969da}.c1{stroke:#cf222e}@media(prefers-color-scheme:dark){.c0{stroke:#58a6ff}.c1{stroke:#ff7b72}}</style>"),
      std::string::npos)
      << svg;
  EXPECT_EQ(drawing(svg), R"(<rect class="card" x=".5" y=".5" width="639" height="359" rx="6"/>
<text class="t l" x="20" y="28">Title &lt;1&gt;</text>
<path class="g" d="M64 314H620"/><text class="s e" x="56" y="318">0</text>
<path class="g" d="M64 251H620"/><text class="s e" x="56" y="255">1</text>
<path class="g" d="M64 188H620"/><text class="s e" x="56" y="192">2</text>
<path class="g" d="M64 125H620"/><text class="s e" x="56" y="129">3</text>
<path class="g" d="M64 62H620"/><text class="s e" x="56" y="66">4</text>
<text class="s" x="64" y="332">0</text>
<text class="s" x="203" y="332">0.5</text>
<text class="s" x="342" y="332">1</text>
<text class="s" x="481" y="332">1.5</text>
<text class="s" x="620" y="332">2</text>
<text class="s" x="342" y="350">x &amp; x</text>
<text class="s l" x="20" y="50">y &gt; y</text>
<path class="p c1" d="M64 188L620 125"/>
<text class="s e" x="620" y="28">two&quot;</text><path class="k c1" d="M570 24h14"/>
<path class="p c0" d="M64 314L342 62L620 251"/>
<text class="s e" x="552" y="28">one</text><path class="k c0" d="M509 24h14"/>
</svg>
)");
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

TEST(ConfusionMatrix, IsThisDocument) {
  const std::string svg = confusion_matrix("Test & more", Tensor::from<int64_t>({2, 2}, {9, 1, 0, 25}), {"cat", "<dog>"});
  EXPECT_TRUE(
      svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"320\" height=\"174\" viewBox=\"0 0 320 174\" role=\"img\">\n"
                      "<title>Test &amp; more</title><desc>rows: the true class, columns: the predicted one</desc>\n<style>"))
      << svg;
  EXPECT_EQ(drawing(svg), R"(<rect class="card" x=".5" y=".5" width="319" height="173" rx="6"/>
<text class="t l" x="20" y="28">Test &amp; more</text>
<text class="s l" x="70" y="50">predicted</text><text class="s e" x="58" y="66">true</text>
<text class="s" x="89" y="66">cat</text><text class="s e" x="58" y="98">cat</text>
<rect class="h" x="70" y="74" width="38" height="38" rx="3" fill-opacity="0.62"/><text x="89" y="98">9</text>
<rect class="m" x="110" y="74" width="38" height="38" rx="3" fill-opacity="0.24"/><text x="129" y="98">1</text>
<text class="s" x="129" y="66">&lt;dog&gt;</text><text class="s e" x="58" y="138">&lt;dog&gt;</text>
<rect class="m" x="70" y="114" width="38" height="38" rx="3" fill-opacity="0.05"/>
<rect class="h" x="110" y="114" width="38" height="38" rx="3" fill-opacity="0.65"/><text x="129" y="138">25</text>
</svg>
)");
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
