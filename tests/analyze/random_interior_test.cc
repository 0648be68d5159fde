// Size, stride, padding and holes of fields against the cells that dependence() finds, in the middle of random networks with long inputs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/random_network.h"
#include "tidepool/analyze/dependence.h"
#include "tidepool/analyze/report.h"

namespace tidepool::analyze {

namespace {

using test::RandomNetwork;

RangeSet positions(const Network& net, int node, int64_t cell) {
  const std::vector<Dependence> found = dependence(net, node, one_cell(net.node(node).shape, {cell}));
  return found.empty() ? RangeSet() : found[0].along(2);
}

template <class... Layers>
bool has(const Network& net) {
  for (const Node& node : net.nodes())
    if ((std::holds_alternative<Layers>(node.layer) || ...)) return true;
  return false;
}

// Checks the fields of cells around the middle. Returns false if the field is too large for the input.
bool check(const Network& net, const Report& report, int node) {
  const Field& field = report.layers[static_cast<size_t>(node)].fields[0];
  const int64_t input = net.node(0).shape[2], cells = net.node(node).shape[2];
  if (!field.depends || field.at_most || field.stride == Rational(0) || cells < 64 || field.size > input / 4) return false;
  const bool upsamples = has<ConvTranspose, Unpool, Resize>(net);
  const int64_t checked = upsamples ? 32 : 8;  // strides of at most 3 repeat before that, unless many of them follow each other
  // Fields of upsampled cells lie beside the straight line by a field, or by a step of a layer before; that of cell 0 does too.
  double beside = static_cast<double>(2 * field.size);
  for (const LayerReport& layer : report.layers)
    beside = std::max(beside, static_cast<double>(2 * field.size) + layer.fields[0].stride.value());
  int64_t largest = 0;
  for (int64_t cell = cells / 2 - checked; cell < cells / 2 + checked; ++cell) {
    const RangeSet found = positions(net, node, cell);
    if (found.empty()) continue;  // transposed convolutions with more stride than taps
    largest = std::max(largest, found.hull().size());
    const Rational moved = field.stride * Rational(cell);
    EXPECT_LE(std::abs(static_cast<double>(found.hull().begin - field.begin) - moved.value()), beside) << cell;
    if (upsamples) continue;
    EXPECT_EQ(Rational(found.hull().begin), Rational(field.begin) + moved) << cell;
    EXPECT_EQ(found.hull().size(), field.size) << cell;
    RangeSet holes;
    holes.add(field.holes, moved.numerator());
    EXPECT_EQ(found.holes(), holes) << cell;
  }
  EXPECT_LE(largest, field.size);
  if (!has<Resize>(net)) {  // whose period can be as long as the input
    EXPECT_EQ(largest, field.size);
  }
  return true;
}

}  // namespace

TEST(RandomFields, InTheMiddleAreThoseOfTheReport) {
  int checked = 0;
  for (uint64_t seed = 0; seed < 400 && !testing::Test::HasFailure(); ++seed) {
    const RandomNetwork random = RandomNetwork::long_and_local(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + random.text());
    const Report report = analyze(random.net);
    ASSERT_EQ(report.axes.size(), 1U);
    for (size_t node = 1; node < random.net.nodes().size(); ++node)
      if (check(random.net, report, static_cast<int>(node))) ++checked;
  }
  EXPECT_GT(checked, 500);
}

}  // namespace tidepool::analyze
