// The receptive field: by the library, by the exact rule and by the usual shortcut.
#include <tidepool/analyze.h>

#include <iomanip>
#include <iostream>
namespace analyze = tidepool::analyze;

void show(const char* text) {
  const analyze::Network net = analyze::parse_network({3, 64, 64}, text);
  const analyze::Report report = analyze::analyze(net);
  int64_t field = 1, jump = 1, shortcut = 1;
  std::cout << "layer      library  rule  jump  shortcut\n";
  for (size_t i = 1; i < net.nodes().size(); ++i) {
    const bool pools = net.nodes()[i].name.starts_with("max");
    const int64_t kernel = pools ? 2 : 3, stride = pools ? 2 : 1;
    field += (kernel - 1) * jump;
    jump *= stride;
    shortcut = pools ? shortcut * 2 : shortcut + 2;
    std::cout << std::left << std::setw(10) << net.nodes()[i].name << std::right << std::setw(8) << report.layers[i].fields[0].size
              << std::setw(6) << field << std::setw(6) << jump << std::setw(10) << shortcut << "\n";
  }
}

int main() {
  const char* chain = "conv 3x3 6 p1, max 2, conv 3x3 12 p1, max 2, conv 3x3 24 p1, max 2, conv 3x3 48 p1, max 2";
  show(chain);
  show("(conv 3x3 64 p1) x2, max 2, (conv 3x3 128 p1) x2, max 2, (conv 3x3 256 p1) x3, max 2");  // the first half of VGG-16

  // Which rows of the picture the rows of the chain's last layer see.
  const analyze::Network net = analyze::parse_network({3, 64, 64}, chain);
  const int last = net.outputs()[0];
  for (const int64_t row : {0, 1, 2, 3}) {
    const auto seen = analyze::dependence(net, last, analyze::one_cell(net.node(last).shape, {row, 0}));
    std::cout << "row " << row << " of max_pool4 sees rows " << to_string(seen[0].along(2)) << "\n";
  }
}
