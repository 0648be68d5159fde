#include "tidepool/analyze/windows.h"

#include <algorithm>

#include "analyze/placement.h"
#include "analyze/remedies.h"
#include "analyze/size_text.h"
#include "analyze/unread.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

using Kind = WindowAxis::Kind;

Placement placed(const Network& network, int at) {
  const Node& node = network.node(at);
  if (!node.is_known()) detail::throw_error({ErrorCode::invalid_argument, "analyze: the layer " + node.name + " is not known"});
  if (node.inputs.size() != 1) return {};
  return placement_of(network, node);
}

// Whether windows, padding or cropping change the dimension.
bool is_window_dim(const Placement& p, int dim) {
  if (std::ranges::find(p.window_dims, dim) != p.window_dims.end()) return true;
  const DimReads& reads = p.reads[0][static_cast<size_t>(dim)];
  return reads.dim == dim && !reads.map.is_same();
}

Kind kind_of(const AxisMap& map) {
  if (map.is<TransposedReads>()) return Kind::transposed;
  if (map.is<ResizeReads>()) return Kind::interpolated;
  if (map.is<ShiftedReads>()) return Kind::moved;
  const auto* windows = std::get_if<WindowReads>(&map.reads());
  if (windows == nullptr) return Kind::whole;
  return windows->axis.is_adaptive() ? Kind::adaptive : windows->axis.is_fractional() ? Kind::fractional : Kind::regular;
}

void describe(const AxisMap& map, const Layer& layer, int spatial, WindowAxis& axis) {
  axis.kind = kind_of(map);
  if (const auto* windows = std::get_if<WindowReads>(&map.reads())) {
    const Axis& a = windows->axis;
    axis.kernel = a.kernel();
    axis.stride = a.stride();
    axis.dilation = a.dilation();
    axis.padding = {a.pad_before(), a.pad_after()};
    axis.rounding = a.rounding();
  } else if (const auto* transposed = std::get_if<TransposedReads>(&map.reads())) {
    axis.kernel = transposed->kernel;
    axis.stride = transposed->stride;
    axis.dilation = transposed->dilation;
    axis.padding = {transposed->padding, transposed->padding};
    if (const auto* conv = std::get_if<ConvTranspose>(&layer)) axis.padding.after = conv->padding[spatial].after;
    if (const auto* unpool = std::get_if<Unpool>(&layer)) axis.padding.after = unpool->windows.padding[spatial].after;
  }
}

WindowTaps regular_taps(const Axis& axis, int64_t o) {
  const Window w = axis.window(o);
  return {.first = axis.start(o),
          .taps = axis.is_adaptive() ? w.count : axis.kernel(),
          .step = axis.dilation(),
          .begin = w.begin,
          .count = w.count,
          .padded_count = w.padded_count,
          .coordinate = {}};
}

// The cells of all other layers are evenly spaced too.
WindowTaps other_taps(const AxisMap& map, int64_t o) {
  const RangeSet cells = map.inside(RangeSet(Range{o, o + 1}));
  const Range hull = cells.hull();
  const int64_t count = cells.count();
  WindowTaps taps{.first = hull.begin, .taps = count, .begin = hull.begin, .count = count, .padded_count = count, .coordinate = {}};
  if (count > 1) taps.step = (hull.size() - 1) / (count - 1);
  if (const auto* resize = std::get_if<ResizeReads>(&map.reads()))
    taps.coordinate = Rational(o) * Rational(resize->scale, resize->unit) + Rational(resize->shift, resize->unit);
  return taps;
}

}  // namespace

std::vector<WindowAxis> window_axes(const Network& network, int node) {
  const Placement p = placed(network, node);
  std::vector<WindowAxis> axes;
  if (p.reads.empty()) return axes;
  const Layer& layer = network.node(node).layer;
  const Dims& input = network.node(network.node(node).inputs[0]).shape;
  for (int dim = 2; dim < input.rank && input.rank == p.shape.rank && input.rank <= 2 + max_spatial; ++dim) {
    if (!is_window_dim(p, dim)) continue;
    const AxisMap& map = p.reads[0][static_cast<size_t>(dim)].map;
    WindowAxis axis;
    axis.dim = dim;
    axis.name = axis_name(input.rank - 2, dim - 2);
    axis.input = input[dim];
    axis.output = p.shape[dim];
    describe(map, layer, dim - 2, axis);
    axis.size = size_text(layer, map, dim - 2, axis);
    UnreadCells unread = find_unread(map);
    axis.unread = std::move(unread.groups);
    axis.unread_is_complete = unread.is_complete;
    if (!axis.unread.empty()) axis.remedies = remedies(layer, map, dim - 2, axis.name);
    axes.push_back(std::move(axis));
  }
  return axes;
}

WindowTaps window_taps(const Network& network, int node, int dim, int64_t output) {
  const Placement p = placed(network, node);
  if (dim < 2 || p.reads.empty() || dim >= static_cast<int>(p.reads[0].size()) || !is_window_dim(p, dim))
    detail::throw_error({ErrorCode::out_of_range, "analyze: no windows move along dimension " + std::to_string(dim)});
  if (output < 0 || output >= p.shape[dim])
    detail::throw_error({ErrorCode::out_of_range, "analyze: the output has " + std::to_string(p.shape[dim]) + " cells along dimension " +
                                                      std::to_string(dim) + ", got " + std::to_string(output)});
  const AxisMap& map = p.reads[0][static_cast<size_t>(dim)].map;
  const auto* windows = std::get_if<WindowReads>(&map.reads());
  return windows != nullptr && !windows->axis.is_fractional() ? regular_taps(windows->axis, output) : other_taps(map, output);
}

}  // namespace tidepool::inline v0_1::analyze
