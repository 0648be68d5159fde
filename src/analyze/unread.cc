#include "analyze/unread.h"

#include <algorithm>
#include <string>

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr int64_t most_taps = int64_t{1} << 20;  // that are looked at one by one

std::string from_to(int64_t first, int64_t last) { return to_string(RangeSet(Range{first, last + 1})); }

bool has_no_gaps(const AxisMap& map) {
  if (map.is<WholeReads>() || map.is<BroadcastReads>()) return true;
  const auto* windows = std::get_if<WindowReads>(&map.reads());
  if (windows == nullptr) return false;
  const Axis& axis = windows->axis;
  return axis.is_adaptive() || axis.is_fractional() || (axis.dilation() == 1 && axis.stride() <= axis.kernel());
}

int64_t taps_of(const AxisMap& map) {
  if (const auto* windows = std::get_if<WindowReads>(&map.reads())) return windows->axis.dilation() == 1 ? 1 : windows->axis.kernel();
  if (const auto* transposed = std::get_if<TransposedReads>(&map.reads())) return transposed->kernel;
  return 1;
}

// Windows move forward, so the outputs from `n` on read nothing in front of the first position of output n.
int64_t first_of(const AxisMap& map, int64_t o) { return std::clamp<int64_t>(map.unclipped(o).hull().begin, 0, map.input()); }
int64_t end_of(const AxisMap& map, int64_t o) { return std::clamp<int64_t>(map.unclipped(o).hull().end, 0, map.input()); }

// Neighbouring outputs of an upsampling read the same cells or the next ones.
bool upsamples(const AxisMap& map) {
  const auto* resize = std::get_if<ResizeReads>(&map.reads());
  return resize != nullptr && resize->scale <= resize->unit;
}

RangeSet unread_cells(const AxisMap& map, bool* is_complete) {
  const RangeSet all(Range{0, map.input()});
  if (upsamples(map)) {
    const auto reads = [&](int64_t o) { return map.inside(RangeSet(Range{o, o + 1})).hull(); };
    return all.without(RangeSet(Range{reads(0).begin, reads(map.output() - 1).end}));
  }
  const int64_t n = std::max<int64_t>(1, most_taps / taps_of(map));
  const bool at_once = has_no_gaps(map) || (map.is<TransposedReads>() && taps_of(map) <= most_taps);
  if (at_once || map.output() <= n) return all.without(map.inside(RangeSet(Range{0, map.output()})));
  *is_complete = false;
  if (taps_of(map) > most_taps) return {};
  const int64_t near = std::min(n, int64_t{4096}), far = map.output() - near;
  RangeSet unread = RangeSet(Range{0, first_of(map, near)}).without(map.inside(RangeSet(Range{0, near})));
  unread.add(RangeSet(Range{end_of(map, far - 1), map.input()}).without(map.inside(RangeSet(Range{far, map.output()}))));
  return unread;
}

// The reasons for a regular axis, in the order in which they are given.
enum Why { between, inside, behind };

Why why(const Axis& axis, int64_t cell) {
  const int64_t span = (axis.kernel() - 1) * axis.dilation() + 1;
  if (cell >= axis.start(axis.output() - 1) + span) return behind;
  return axis.stride() > span && (cell + axis.pad_before()) % axis.stride() >= span ? between : inside;
}

std::string reason(const Axis& axis, Why why) {
  const int64_t span = (axis.kernel() - 1) * axis.dilation() + 1;
  const std::string stride = std::to_string(axis.stride()), cells = std::to_string(span) + (span == 1 ? " cell" : " cells");
  if (why == between) return "a stride of " + stride + " moves past more than the " + cells + " of a window";
  if (why == inside) return "a dilation of " + std::to_string(axis.dilation()) + " leaves gaps between the cells of a window";
  const int64_t begin = axis.start(axis.output() - 1) + axis.stride(), end = axis.input() - 1 + axis.pad_after();
  const std::string next = "output " + std::to_string(axis.output());
  if (begin >= axis.input())
    return next + " would begin at " + std::to_string(begin) + ", but the input ends at " + std::to_string(axis.input() - 1);
  return next + " would reach " + from_to(begin, begin + span - 1) + ", but the input " +
         (axis.pad_after() > 0 ? "with its padding " : "") + "ends at " + std::to_string(end);
}

std::vector<Unread> grouped(const Axis& axis, const RangeSet& cells) {
  std::vector<Unread> groups;
  for (const Why cause : {between, inside, behind}) {
    std::vector<Range> ranges;
    for (const Range& range : cells.ranges()) {
      // A range can begin between windows and go on behind the last one.
      const int64_t tail = std::clamp(axis.start(axis.output() - 1) + (axis.kernel() - 1) * axis.dilation() + 1, range.begin, range.end);
      for (const Range part : {Range{range.begin, tail}, Range{tail, range.end}})
        if (part.size() > 0 && why(axis, part.begin) == cause) ranges.push_back(part);
    }
    if (!ranges.empty()) groups.push_back({RangeSet::of(std::move(ranges)), reason(axis, cause)});
  }
  return groups;
}

std::string reason(const AxisMap& map) {
  if (map.is<TransposedReads>()) return "the padding cuts off all outputs that they reach";
  if (map.is<ResizeReads>()) return "the coordinates of neighbouring outputs are " + to_string(map.stride()) + " cells apart";
  return map.stride() == Rational(1) ? "the layer cuts them off" : "the layer takes every " + to_string(map.stride()) + " cells";
}

}  // namespace

UnreadCells find_unread(const AxisMap& map) {
  UnreadCells found;
  RangeSet cells = unread_cells(map, &found.is_complete);
  if (cells.empty()) return found;
  const auto* windows = std::get_if<WindowReads>(&map.reads());
  if (windows != nullptr && !windows->axis.is_adaptive() && !windows->axis.is_fractional())
    found.groups = grouped(windows->axis, cells);
  else
    found.groups.push_back({std::move(cells), reason(map)});
  return found;
}

}  // namespace tidepool::inline v0_1::analyze
