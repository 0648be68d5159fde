// Four ways to halve the sides of 64 feature maps of 56×56 and double their number.
#include <tidepool/analyze.h>
#include <tidepool/nn.h>

#include <iomanip>
#include <iostream>
namespace tp = tidepool;
namespace analyze = tidepool::analyze;

int main() {
  std::cout << "layers                                       output  parameters  multiply-adds  field\n";
  for (const char* text :
       {"conv 3x3 128 p1, max 2", "conv 3x3 128 p1, avg 2", "conv 3x3 128 p1, conv 3x3 128 s2 p1", "conv 3x3 128 s2 p1"}) {
    const analyze::Network net = analyze::parse_network({64, 56, 56}, text);
    const analyze::Report report = analyze::analyze(net);
    const analyze::Node& last = net.nodes().back();
    std::cout << std::left << std::setw(37) << text << std::right << std::setw(14) << to_string(last.shape) << std::setw(12)
              << report.parameters << std::setw(15) << report.multiply_adds << std::setw(7) << report.layers.back().fields[0].size << "\n";
  }

  // Average pooling is a strided convolution: one 2×2 filter of quarters for each channel.
  auto x = tp::randn({1, 64, 56, 56}, /*seed=*/1);
  auto quarters = tp::nn::conv2d(x, tp::full({64, 1, 2, 2}, 0.25), {}, {.stride = 2, .groups = 64});
  std::cout << "filters of quarters are an average: " << (tp::allclose(quarters, tp::avg_pool2d(x, 2), {.atol = 1e-6}) ? "yes" : "no")
            << "\n";
}
