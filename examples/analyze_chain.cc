// A chain of convolutions and pools, 3→6→12→24→48 channels on 3×64×64: shapes, receptive fields and costs of every layer.
#include <tidepool/analyze.h>

#include <iostream>
namespace analyze = tidepool::analyze;

int main() {
  const analyze::Network net = analyze::parse_network({3, 64, 64},
                                                      "conv 3x3 6 p1, relu, max 2, conv 3x3 12 p1, relu, max 2, "
                                                      "conv 3x3 24 p1, relu, max 2, conv 3x3 48 p1, relu, max 2");
  std::cout << analyze::to_table(net, analyze::analyze(net));
}
