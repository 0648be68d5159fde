#include <tidepool/analyze.h>

#include <cstdio>

namespace analyze = tidepool::analyze;

int main() {
  const analyze::Network net = analyze::parse_network({3, 8, 8}, "conv 3x3 4 p1, max 2");
  const analyze::Report report = analyze::analyze(net);
  std::printf("%lld %lld\n", static_cast<long long>(report.parameters), static_cast<long long>(report.layers.back().fields[0].size));
}
