// Which rows of a picture five pools in a row never look at.
#include <tidepool/analyze.h>

#include <iostream>
namespace analyze = tidepool::analyze;

int main() {
  const analyze::Network net = analyze::parse_network({3, 100, 100}, "(max 2) x5");
  const analyze::Report report = analyze::analyze(net);
  for (const analyze::Node& node : net.nodes())
    std::cout << (node.inputs.empty() ? "" : ", ") << node.name << " " << node.shape[2] << "x" << node.shape[3];
  std::cout << "\n";
  for (const analyze::Loss& loss : report.losses)
    if (loss.dim == 2) {
      std::cout << net.node(loss.node).name << " drops row " << to_string(loss.cells) << " of its input, rows "
                << to_string(loss.of_input[0].second) << " of the picture. Remedies:\n";
      for (const std::string& remedy : loss.remedies) std::cout << "  " << remedy << "\n";
    }
  for (const std::string& size : report.input_sizes) std::cout << "nothing is lost with " << size << "\n";
}
