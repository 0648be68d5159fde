#include <algorithm>
#include <set>

#include "analyze/axis_field.h"
#include "analyze/costs.h"
#include "analyze/losses.h"
#include "analyze/origins.h"
#include "analyze/placement.h"
#include "analyze/range_budget.h"
#include "core/checked.h"
#include "tidepool/analyze/dependence.h"
#include "tidepool/analyze/report.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

// A field along one axis, or that the value does not depend on it.
struct Tracked {
  AxisField field;
  bool depends = false, at_most = false;
};

Tracked read(const Tracked& value, const std::vector<DimReads>& reads) {
  Tracked result = value;
  if (!value.depends || !value.field.moves()) return result;
  for (size_t dim = 0; dim < reads.size(); ++dim) {
    if (value.field.dim != static_cast<int>(dim)) continue;
    result.field = through(value.field, reads[dim].map, reads[dim].dim);
    result.at_most = result.at_most || reads[dim].at_most || !is_followed(value.field, reads[dim].map);
    break;
  }
  return result;
}

Field described(const Tracked& tracked) {
  Field field;
  field.depends = tracked.depends;
  if (!tracked.depends) return field;
  const RangeSet first = tracked.field.at(0);
  field.size = tracked.field.size();
  field.stride = tracked.field.stride;
  field.begin = first.hull().begin;
  field.centre = tracked.field.centre;
  field.smallest = tracked.field.smallest;
  field.holes = first.holes();
  field.at_most = tracked.at_most;
  return field;
}

// Every layer has a field for every axis of every input, so their number grows with the product.
constexpr size_t most_fields = size_t{1} << 22;  // about 1 GB

class Analysis {
 public:
  explicit Analysis(const Network& network) : network_(network) {
    report_.axes = spatial_axes(network);
    if (const size_t nodes = network.nodes().size(); !report_.axes.empty() && nodes > most_fields / report_.axes.size())
      detail::throw_error({ErrorCode::unsupported, "analyze: layers times axes of the inputs must be at most " +
                                                       std::to_string(most_fields) + ", got " + std::to_string(nodes) + " layers and " +
                                                       std::to_string(report_.axes.size()) + " axes"});
    tracked_.resize(network.nodes().size());
    report_.layers.resize(network.nodes().size());
  }

  Report run() {
    for (size_t at = 0; at < network_.nodes().size(); ++at) {
      const Node& node = network_.nodes()[at];
      if (std::holds_alternative<Unknown>(node.layer)) report_.unknown.push_back(static_cast<int>(at));
      if (!node.is_known()) continue;
      tracked_[at].resize(report_.axes.size());
      if (std::holds_alternative<Input>(node.layer))
        start(static_cast<int>(at));
      else if (!node.inputs.empty())
        layer(static_cast<int>(at));
      for (Tracked& tracked : tracked_[at]) {
        keep_within_budget(tracked);
        report_.layers[at].fields.push_back(described(tracked));
      }
      if (!node.inputs.empty()) note_saturation(at);
    }
    return std::move(report_);
  }

  // Behind run().
  RangeSet unclipped(int node, size_t axis, const std::vector<int64_t>& cell) const {
    const Tracked& tracked = tracked_[static_cast<size_t>(node)][axis];
    if (!tracked.depends) return {};
    const AxisField& field = tracked.field;
    if (!field.moves()) return field.shared;
    return field.dim >= 2 ? field.at(cell[static_cast<size_t>(field.dim) - 2]) : field.everything();
  }

 private:
  void start(int input) {
    for (size_t axis = 0; axis < report_.axes.size(); ++axis)
      if (report_.axes[axis].input == input)
        tracked_[static_cast<size_t>(input)][axis] = {AxisField::of_input(report_.axes[axis].dim, report_.axes[axis].size), true, false};
  }

  // Whether the layer joins its inputs along this dimension.
  static bool joins_along(const Node& node, int dim) {
    const auto* concat = std::get_if<Concat>(&node.layer);
    return concat != nullptr && dim == (concat->dim < 0 ? concat->dim + node.shape.rank : concat->dim);
  }

  void layer(int at) {
    const Node& node = network_.node(at);
    const Placement placed = placement_of(network_, node);
    for (size_t axis = 0; axis < report_.axes.size(); ++axis) {
      Tracked& mine = tracked_[static_cast<size_t>(at)][axis];
      std::vector<Tracked> paths;
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        Tracked path = read(tracked_[static_cast<size_t>(node.inputs[i])][axis], placed.reads[i]);
        if (path.depends) paths.push_back(std::move(path));
      }
      if (paths.empty()) continue;
      // End to end: each cell sees one of the paths, which is described as if it saw all.
      const bool end_to_end = paths.size() > 1 && joins_along(node, paths[0].field.dim);
      if (!end_to_end) note_alignment(at, axis, paths);
      mine = std::move(paths[0]);
      mine.at_most = mine.at_most || end_to_end;
      for (size_t i = 1; i < paths.size(); ++i) {
        const int dim = mine.field.moves() ? mine.field.dim : paths[i].field.dim;
        const bool merged = mine.field.merged || paths[i].field.merged;
        const int64_t extent = dim >= 0 && !merged ? placed.shape[dim] : std::max(mine.field.extent, paths[i].field.extent);
        mine.field = merge(mine.field, paths[i].field, extent);
        mine.at_most = mine.at_most || paths[i].at_most;
      }
    }
  }

  // Fields with holes are lists, which can grow with every layer. When all lists together are too long, the fields that follow are
  // described without holes.
  void keep_within_budget(Tracked& tracked) {
    for (const RangeSet& phase : tracked.field.phases) ranges_left_ -= static_cast<int64_t>(phase.ranges().size());
    if (ranges_left_ >= 0) return;
    for (RangeSet& phase : tracked.field.phases) {
      tracked.at_most = tracked.at_most || phase.ranges().size() > 1;
      phase = RangeSet(phase.hull());
    }
  }

  void note_alignment(int at, size_t axis, const std::vector<Tracked>& paths) {
    bool all = true;
    for (const Tracked& path : paths) all = all && aligned(paths[0].field, path.field);
    if (all) return;
    Misalignment found{.node = at, .axis = static_cast<int>(axis), .paths = {}};
    for (const Tracked& path : paths) found.paths.emplace_back(path.field.stride, path.field.centre);
    report_.misalignments.push_back(std::move(found));
  }

  // Only layers that enlarge the field can be superfluous. Global pooling and its like collect what all cells see: they are meant to.
  void note_saturation(size_t at) {
    for (size_t axis = 0; axis < report_.axes.size(); ++axis) {
      Field& mine = report_.layers[at].fields[axis];
      for (const int input : network_.nodes()[at].inputs) {
        const Field& before = report_.layers[static_cast<size_t>(input)].fields[axis];
        if (!before.depends || !mine.depends || mine.size <= before.size || network_.nodes()[at].inputs.size() > 1) continue;
        if (mine.stride == Rational(0)) continue;
        mine.oversized = before.size > report_.axes[axis].size;
        mine.saturated = before.smallest > Rational(report_.axes[axis].size);
      }
    }
  }

  const Network& network_;
  Report report_;
  std::vector<std::vector<Tracked>> tracked_;  // by node and axis
  int64_t ranges_left_ = int64_t{1} << 22;     // 64 MB
};

}  // namespace

Report analyze(const Network& network, const Options& options) {
  if (options.element_size < 1 || options.element_size > 64)
    detail::throw_error(
        {ErrorCode::invalid_argument, "analyze: element_size must be between 1 and 64, got " + std::to_string(options.element_size)});
  if (!(options.bytes_per_second > 0)) detail::throw_error({ErrorCode::invalid_argument, "analyze: bytes_per_second must be above 0"});
  const RangeBudget budget;
  Report report = Analysis(network).run();
  find_losses(network, report);
  add_costs(network, options, report);
  return report;
}

std::vector<RangeSet> unclipped_field(const Network& network, int node, const std::vector<int64_t>& cell) {
  const Node& layer = network.node(node);
  if (!layer.is_known())
    detail::throw_error({ErrorCode::unsupported, "analyze: layer '" + layer.name + "' is not known, or depends on one that is not"});
  (void)one_cell(layer.shape, cell);  // checks it
  Analysis analysis(network);
  const Report report = analysis.run();
  std::vector<RangeSet> positions;
  positions.reserve(report.axes.size());
  for (size_t axis = 0; axis < report.axes.size(); ++axis) positions.push_back(analysis.unclipped(node, axis, cell));
  return positions;
}

}  // namespace tidepool::inline v0_1::analyze
