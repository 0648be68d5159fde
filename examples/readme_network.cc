// Why is the last row gone?
#include <tidepool/analyze.h>

#include <iostream>
namespace analyze = tidepool::analyze;

int main() {
  const analyze::Network net =
      analyze::parse_network({3, 45, 45}, "conv 5x5 16, relu, max 2, conv 3x3 32 p1, relu, max 3, flatten, linear 10");
  std::cout << to_table(net, analyze::analyze(net));
}
