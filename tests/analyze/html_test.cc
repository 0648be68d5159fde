// The page: its parts, its numbers, and that nothing in it can be anything but text. Browsers look at it in
// tests/scripts/analyze_pages_test.py.
#include "tidepool/analyze/html.h"

#include <gmock/gmock.h>

#include <string>

#include "analyze/explain.h"
#include "analyze/networks.h"
#include "analyze/page_fields.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

size_t count(const std::string& text, const std::string& piece) {
  size_t found = 0;
  for (size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

struct Analysed {
  Network network;
  Report report;
};

Analysed analysed(const Dims& shape, std::string_view text) {
  Network network = parse_network(shape, text);
  Report report = analyze(network);
  return {std::move(network), std::move(report)};
}

std::string page(const Dims& shape, std::string_view text) {
  const Analysed a = analysed(shape, text);
  return to_html(a.network, a.report);
}

}  // namespace

TEST(Html, HasARowForEveryLayerAndTheTotals) {
  const Analysed a = analysed({3, 224, 224}, test::resnet50());
  const std::string html = to_html(a.network, a.report, {.title = "ResNet-50"});
  EXPECT_THAT(html, StartsWith("<!doctype html>\n<html lang=\"en\">"));
  EXPECT_THAT(html, HasSubstr("<title>ResNet-50</title>"));
  EXPECT_EQ(count(html, "<tr id=\"l"), a.network.nodes().size());
  EXPECT_THAT(html, HasSubstr("25,557,032 trained values."));
  EXPECT_THAT(html, HasSubstr("<dd>4.1 G</dd>"));
  EXPECT_LT(html.size(), 400'000u);
  EXPECT_EQ(html, to_html(a.network, a.report, {.title = "ResNet-50"}));
}

TEST(Html, SaysWhatIsLost) {
  const std::string html = page({1, 7, 7}, "max 2");
  EXPECT_THAT(html, HasSubstr("<li class=\"lost\">"));
  EXPECT_THAT(html, HasSubstr("<code>ceil_mode</code>"));
  EXPECT_THAT(html, HasSubstr("<a href=\"#l1\">max_pool1</a> (max 2) loses row 6"));
  EXPECT_THAT(page({1, 8, 8}, "max 2"), HasSubstr("Nothing is lost"));
}

TEST(Html, NamesCannotLeaveTheirPlace) {
  const std::string evil = "</script></style><img src=x onerror=alert(1)>\"'&";
  Network net;
  const int image = net.input(evil, {1, 1, 9, 9});
  net.add(Unknown{evil}, {image}, evil + "2");
  net.add(Elementwise{.kind = Elementwise::Kind::activation, .function = evil}, {image}, "javascript:alert(1)");
  const std::string html = to_html(net, analyze(net), {.title = evil});
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("\"javascript:")));
  EXPECT_EQ(count(html, "</script>"), 2u);
  EXPECT_EQ(count(html, "</style>"), 1u);
  EXPECT_THAT(html, HasSubstr("&lt;/script&gt;&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"));
}

// Any rank that the analysis accepts.
TEST(Html, ScalarsAndManyDimensions) {
  for (const Dims& shape : {Dims{}, Dims{5}, Dims{2, 5}, Dims{1, 2, 4}, Dims{1, 2, 3, 4, 5, 6}, Dims{1, 1, 2, 1, 2, 1, 2, 3}}) {
    Network net;
    net.add(Elementwise{.kind = Elementwise::Kind::activation, .function = "relu"}, {net.input("x", shape)});
    const Report report = analyze(net);
    EXPECT_EQ(count(to_html(net, report), "<tr id=\"l"), 2u) << to_string(shape);
  }
  Network net;
  const int image = net.input("image", {1, 1, 4, 4}), weights = net.constant({1, 1, 1, 1}, 1, "scale");
  net.add(Merge{Merge::Kind::multiply, "mul"}, {image, weights});
  EXPECT_EQ(count(to_html(net, analyze(net)), "<tr id=\"l"), 3u);
}

TEST(Html, LoadsNothing) {
  const std::string html = page({3, 64, 64}, "conv 3x3 8 p1, relu, max 2");
  EXPECT_THAT(html, HasSubstr("content=\"default-src 'none'; style-src 'sha256-"));
  EXPECT_THAT(html, Not(HasSubstr("unsafe")));
  EXPECT_THAT(html, Not(HasSubstr("https:")));
  EXPECT_EQ(count(html, "http:"), count(html, "http://www.w3.org/2000/svg"));
  EXPECT_EQ(count(html, " style=\""), 0u);
  const Analysed a = analysed({1, 8, 8}, "max 2");
  EXPECT_THAT(to_html(a.network, a.report, {.picture_href = "data:image/png;base64,iVBO"}),
              HasSubstr("\"picture\":\"data:image/png;base64,iVBO\""));
  try {
    to_html(a.network, a.report, {.picture_href = "cat.png"});
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "to_html: picture_href must be a data: URI of an image, got 'cat.png'");
  }
}

TEST(PageFields, LayersThatSeeTheSameShareAnEntry) {
  const Analysed a = analysed({1, 8, 8}, "conv 3x3 4 p1, bn, relu, conv 1x1 4, max 2");
  const PageFields fields = page_fields(a.network, a.report, "");
  EXPECT_THAT(fields.entry, ElementsAre(0, 1, 1, 1, 1, 2));
  EXPECT_THAT(fields.json, HasSubstr("{\"name\":\"middle\",\"at\":[4,4],\"words\":\"rows 3-5 and columns 3-5\",\"exact\":true"));
  EXPECT_THAT(fields.json, HasSubstr("\"reach\":[-1,-1,3,3],\"field\":[\"M0 0h2v2h-2z\"]"));
}

TEST(PageFields, UnknownLayersAndHugeNetworks) {
  Network net;
  net.add(Unknown{"x"}, {net.input("image", {1, 1, 4, 4})});
  EXPECT_THAT(page_fields(net, analyze(net), "").entry, ElementsAre(0, -1));

  const Analysed huge = analysed({1, 64, 64}, "( conv 3x3 1 p1 ) x3000");
  const PageFields fields = page_fields(huge.network, huge.report, "");
  const auto left_out = std::count(fields.entry.begin(), fields.entry.end(), -1);
  EXPECT_GT(left_out, 2000);
  EXPECT_LT(left_out, 3000);
}

// A field of more ranges than dependence() lists does not cost the page.
TEST(PageFields, WhatCannotBeListedIsLeftOut) {
  const Network net = parse_network({1, int64_t{1} << 30}, "conv 1 1 s2, mean");
  EXPECT_THAT(page_fields(net, Report(), "").entry, ElementsAre(0, 1, -1));
}

TEST(Explain, SumsAreThoseOfTheLayer) {
  const Analysed a = analysed({3, 32, 30}, "conv 3x3 8 s2 p1, conv 3x3 16 p2 d2 g4 nobias, bn, max 3 s2, gap, flatten, linear 10");
  EXPECT_EQ(explain_shape(a.network, 1),
            "8 channels of 16 × 15 cells. (input + padding − window) / stride + 1: (32 + 1 + 1 − 3) / 2 + 1 = 16, rounded down; (30 + 1 + "
            "1 − 3) / 2 + "
            "1 = 15, rounded down.");
  EXPECT_EQ(explain_field(a.network, a.report, 2),
            "One cell of this layer sees 11 × 11 cells of the input, from the first to the last. A cell of the layer before sees 3, and "
            "those cells "
            "are 2 apart on the input: 3 + (3 − 1) × dilation 2 × 2 = 11. Between them are holes: 2 positions that it does not see.");
  EXPECT_EQ(explain_stride(a.network, a.report, 4),
            "The fields of neighbouring cells are 4 cells of the input apart. It was 2 before, and the windows of this layer are 2 apart: "
            "2 × 2 = 4. The "
            "field of the first cell begins 5 cells before the input: that is the effective padding.");
  EXPECT_EQ(explain_stride(a.network, a.report, 5), "All cells of this layer see the same part of the input.");
  EXPECT_EQ(explain_parameters(a.network, 1), "224 trained values: 8 × 3 × 3 × 3 weights and 8 biases.");
  EXPECT_EQ(explain_parameters(a.network, 2), "288 trained values: 16 × 2 × 3 × 3 weights, no bias.");
  EXPECT_EQ(explain_parameters(a.network, 3), "32 trained values: 2 for each channel.");
  EXPECT_EQ(explain_parameters(a.network, 7), "170 trained values: 16 × 10 weights and 10 biases.");
  EXPECT_EQ(explain_parameters(a.network, 4), "Nothing is trained in this layer.");
  EXPECT_EQ(explain_multiply_adds(a.network, 2), "69,120 multiplications, each with an addition: 288 weights at 240 positions.");
  EXPECT_THAT(explain_memory(a.network, a.report, 1), StartsWith("The output has 1 × 8 × 16 × 15 numbers, 7,680 bytes."));
  EXPECT_THAT(explain_memory(a.network, a.report, 6), StartsWith("The output is the memory of the input under another shape."));
}

}  // namespace tidepool::analyze
