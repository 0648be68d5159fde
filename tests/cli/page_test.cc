// The outputs in docs/command-line.md are those of the commands above them. That the page shows these files is checked by
// tests/scripts/docs_test.py.
#include "run_tool.h"

namespace tidepool::cli {
namespace {

class Page : public InFolder {};

TEST_F(Page, ShowsWhatTheCommandsPrint) {
  const std::string page = slurp(std::string(TIDEPOOL_SOURCE_DIR) + "/docs/command-line.md");
  spill(path("network.txt"), "conv 3x3 6 p1, max 2, conv 3x3 12 p1, max 2, conv 3x3 24 p1, max 2, conv 3x3 48 p1, max 2");
  int compared = 0;
  constexpr std::string_view call = "    ./dev tidepool ", marker = "\n\n<!-- ", end = " -->\n";
  for (size_t at = 0; (at = page.find(call, at)) != std::string::npos; ++at) {
    const size_t line = page.find('\n', at);
    if (page.compare(line, marker.size(), marker) != 0) continue;
    const size_t name = line + marker.size();
    const std::string file = page.substr(name, page.find(end, name) - name);
    const Answer answer = tool(page.substr(at + call.size(), line - at - call.size()));
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.out, slurp(std::string(TIDEPOOL_SOURCE_DIR) + "/" + file)) << file;
    ++compared;
  }
  EXPECT_GE(compared, 7);
}

}  // namespace
}  // namespace tidepool::cli
