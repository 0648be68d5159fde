#include "analyze/losses.h"

#include <algorithm>
#include <optional>

#include "analyze/input_sizes.h"
#include "analyze/placement.h"
#include "analyze/remedies.h"
#include "tidepool/analyze/dependence.h"

namespace tidepool::inline v0_1::analyze {

namespace {

// What a loss means for the input takes two walks through the network; a network that loses cells everywhere is not explained more often.
constexpr int most_explained = 64;

Box with(Box box, int dim, RangeSet set) {
  box.dims[static_cast<size_t>(dim)] = std::move(set);
  return box;
}

// The positions along the axes that some cells depend on.
std::vector<RangeSet> along_axes(const std::vector<InputAxis>& axes, const std::vector<Dependence>& found) {
  std::vector<RangeSet> sets(axes.size());
  for (const Dependence& on : found)
    for (size_t axis = 0; axis < axes.size(); ++axis)
      if (axes[axis].input == on.input) sets[axis] = on.along(axes[axis].dim);
  return sets;
}

// The positions of an input's dimension that the whole output reads; nothing for dimensions without windows.
std::optional<RangeSet> read_positions(const DimReads& reads, const Dims& shape) {
  if (reads.dim < 0 || reads.map.is_same()) return std::nullopt;
  return reads.map.inside(RangeSet(Range{0, shape[reads.dim]}));
}

void explain(const Network& network, const Report& report, const RangeSet& read, Loss& loss) {
  const int source = network.node(loss.node).inputs[0];
  const Box all = whole(network.node(source).shape);
  const auto lost = along_axes(report.axes, dependence(network, source, with(all, loss.dim, loss.cells)));
  const auto kept = along_axes(report.axes, dependence(network, source, with(all, loss.dim, read)));
  bool seen = true;
  for (size_t axis = 0; axis < lost.size(); ++axis) {
    RangeSet only = lost[axis].without(kept[axis]);
    if (only.empty()) continue;
    if (!RangeSet(Range{0, report.axes[axis].size}).without(report.unseen[axis]).contains(only)) seen = false;
    loss.of_input.emplace_back(static_cast<int>(axis), std::move(only));
  }
  loss.elsewhere = seen;
}

}  // namespace

bool may_lose_cells(const Layer& layer) {
  return std::holds_alternative<Conv>(layer) || std::holds_alternative<ConvTranspose>(layer) || std::holds_alternative<Pool>(layer) ||
         std::holds_alternative<Unpool>(layer) || std::holds_alternative<Resize>(layer);
}

std::vector<RangeSet> unseen_positions(const Network& network, const std::vector<InputAxis>& axes) {
  std::vector<Cells> outputs;
  for (const int output : network.outputs())
    if (network.node(output).is_known()) outputs.push_back({output, whole(network.node(output).shape)});
  const auto seen = along_axes(axes, dependence(network, outputs));
  std::vector<RangeSet> unseen;
  unseen.reserve(axes.size());
  for (size_t axis = 0; axis < axes.size(); ++axis)
    unseen.push_back(RangeSet(Range{0, network.node(axes[axis].input).shape[axes[axis].dim]}).without(seen[axis]));
  return unseen;
}

void find_losses(const Network& network, Report& report) {
  report.unseen = unseen_positions(network, report.axes);
  if (!report.unknown.empty()) report.unseen.assign(report.axes.size(), {});  // what is behind an unknown layer may see everything
  int explained = 0;
  for (size_t at = 0; at < network.nodes().size(); ++at) {
    const Node& node = network.nodes()[at];
    if (!node.is_known() || !may_lose_cells(node.layer)) continue;
    const Dims& input = network.node(node.inputs[0]).shape;
    const Placement placed = placement_of(network, node);
    for (int dim = 2; dim < input.rank; ++dim) {
      const DimReads& reads = placed.reads[0][static_cast<size_t>(dim)];
      const std::optional<RangeSet> read = read_positions(reads, placed.shape);
      if (!read) continue;
      RangeSet unread = RangeSet(Range{0, input[dim]}).without(*read);
      if (unread.empty()) continue;
      Loss loss;
      loss.node = static_cast<int>(at);
      loss.dim = dim;
      loss.cells = std::move(unread);
      loss.remedies = remedies(node.layer, reads.map, dim - 2, std::string(axis_name(input.rank - 2, dim - 2)));
      if (explained++ < most_explained) explain(network, report, *read, loss);
      report.losses.push_back(std::move(loss));
    }
  }
  if (!report.losses.empty()) report.input_sizes = lossless_input_sizes(network, report);
}

}  // namespace tidepool::inline v0_1::analyze
