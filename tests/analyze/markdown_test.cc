// Markdown: the table, the lists, and names that contain its signs.
#include "tidepool/analyze/markdown.h"

#include <gmock/gmock.h>

#include "tidepool/analyze/text.h"

namespace tidepool::analyze {

using testing::HasSubstr;

namespace {

std::string markdown_of(const Network& net) { return to_markdown(net, analyze(net)); }

}  // namespace

TEST(Markdown, OfASmallNetwork) {
  EXPECT_EQ(markdown_of(parse_network({1, 7, 7}, "max 2, relu")),
            "| name | layer | output | field | stride | padding | parameters | multiply-adds | bytes |\n"
            "|:---|:---|---:|---:|---:|---:|---:|---:|---:|\n"
            "| input | input | 1x1x7x7 | 1 | 1 | 0 | | | 196 B |\n"
            "| max\\_pool1 | max 2 | 1x1x3x3 | 2 | 2 | 0 | | | 36 B |\n"
            "| relu1 | relu | 1x1x3x3 | 2 | 2 | 0 | | | 36 B |\n"
            "\n"
            "- parameters: 0\n"
            "- multiply-adds: 0\n"
            "- outputs: 72 B of all layers together\n"
            "- peak memory: 268 B in inference, 313 B in training, without the parameters\n"
            "- moved: 304 B, 30.4 ns at the speed of memory\n"
            "\n"
            "- max\\_pool1 (max 2) loses row 6 of 7 and column 6 of 7 (of the input: row 6 and column 6). To keep them: padding 0:1 along "
            "h and w; or "
            "padding 1 along h and w; or ceil\\_mode; or adaptive pooling to 3 along h and w; or a layer input of 6 or 8 along h and w.\n"
            "- No output depends on row 6 of 7 and column 6 of 7 of the input. To keep them: an input of 6x6 or 8x8.\n");
}

TEST(Markdown, SignsInNamesHaveNoMeaning) {
  Network net;
  const int x = net.input("a|b", {1, 1, 8, 8});
  net.add(Elementwise{.function = "<b>*relu*</b> & `co`"}, {x}, "[x](y)");
  const std::string text = markdown_of(net);
  EXPECT_THAT(text, HasSubstr("| a\\|b | input |"));
  EXPECT_THAT(text, HasSubstr("| \\[x\\](y) | elementwise &lt;b\\>\\*relu\\*&lt;/b\\> &amp; \\`co\\` identity |"));
}

TEST(Markdown, NamesDoNotBeginListsOrHeadings) {
  for (const auto& [name, escaped] :
       {std::pair("# a", "\\# a"), std::pair("- a", "\\- a"), std::pair("12. a", "12\\. a"), std::pair("1a", "1a")}) {
    Network net;
    net.add(Elementwise{.function = "relu"}, {net.input(name, {1, 1, 8, 8})});
    EXPECT_THAT(markdown_of(net), HasSubstr("| " + std::string(escaped) + " | input |"));
  }
}

}  // namespace tidepool::analyze
