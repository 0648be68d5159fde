// What sets of outputs read together. Sets can be ranges of 2^30 positions, so ranges are followed as ranges where that is possible.
#include <algorithm>
#include <vector>

#include "analyze/axis_map.h"
#include "analyze/range_budget.h"
#include "core/checked.h"

namespace tidepool::inline v0_1::analyze {

namespace {

Range one(int64_t position) { return {position, position + 1}; }

// With a stride that divides the dilation, everything lies at multiples of the stride, and in strides a tap reads one range from a range of
// windows.
RangeSet tap_by_tap(const Axis& axis, const RangeSet& outputs) {
  const int64_t stride = axis.stride();
  std::vector<Range> ranges;
  check_ranges(axis.kernel() * static_cast<int64_t>(outputs.ranges().size()));
  for (const Range& range : outputs.ranges())
    for (int64_t tap = 0; tap < axis.kernel(); ++tap) {
      const int64_t shift = tap * (axis.dilation() / stride) - (stride == 1 ? axis.pad_before() : 0);
      ranges.push_back({range.begin + shift, range.end + shift});
    }
  RangeSet strides = RangeSet::of(std::move(ranges));
  if (stride == 1) return strides;
  check_ranges(strides.count());
  RangeBudget::take(strides.count());
  std::vector<Range> cells;
  for (const Range& range : strides.ranges())
    for (int64_t at = range.begin; at < range.end; ++at) cells.push_back(one(at * stride - axis.pad_before()));
  return RangeSet::of(std::move(cells));
}

// Windows with gaps between them and none inside.
RangeSet window_by_window(const Axis& axis, const RangeSet& outputs) {
  std::vector<Range> ranges;
  ranges.reserve(static_cast<size_t>(outputs.count()));
  for (const Range& range : outputs.ranges())
    for (int64_t o = range.begin; o < range.end; ++o) {
      const int64_t start = o * axis.stride() - axis.pad_before();
      ranges.push_back({start, start + axis.kernel()});
    }
  return RangeSet::of(std::move(ranges));
}

// What all outputs of a transposed layer read together: input i if one of its taps reaches an output, 0 <= i * stride - padding + tap *
// dilation < outputs.
RangeSet reaching_any(const TransposedReads& t, int64_t outputs) {
  std::vector<Range> ranges;
  check_ranges(t.kernel);
  for (int64_t tap = 0; tap < t.kernel; ++tap) {
    const int64_t cut = t.padding - tap * t.dilation;
    const Range range{detail::ceil_div(cut, t.stride), detail::floor_div(outputs - 1 + cut, t.stride) + 1};
    if (range.size() > 0) ranges.push_back(range);
  }
  return RangeSet::of(std::move(ranges));
}

RangeSet moved(const RangeSet& set, int64_t shift) {
  RangeSet result;
  result.add(set, shift);
  return result;
}

}  // namespace

bool AxisMap::is_dense() const {
  if (const auto* w = std::get_if<WindowReads>(&reads_))
    return w->axis.is_adaptive() || w->axis.is_fractional() || (w->axis.dilation() == 1 && w->axis.stride() <= w->axis.kernel());
  if (const auto* t = std::get_if<TransposedReads>(&reads_)) return t->dilation == 1 && t->kernel >= t->stride;
  if (const auto* r = std::get_if<ResizeReads>(&reads_)) return r->scale <= r->unit;
  return is<GroupReads>();
}

RangeSet AxisMap::inside(const RangeSet& outputs) const {
  const Range bounds{0, input_};
  if (outputs.empty()) return {};
  if (is<WholeReads>()) return RangeSet(bounds);
  if (is<BroadcastReads>()) return RangeSet(Range{0, 1});
  if (is_same()) return outputs;
  if (is<MergedReads>() && outputs.count() == output_) return RangeSet(bounds);
  std::vector<Range> ranges;
  const auto add = [&](int64_t o) {
    const RangeSet reads = clipped(o);
    ranges.insert(ranges.end(), reads.ranges().begin(), reads.ranges().end());
    check_ranges(static_cast<int64_t>(ranges.size()));
  };
  if (is_dense()) {
    for (const Range& range : outputs.ranges()) {
      // The outermost cells are read by the first or the last two outputs: at a coordinate without a fraction, cubic reads one cell.
      std::vector<Range> ends;
      for (const int64_t o : {range.begin, std::min(range.begin + 1, range.end - 1), std::max(range.end - 2, range.begin), range.end - 1})
        ends.push_back((is<ResizeReads>() ? clipped(o) : unclipped(o)).hull());
      ranges.push_back(RangeSet::of(std::move(ends)).hull());
    }
    return RangeSet::of(std::move(ranges)).within(bounds);
  }
  if (const auto* w = std::get_if<WindowReads>(&reads_); w != nullptr && w->axis.dilation() % w->axis.stride() == 0)
    return tap_by_tap(w->axis, outputs).within(bounds);
  if (const auto* t = std::get_if<TransposedReads>(&reads_); t != nullptr && outputs.count() == output_)
    return reaching_any(*t, output_).within(bounds);
  const auto* s = std::get_if<ShiftedReads>(&reads_);
  if (s == nullptr || s->step != 1) {
    check_ranges(outputs.count());
    RangeBudget::take(outputs.count());
    if (const auto* w = std::get_if<WindowReads>(&reads_); w != nullptr && w->axis.dilation() == 1)
      return window_by_window(w->axis, outputs).within(bounds);
    for (const Range& range : outputs.ranges())
      for (int64_t o = range.begin; o < range.end; ++o) add(o);
    return RangeSet::of(std::move(ranges));
  }
  RangeSet all = moved(outputs, s->begin);
  const RangeSet beyond = all.without(RangeSet(bounds));
  all = all.within(bounds);
  if (s->outside == ShiftedReads::Outside::nothing || beyond.empty()) return all;
  for (const Range& range : beyond.ranges())
    // Reflected or repeated, 2 * input positions in a row read everything.
    for (int64_t at = range.begin; at < std::min(range.end, range.begin + 2 * input_); ++at) add(at - s->begin);
  all.add(RangeSet::of(std::move(ranges)));
  return all;
}

}  // namespace tidepool::inline v0_1::analyze
