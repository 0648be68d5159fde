#include "analyze/remedies.h"

#include <algorithm>
#include <optional>

#include "analyze/placement.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr int64_t farthest = 256;                      // cells that padding or an input size may change by
constexpr int64_t most_taps_tried = int64_t{1} << 16;  // of windows with gaps

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

// "1:2", or "2" where both sides are alike.
std::string sides_text(const Sides& sides) {
  return std::to_string(sides.before) + (sides.after == sides.before ? "" : ":" + std::to_string(sides.after));
}

// A transposed convolution cuts its output by its padding. Every cell of the input keeps an output if the first and the last one do.
std::vector<std::string> remedies_of(const ConvTranspose& conv, const TransposedReads& reads, int spatial, const std::string& axis) {
  const int64_t reach = (reads.kernel - 1) * reads.dilation;
  const Sides cut = conv.padding[spatial];
  const Sides kept(std::min(cut.before, reach), std::min(cut.after, reach + conv.output_padding[spatial]));
  if (kept == cut) return {};
  return {"padding " + sides_text(kept) + " along " + axis};
}

}  // namespace

bool keeps_all(const AxisMap& map) {
  const auto* windows = std::get_if<WindowReads>(&map.reads());
  if (windows != nullptr && !windows->axis.is_adaptive() && !windows->axis.is_fractional()) return keeps_all(spec_of(windows->axis));
  if (const auto* resize = std::get_if<ResizeReads>(&map.reads()); resize != nullptr && map.input() / 4 > map.output())
    return false;  // an output reads at most four cells
  return map.inside(RangeSet(Range{0, map.output()})).contains(RangeSet(Range{0, map.input()}));
}

std::vector<std::string> remedies(const Layer& layer, const AxisMap& map, int spatial, const std::string& name) {
  const auto* transposed = std::get_if<TransposedReads>(&map.reads());
  if (const auto* conv = std::get_if<ConvTranspose>(&layer); conv != nullptr && transposed != nullptr)
    return remedies_of(*conv, *transposed, spatial, name);
  const auto* windows = std::get_if<WindowReads>(&map.reads());
  if (windows == nullptr) return {};
  const Axis& a = windows->axis;
  AxisSpec spec = spec_of(a);
  const auto* pool = std::get_if<Pool>(&layer);
  if (pool != nullptr) spec.limit_padding = preset_rules(pool->windows.preset).limit_padding;
  std::vector<std::string> found;
  if (const auto one_side = enough_padding(spec, false))
    found.push_back("padding " + std::to_string(one_side->before) + ":" + std::to_string(one_side->after) + " along " + name);
  if (const auto both = enough_padding(spec, true); both) found.push_back("padding " + sides_text(*both) + " along " + name);
  if (pool != nullptr) {
    AxisSpec rounded = spec;
    rounded.rounding = Rounding::ceil;
    if (a.rounding() == Rounding::floor && keeps_all(rounded)) found.emplace_back("ceil_mode");
    found.push_back("adaptive pooling to " + std::to_string(a.output()) + " along " + name);
  }
  if (a.stride() > a.kernel()) {
    AxisSpec narrower = spec;
    narrower.stride = a.kernel();
    if (keeps_all(narrower)) found.push_back("stride " + std::to_string(a.kernel()) + " along " + name);
  }
  const auto smaller = enough_length(spec, -1), larger = enough_length(spec, 1);
  if (smaller || larger)
    found.push_back("a layer input of " + (smaller ? std::to_string(*smaller) : std::string()) + (smaller && larger ? " or " : "") +
                    (larger ? std::to_string(*larger) : std::string()) + " along " + name);
  return found;
}

}  // namespace tidepool::inline v0_1::analyze
