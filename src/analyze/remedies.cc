#include "analyze/remedies.h"

#include <algorithm>
#include <optional>

#include "analyze/placement.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr int64_t farthest = 256;                      // cells that padding or an input size may change by
constexpr int64_t farthest_size = 64;                  // cells that the sizes of the network's inputs may change by
constexpr int64_t most_taps_tried = int64_t{1} << 16;  // of windows with gaps
constexpr size_t most_nodes_tried = 4096;              // networks with more are not computed again for other sizes

AxisSpec spec_of(const Axis& axis) {
  return {.length = axis.input(),
          .kernel = axis.kernel(),
          .stride = axis.stride(),
          .dilation = axis.dilation(),
          .padding = {axis.pad_before(), axis.pad_after()},
          .rounding = axis.rounding(),
          .limit_padding = false};
}

// With gaps in or between windows, the cells far from both ends are read or left out alike in every stride, so a long axis is looked at
// with fewer strides of them.
AxisSpec shortened(AxisSpec spec, const Axis& axis) {
  const int64_t span = (axis.kernel() - 1) * axis.dilation() + 1, ends = spec.padding.before + spec.padding.after + 2 * span;
  const int64_t spare = (spec.length - ends) / spec.stride - 3;
  if (spare > 0) spec.length -= spare * spec.stride;
  return spec;
}

bool keeps_all(AxisSpec spec) {
  Result<Axis> axis = Axis::regular(spec);
  if (!axis || axis->output() > largest_size) return false;
  if (spec.stride > spec.kernel || spec.dilation > 1) {
    spec = shortened(spec, *axis);
    axis = Axis::regular(spec);
    if (!axis || axis->output() > most_taps_tried / axis->kernel()) return false;
  }
  return AxisMap(*axis).inside(RangeSet(Range{0, axis->output()})).contains(RangeSet(Range{0, axis->input()}));
}

// The least padding, both sides alike if `both`, that keeps everything.
std::optional<Sides> enough_padding(AxisSpec spec, bool both) {
  const Sides before = spec.padding;
  for (int64_t more = 1; more <= std::min(farthest, spec.stride + spec.kernel); ++more) {
    spec.padding = both ? Sides(before.before + more, before.after + more) : Sides(before.before, before.after + more);
    if (keeps_all(spec)) return spec.padding;
  }
  return std::nullopt;
}

std::optional<int64_t> enough_length(AxisSpec spec, int step) {
  for (int64_t moved = 1; moved <= std::min(farthest, spec.stride + spec.kernel); ++moved) {
    spec.length += step;
    if (spec.length < 1) break;
    if (keeps_all(spec)) return spec.length;
  }
  return std::nullopt;
}

// The network with other sizes along the axes, or nothing if a layer refuses them.
std::optional<Network> resized(const Network& network, const Report& report, const std::vector<int64_t>& sizes) {
  Network copy;
  try {
    for (size_t at = 0; at < network.nodes().size(); ++at) {
      const Node& node = network.nodes()[at];
      Dims shape = node.shape;
      if (std::holds_alternative<Input>(node.layer)) {
        for (size_t axis = 0; axis < report.axes.size(); ++axis)
          if (report.axes[axis].input == static_cast<int>(at)) shape[report.axes[axis].dim] = sizes[axis];
        copy.input(node.name, shape);
      } else if (std::holds_alternative<Constant>(node.layer)) {
        copy.constant(shape, node.parameters, node.name, node.weights);
      } else {
        copy.add(node.layer, node.inputs, node.name, node.weights);
      }
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  return copy;
}

// Along one dimension, or with -1 along all.
bool loses_nothing(const Network& network, int only = -1) {
  for (const Node& node : network.nodes()) {
    if (!node.is_known() || !(std::holds_alternative<Conv>(node.layer) || std::holds_alternative<Pool>(node.layer))) continue;
    const Placement placed = placement_of(network, node);
    for (const int dim : placed.window_dims) {
      if (only >= 0 && dim != only) continue;
      const AxisMap& map = placed.reads[0][static_cast<size_t>(dim)].map;
      const auto* windows = std::get_if<WindowReads>(&map.reads());
      const bool keeps = windows != nullptr && !windows->axis.is_adaptive() && !windows->axis.is_fractional()
                             ? keeps_all(spec_of(windows->axis))
                             : map.inside(RangeSet(Range{0, map.output()})).contains(RangeSet(Range{0, map.input()}));
      if (!keeps) return false;
    }
  }
  return true;
}

std::vector<int64_t> sizes_of(const Report& report) {
  std::vector<int64_t> sizes;
  sizes.reserve(report.axes.size());
  for (const InputAxis& axis : report.axes) sizes.push_back(axis.size);
  return sizes;
}

// Half the size and less is not near: it may only keep everything because a single window is left.
bool are_near(const std::vector<int64_t>& sizes, const Report& report) {
  for (size_t axis = 0; axis < sizes.size(); ++axis)
    if (sizes[axis] <= report.axes[axis].size / 2) return false;
  return true;
}

std::optional<std::vector<int64_t>> nearest_sizes(const Network& network, const Report& report, int step) {
  // All axes by the same number of cells: most inputs are square, and stay so.
  std::vector<int64_t> sizes = sizes_of(report);
  for (int64_t moved = 1; moved <= farthest_size; ++moved) {
    for (int64_t& size : sizes) size += step;
    if (!are_near(sizes, report)) break;
    const std::optional<Network> other = resized(network, report, sizes);
    if (other && loses_nothing(*other)) return sizes;
  }
  // The axes of an input of another form, one by one.
  sizes = sizes_of(report);
  if (network.inputs().size() != 1) return std::nullopt;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    bool found = false;
    for (int64_t moved = 0; !found && moved <= farthest_size && are_near(sizes, report); ++moved) {
      const std::optional<Network> other = resized(network, report, sizes);
      found = other && loses_nothing(*other, report.axes[axis].dim);
      if (!found) sizes[axis] += step;
    }
    if (!found) return std::nullopt;
  }
  const std::optional<Network> other = resized(network, report, sizes);
  if (!other || !loses_nothing(*other)) return std::nullopt;
  return sizes;
}

}  // namespace

std::vector<std::string> remedies(const Layer& layer, const AxisMap& map, const std::string& axis) {
  const auto* windows = std::get_if<WindowReads>(&map.reads());
  if (windows == nullptr) return {};
  const Axis& a = windows->axis;
  AxisSpec spec = spec_of(a);
  const auto* pool = std::get_if<Pool>(&layer);
  if (pool != nullptr) spec.limit_padding = preset_rules(pool->windows.preset).limit_padding;
  std::vector<std::string> found;
  if (const auto one_side = enough_padding(spec, false))
    found.push_back("padding " + std::to_string(one_side->before) + ":" + std::to_string(one_side->after) + " along " + axis);
  if (const auto both = enough_padding(spec, true); both) found.push_back("padding " + std::to_string(both->after) + " along " + axis);
  if (pool != nullptr) {
    AxisSpec rounded = spec;
    rounded.rounding = Rounding::ceil;
    if (a.rounding() == Rounding::floor && keeps_all(rounded)) found.emplace_back("ceil_mode");
    found.push_back("adaptive pooling to " + std::to_string(a.output()) + " along " + axis);
  }
  if (a.stride() > a.kernel()) {
    AxisSpec narrower = spec;
    narrower.stride = a.kernel();
    if (keeps_all(narrower)) found.push_back("stride " + std::to_string(a.kernel()) + " along " + axis);
  }
  const auto smaller = enough_length(spec, -1), larger = enough_length(spec, 1);
  if (smaller || larger)
    found.push_back("a layer input of " + (smaller ? std::to_string(*smaller) : std::string()) + (smaller && larger ? " or " : "") +
                    (larger ? std::to_string(*larger) : std::string()) + " along " + axis);
  return found;
}

std::vector<std::string> lossless_input_sizes(const Network& network, const Report& report) {
  std::vector<std::string> found;
  if (network.nodes().size() > most_nodes_tried) return found;
  std::string text;
  for (const int step : {-1, 1}) {
    const std::optional<std::vector<int64_t>> sizes = nearest_sizes(network, report, step);
    if (!sizes) continue;
    text += text.empty() ? "" : " or ";
    for (size_t axis = 0; axis < sizes->size(); ++axis) text += (axis > 0 ? "x" : "") + std::to_string((*sizes)[axis]);
  }
  if (!text.empty()) found.push_back(text);
  return found;
}

}  // namespace tidepool::inline v0_1::analyze
