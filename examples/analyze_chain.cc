// The receptive field at every depth of a network: 3→6→12→24→48 channels, each step a 3×3 convolution, a ReLU and a 2×2 pool, on 3×64×64.
#include <tidepool/analyze.h>

#include <iomanip>
#include <iostream>
namespace analyze = tidepool::analyze;

int main() {
  const analyze::Network net = analyze::parse_network({3, 64, 64},
                                                      "conv 3x3 6 p1, relu, max 2, conv 3x3 12 p1, relu, max 2, "
                                                      "conv 3x3 24 p1, relu, max 2, conv 3x3 48 p1, relu, max 2");
  const analyze::Report report = analyze::analyze(net);
  std::cout << "layer           output  parameters  field  stride\n";
  for (size_t i = 1; i < net.nodes().size(); ++i) {
    const analyze::Node& node = net.nodes()[i];
    const analyze::Field& field = report.layers[i].fields[0];  // along the rows; the columns are the same
    std::cout << std::left << std::setw(10) << node.name << std::right << std::setw(12) << to_string(node.shape) << std::setw(12)
              << node.parameters << std::setw(7) << field.size << std::setw(8) << to_string(field.stride) << "\n";
  }
  std::cout << report.parameters << " parameters, " << report.multiply_adds << " multiply-adds\n";
}
