// Which rows vanish in a network, what is lost by it, and what would keep them.
#include <tidepool/analyze.h>

#include <iostream>
namespace analyze = tidepool::analyze;

int main() {
  const analyze::Network net = analyze::parse_network({3, 45, 60}, "conv 3x3 16 p1, relu, max 2, conv 3x3 32 p1, relu, max 4");
  const analyze::Report report = analyze::analyze(net);
  for (const analyze::Finding& finding : analyze::findings(net, report)) {
    std::cout << finding.text << "\n";
    for (const std::string& remedy : finding.remedies) std::cout << "  - " << remedy << "\n";
  }
}
