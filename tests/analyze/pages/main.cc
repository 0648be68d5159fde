// Writes the pictures and pages of some networks into a folder: tests that need a browser or an XML parser read them.
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "analyze/networks.h"
#include "tidepool/analyze/html.h"
#include "tidepool/analyze/report.h"
#include "tidepool/analyze/svg.h"
#include "tidepool/analyze/text.h"

namespace tidepool {
namespace {

struct Sample {
  std::string name;
  analyze::Network network;
};

// Names that try to leave the place they are written to.
analyze::Network hostile() {
  const std::string evil = "</script><img src=x onerror=alert(1)>\"'&]]>--><svg onload=alert(2)>";
  analyze::Network net;
  WindowOptions two;
  two.kernel_size = {{2}, 1};
  const int image = net.input(evil, {1, 1, 9, 9});
  const int unknown = net.add(analyze::Unknown{evil}, {image}, evil + "\x01\xff\xe2\x80");
  net.add(analyze::Elementwise{.function = evil}, {unknown}, "javascript:alert(3)");
  net.add(analyze::Pool{.op = Op::max, .windows = two}, {image}, "\xe2\x80\xae" + evil);
  return net;
}

std::vector<Sample> samples() {
  using analyze::parse_network;
  std::vector<Sample> all;
  all.push_back({"resnet50", parse_network({3, 224, 224}, test::resnet50())});
  all.push_back({"unet", parse_network({1, 256, 256}, test::unet())});
  all.push_back(
      {"chain", parse_network({3, 64, 64}, "conv 3x3 6 p1, max 2, conv 3x3 12 p1, max 2, conv 3x3 24 p1, max 2, conv 3x3 48 p1, max 2")});
  all.push_back(
      {"branches",
       parse_network({8, 35, 35}, "[ conv 3x3 16 s2 | conv 1x1 8, conv 3x3 8 p1, conv 3x3 16 s2 | max 3 s2 ] concat, conv 1x1 32, gap")});
  all.push_back({"holes", parse_network({1, 40, 40}, "conv 3x3 4 d2, conv 3x3 4 d6")});
  all.push_back({"line", parse_network({1, 100}, "conv 5 8 s2, relu, max 2, conv 3 16 d2")});
  all.push_back({"volume", parse_network({1, 1, 16, 32, 32}, "conv 3x3x3 8 p1, relu, max 2, conv 3x3x3 16 p1")});
  all.push_back({"dense", parse_network({1, 1, 28, 28}, "flatten, linear 100, relu, linear 10, softmax")});
  all.push_back({"hostile", hostile()});
  return all;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

int run(const std::string& folder) {
  for (const Sample& sample : samples()) {
    const analyze::Network& net = sample.network;
    const analyze::Report report = analyze::analyze(net);
    write(folder + "/" + sample.name + ".html", to_html(net, report, {.title = sample.name}));
    write(folder + "/" + sample.name + "_chain.svg", chain_svg(net, report));
    for (size_t at = net.nodes().size(); at-- > 0;) {
      const analyze::Node& node = net.nodes()[at];
      if (!node.is_known() || (at > 0 && node.shape.rank < 3)) continue;
      std::vector<int64_t> cell;
      for (int dim = 2; dim < node.shape.rank; ++dim) cell.push_back(node.shape[dim] / 3);
      write(folder + "/" + sample.name + "_field.svg", field_svg(net, static_cast<int>(at), cell));
      break;
    }
  }
  return 0;
}

}  // namespace
}  // namespace tidepool

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: tidepool_analyze_pages FOLDER\n";
    return 2;
  }
  try {
    return tidepool::run(words[1]);
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
