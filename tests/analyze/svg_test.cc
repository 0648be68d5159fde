// The pictures: what they draw is what dependence() says, names are text, and their size has limits.
#include "tidepool/analyze/svg.h"

#include <gmock/gmock.h>

#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyze/field_planes.h"
#include "analyze/markup.h"
#include "analyze/networks.h"
#include "tidepool/analyze/dependence.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

namespace {

using CellSet = std::set<std::pair<int64_t, int64_t>>;  // row and column

size_t count(const std::string& text, const std::string& piece) {
  size_t found = 0;
  for (size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

CellSet cells_of_path(const std::string& path) {
  CellSet cells;
  static const std::regex rectangle("M(-?\\d+) (-?\\d+)h(\\d+)v(\\d+)h-(\\d+)z");
  size_t read = 0;
  for (std::sregex_iterator it(path.begin(), path.end(), rectangle), end; it != end; ++it) {
    read += static_cast<size_t>(it->length());
    EXPECT_EQ((*it)[3], (*it)[5]);
    const int64_t x = std::stoll((*it)[1]), y = std::stoll((*it)[2]), w = std::stoll((*it)[3]), h = std::stoll((*it)[4]);
    for (int64_t row = y; row < y + h; ++row)
      for (int64_t col = x; col < x + w; ++col) cells.emplace(row, col);
  }
  EXPECT_EQ(read, path.size()) << "something else than rectangles";
  return cells;
}

CellSet drawn(const Plane& plane) {
  CellSet all;
  for (const Shape& shape : plane.field) {
    const CellSet path = cells_of_path(shape.path), clip = cells_of_path(shape.clip);
    for (const auto& cell : path)
      if (shape.clip.empty() || clip.contains(cell)) all.insert(cell);
  }
  return all;
}

// Every cell of the layer, or some of many.
void expect_drawn_exactly(const Network& net, int node) {
  const Report report = analyze(net);
  const Dims shape = net.node(node).shape;
  const int64_t step = std::max<int64_t>(1, shape[2] / 3);
  for (int64_t row = 0; row < shape[2]; row += step)
    for (int64_t col = 0; col < shape[3]; col += step) {
      const CellField field = field_of(net, report, node, {row, col});
      const auto found = dependence(net, node, one_cell(shape, {row, col}));
      ASSERT_THAT(field.planes, SizeIs(1));
      const Plane& plane = field.planes[0];
      EXPECT_EQ(plane.coarse, 0);
      CellSet expected;
      for (int64_t y = 0; y < plane.rows; ++y)
        for (int64_t x = 0; x < plane.cols; ++x)
          if (found[0].contains({0, 0, y, x})) expected.emplace(y, x);
      EXPECT_EQ(drawn(plane), expected) << net.node(node).name << " " << row << ", " << col;
    }
}

Plane plane_of(const Network& net, int node, const std::vector<int64_t>& cell) {
  return field_of(net, analyze(net), node, cell).planes.at(0);
}

std::vector<int64_t> numbers(const Rectangle& r) { return {r.x, r.y, r.width, r.height}; }

}  // namespace

TEST(FieldSvg, DrawsTheCellsOfTheField) {
  for (const char* text : {"conv 3x3 4 d2, conv 3x3 4 d6", "conv 1x1 2 s3, conv 3x3 2", "[ conv 1x9 2 p0x4 | conv 9x1 2 p4x0 ] add",
                           "conv 3x3 4 p1, max 2, up 2 linear, avg 3 s2", "conv 5x5 2 d3", "pad 3 reflect, max 3 s2", "adaptive_avg 7"}) {
    const Network net = parse_network({1, 23, 20}, text);
    for (size_t node = 0; node < net.nodes().size(); ++node) expect_drawn_exactly(net, static_cast<int>(node));
  }
}

TEST(FieldSvg, ShowsTheFieldBeyondTheInput) {
  const Network net = parse_network({1, 16, 16}, "conv 3x3 4 p1, max 2, conv 3x3 4 p1");
  // Fields of 8 cells that are 2 apart and begin at -3.
  EXPECT_THAT(numbers(plane_of(net, 3, {0, 0}).reach), ElementsAre(-3, -3, 8, 8));
  EXPECT_THAT(numbers(plane_of(net, 3, {7, 1}).reach), ElementsAre(-1, 11, 8, 8));
  const std::string svg = field_svg(net, 3, {0, 0});
  EXPECT_THAT(svg, HasSubstr("<path d=\"M0 0h5v5h-5z\"/>"));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"tp-reach\" x=\"-3\" y=\"-3\" width=\"8\" height=\"8\"/>"));
  EXPECT_THAT(svg, HasSubstr("dashed: 8x8, padding included"));
  EXPECT_THAT(svg, HasSubstr("It depends on rows 0-4 and columns 0-4."));
}

// Phases of upsampled cells have fields of different sizes. The report has the largest; the outline is that of the cell.
TEST(FieldSvg, TheOutlineIsThatOfTheCellInTheMiddleOfANet) {
  const Network net = parse_network({1, 256, 256}, test::unet());
  const int last = static_cast<int>(net.nodes().size()) - 1;
  for (const int64_t at : {100, 113, 128}) {
    const Plane plane = plane_of(net, last, {at, at});
    const auto found = dependence(net, last, one_cell(net.nodes().back().shape, {at, at}));
    const Range inside = found[0].along(2).hull();
    EXPECT_THAT(numbers(plane.reach), ElementsAre(inside.begin, inside.begin, inside.size(), inside.size())) << at;
  }
}

TEST(FieldSvg, LinesAndVolumes) {
  const Network line = parse_network({2, 40}, "conv 3 4 d2, max 2");
  EXPECT_EQ(drawn(plane_of(line, 1, {5})), (CellSet{{0, 5}, {0, 7}, {0, 9}}));
  EXPECT_THAT(numbers(plane_of(line, 1, {5}).reach), ElementsAre(5, 0, 5, 1));

  const Network volume = parse_network({1, 1, 12, 10, 10}, "conv 3x3x3 4 d3x1x1");
  const CellField field = field_of(volume, analyze(volume), 1, {1, 2, 3});
  ASSERT_THAT(field.planes, SizeIs(3));
  for (const Plane& plane : field.planes) EXPECT_THAT(numbers(plane.reach), ElementsAre(3, 2, 3, 3));
  EXPECT_EQ(field.planes[0].label, "input, slice 1");
  EXPECT_EQ(field.planes[1].label, "input, slice 4");
  EXPECT_EQ(field.planes[2].label, "input, slice 7");
  EXPECT_EQ(drawn(field.planes[1]).size(), 9u);
}

TEST(FieldSvg, EveryInputHasItsPlane) {
  Network net;
  const int left = net.input("left", {1, 1, 8, 8}), right = net.input("right", {1, 1, 8, 8});
  Pool two{.op = Op::max, .windows = {}};
  two.windows.kernel_size = {{2}, 1};
  const int sum = net.add(Merge{}, {net.add(two, {left}), net.add(two, {right})});
  const CellField field = field_of(net, analyze(net), sum, {1, 2});
  ASSERT_THAT(field.planes, SizeIs(2));
  EXPECT_EQ(field.planes[1].label, "right 8x8");
  EXPECT_EQ(field.words, "rows 2-3 and columns 4-5 of 'left'; rows 2-3 and columns 4-5 of 'right'");
}

// A field of a million separate cells takes as many stripes as it has rows and columns, and more than that are joined.
TEST(FieldSvg, TheNumberOfElementsHasALimit) {
  const Network net = parse_network({1, 8000, 8000}, "conv 1000x1000 1 d8");
  const Plane plane = plane_of(net, 1, {0, 0});
  ASSERT_THAT(plane.field, SizeIs(1));
  EXPECT_EQ(plane.coarse, 0);
  EXPECT_EQ(count(plane.field[0].path, "M"), 1000u);
  EXPECT_EQ(count(plane.field[0].clip, "M"), 1000u);

  const Network more = parse_network({1, 8000, 8000}, "conv 2000x2000 1 d4");
  const Plane joined = plane_of(more, 1, {0, 0});
  EXPECT_GT(joined.coarse, 0);
  EXPECT_LT(field_svg(more, 1, {0, 0}).size(), 100'000u);
}

TEST(FieldSvg, HeatMapsShowWeights) {
  const Network net = parse_network({1, 8, 8}, "conv 3x3 4 p1");
  FieldPicture picture{.effective = std::vector<float>(16), .effective_rows = 4, .effective_cols = 4};
  picture.effective[5] = 1;  // row 1, column 1
  picture.effective[6] = 0.5;
  const std::string svg = field_svg(net, 1, {3, 3}, picture);
  EXPECT_THAT(svg, HasSubstr("<path fill-opacity=\"1\" d=\"M2 2h2v2h-2z\"/>"));
  EXPECT_THAT(svg, HasSubstr("<path fill-opacity=\"0.5\" d=\"M4 2h2v2h-2z\"/>"));
  EXPECT_EQ(count(svg, "fill-opacity"), 2u);

  const auto refused = [&](const FieldPicture& wrong) {
    try {
      field_svg(net, 1, {3, 3}, wrong);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused({.effective = {1, 2}, .effective_rows = 2, .effective_cols = 2}),
            "field_svg: effective must have effective_rows * effective_cols weights, got 2 for 2x2");
  EXPECT_THAT(refused({.effective = {1, 2}, .effective_rows = INT64_MAX, .effective_cols = INT64_MAX}), HasSubstr("got 2 for"));
  EXPECT_EQ(refused({.effective = {1, -2}, .effective_rows = 1, .effective_cols = 2}),
            "field_svg: effective must be finite and not negative, got -2.000000 at 1");
  FieldPicture large{.effective = std::vector<float>(1000 * 1000), .effective_rows = 1000, .effective_cols = 1000};
  for (size_t i = 0; i < large.effective.size(); ++i) large.effective[i] = static_cast<float>(i * 7919 % 1000);
  EXPECT_LT(field_svg(net, 1, {3, 3}, large).size(), 400'000u);
}

TEST(FieldSvg, PicturesComeFromNowhereElse) {
  const Network net = parse_network({1, 8, 8}, "conv 3x3 4 p1");
  EXPECT_THAT(field_svg(net, 1, {3, 3}, {.picture_href = "cat.png"}), HasSubstr("href=\"cat.png\""));
  EXPECT_THAT(field_svg(net, 1, {3, 3}, {.picture_href = "data:image/png;base64,iVBO"}), HasSubstr("href=\"data:image/png;base64,iVBO\""));
  EXPECT_THAT(field_svg(net, 1, {3, 3}, {.picture_href = "a\"onload=\"x"}), Not(HasSubstr("\"onload")));
  for (const char* href : {"https://example.org/cat.png", "//example.org/cat.png", "\\\\host\\cat.png", "javascript:alert(1)",
                           "data:text/html,<b>", "/etc/passwd"})
    EXPECT_THROW(field_svg(net, 1, {3, 3}, {.picture_href = href}), Error) << href;
}

TEST(FieldSvg, RefusesCellsThatDoNotExist) {
  const Network net = parse_network({1, 8, 8}, "conv 3x3 4 p1");
  EXPECT_THROW(field_svg(net, 1, {8, 0}), Error);
  EXPECT_THROW(field_svg(net, 1, {0}), Error);
  EXPECT_THROW(field_svg(net, 7, {0, 0}), Error);
  Network unknown;
  const int layer = unknown.add(Unknown{"nonsense"}, {unknown.input("image", {1, 1, 8, 8})});
  EXPECT_THROW(field_svg(unknown, layer, {}), Error);
}

TEST(ChainSvg, SmallNetworksShowEveryLayer) {
  const Network net = parse_network({3, 64, 64}, "conv 3x3 6 p1, relu, max 2, conv 3x3 12 p1, relu, max 2");
  const std::string svg = chain_svg(net, analyze(net));
  EXPECT_EQ(count(svg, "<g>"), 5u);  // relu belongs to the convolution before
  for (const char* text :
       {">conv 3x3 6 p1<", ">relu<", ">max 2<", ">64 × 64<", ">32 × 32<", ">16 × 16<", ">3 × 3<", ">4 × 4<", ">8 × 8<", ">10 × 10<"})
    EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_THAT(svg, HasSubstr("<title>From 3 × 64 × 64 to 12 × 16 × 16</title>"));
}

TEST(ChainSvg, LargeNetworksShowWhatLiesBetweenChangesOfStride) {
  const Network resnet = parse_network({3, 224, 224}, test::resnet50());
  const std::string svg = chain_svg(resnet, analyze(resnet));
  EXPECT_EQ(count(svg, "<g>"), 7u);
  for (const char* text : {">256<", ">56 × 56<", ">512<", ">28 × 28<", ">1024<", ">14 × 14<", ">2048<", ">7 × 7<", ">427 × 427<"})
    EXPECT_THAT(svg, HasSubstr(text));

  const Network unet = parse_network({1, 256, 256}, test::unet());
  const std::string down_and_up = chain_svg(unet, analyze(unet));
  EXPECT_EQ(count(down_and_up, "<g>"), 10u);
  EXPECT_EQ(count(down_and_up, ">128 × 128<"), 2u);
  EXPECT_EQ(count(down_and_up, "q0 -6 6 -6H"), 4u);  // connections above the blocks
}

// The 1x1 convolution to 5 channels belongs to the first part, but what that part hands on has 16.
TEST(ChainSvg, ABlockShowsWhatTheNextOneBeginsWith) {
  for (const char* unit :
       {"[ conv 1x1 8 s2 | conv 1x1 5, conv 3x3 8 s2 p1 ] add", "[ conv 1x1 5, conv 3x3 8 s2 p1 | conv 1x1 8 s2 ] add"}) {
    const Network net = parse_network({3, 32, 32}, "( conv 3x3 16 p1 ) x12, " + std::string(unit));
    const std::string svg = chain_svg(net, analyze(net));
    EXPECT_THAT(svg, HasSubstr(">16<"));
    EXPECT_THAT(svg, Not(HasSubstr(">5<")));
  }
}

TEST(ChainSvg, StaysSmallForHugeNetworks) {
  std::string up_and_down = "( conv 3x3 4 p1 ) x4000";
  for (int i = 0; i < 40; ++i) up_and_down += ", max 2, up 2";
  for (const std::string& text : {up_and_down, std::string("flatten, ( linear 10, relu ) x3000")}) {
    const Network net = parse_network({1, 16, 16}, text);
    const std::string svg = chain_svg(net, analyze(net));
    EXPECT_LE(count(svg, "<g>"), 14u);
    EXPECT_LT(svg.size(), 40'000u);
  }
  EXPECT_THROW(chain_svg(Network(), Report()), Error);
}

TEST(Markup, NamesAreText) {
  EXPECT_EQ(escaped("</script><img src=\"x\" onerror='a&b'>"), "&lt;/script&gt;&lt;img src=&quot;x&quot; onerror=&#39;a&amp;b&#39;&gt;");
  EXPECT_EQ(printable("a\nb\tc"), "a b c");
  EXPECT_EQ(printable("größe 層 😀"), "größe 層 😀");
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(printable("\x01"), bad);
  EXPECT_EQ(printable("\x7f"), bad);
  EXPECT_EQ(printable("\xff!"), bad + "!");
  EXPECT_EQ(printable("\xe2\x80"), bad + bad);  // cut off
  EXPECT_EQ(printable("\xc0\xaf"), bad + bad);  // longer than necessary
  EXPECT_EQ(printable("\xe0\x80\xaf"), bad + bad + bad);
  EXPECT_EQ(printable("\xed\xa0\x80"), bad + bad + bad);  // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), bad + bad + bad + bad);
  EXPECT_EQ(printable("\xef\xbf\xbe"), bad + bad + bad);
  EXPECT_EQ(printable("\xe2\x80\xae"), bad + bad + bad);  // right to left
  EXPECT_EQ(printable(std::string_view("\0", 1)), bad);
}

TEST(Markup, TextsFitTheirWidth) {
  EXPECT_EQ(fitted("short", 100), "short");
  for (const double width : {0.0, 5.0, 20.0, 33.0, 60.0}) {
    const std::string cut = fitted("größe 層層層層 and more", width);
    EXPECT_TRUE(cut.ends_with("…"));
    EXPECT_TRUE(text_width(cut) <= width || cut == "…") << cut;
    EXPECT_EQ(printable(cut), cut) << "cut inside a character";
  }
}

}  // namespace tidepool::analyze
