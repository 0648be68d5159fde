#include "analyze/axis_map.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "analyze/overloaded.h"
#include "core/checked.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

using detail::ceil_div;
using detail::floor_div;

Range one(int64_t position) { return {position, position + 1}; }

RangeSet taps(int64_t first, int64_t kernel, int64_t dilation) {
  if (dilation == 1 || kernel == 1) return RangeSet(Range{first, first + kernel});
  check_ranges(kernel);
  std::vector<Range> ranges;
  ranges.reserve(static_cast<size_t>(kernel));
  for (int64_t tap = 0; tap < kernel; ++tap) ranges.push_back(one(first + tap * dilation));
  return RangeSet::of(std::move(ranges));
}

int64_t window_start(const Axis& axis, int64_t o) {
  if (!axis.is_adaptive()) return o * axis.stride() - axis.pad_before();
  // Bins continue beyond the ends as if the input did.
  return floor_div(o * axis.input(), axis.output());
}

RangeSet window_reads(const Axis& axis, int64_t o) {
  const int64_t first = window_start(axis, o);
  if (axis.is_adaptive()) return RangeSet(Range{first, ceil_div((o + 1) * axis.input(), axis.output())});
  // Where a fractional window starts is decided by samples: any start that is possible counts.
  if (axis.is_fractional()) return RangeSet(Range{0, axis.input()});
  return taps(first, axis.kernel(), axis.dilation());
}

RangeSet transposed_reads(const TransposedReads& t, int64_t o) {
  // Taps of the same remainder read neighbouring inputs, from the highest tap to the lowest.
  std::vector<Range> ranges;
  check_ranges(t.kernel);
  for (int64_t tap = 0; tap < t.kernel; ++tap) {
    const int64_t at = o + t.padding - tap * t.dilation;
    if (floor_div(at, t.stride) * t.stride == at) ranges.push_back(one(at / t.stride));
  }
  return RangeSet::of(std::move(ranges));
}

RangeSet resize_reads(const ResizeReads& r, int64_t o) {
  const int64_t at = o * r.scale + r.shift, low = floor_div(at, r.unit), rest = at - low * r.unit;
  switch (r.cells) {
    case ResizeReads::Cells::floor:
      return RangeSet(one(low));
    case ResizeReads::Cells::ceil:
      return RangeSet(one(low + (rest > 0 ? 1 : 0)));
    case ResizeReads::Cells::round_down:
      return RangeSet(one(low + (2 * rest > r.unit ? 1 : 0)));
    case ResizeReads::Cells::round_up:
      return RangeSet(one(low + (2 * rest >= r.unit ? 1 : 0)));
    case ResizeReads::Cells::linear:
      return RangeSet(Range{low, low + (rest > 0 ? 2 : 1)});
    case ResizeReads::Cells::cubic:
      return rest > 0 ? RangeSet(Range{low - 1, low + 3}) : RangeSet(one(low));
  }
  return {};
}

// The position inside [0, size) that a position of the padding repeats.
int64_t folded(int64_t at, int64_t size, ShiftedReads::Outside outside) {
  if (outside == ShiftedReads::Outside::replicate) return std::clamp<int64_t>(at, 0, size - 1);
  if (outside == ShiftedReads::Outside::circular) return at - floor_div(at, size) * size;
  const int64_t around = std::max<int64_t>(1, 2 * (size - 1)), turn = at - floor_div(at, around) * around;
  return std::min(turn, around - turn);
}

}  // namespace

bool AxisMap::is_same() const noexcept {
  const auto* shifted = std::get_if<ShiftedReads>(&reads_);
  return shifted != nullptr && shifted->begin == 0 && shifted->step == 1 && input_ == output_;
}

RangeSet AxisMap::unclipped(int64_t o) const {
  return std::visit(
      Overloaded{[&](const WindowReads& w) { return window_reads(w.axis, o); },
                 [&](const TransposedReads& t) { return transposed_reads(t, o); }, [&](const ResizeReads& r) { return resize_reads(r, o); },
                 [&](const ShiftedReads& s) { return RangeSet(one(o * s.step + s.begin)); },
                 [&](const WholeReads&) { return RangeSet(Range{0, input_}); }, [&](const BroadcastReads&) { return RangeSet(one(0)); },
                 [&](const MergedReads& m) { return RangeSet(one(o / m.inner % input_)); },
                 [&](const GroupReads& g) {
                   const int64_t group = floor_div(o, output_ / g.groups), size = input_ / g.groups;
                   return RangeSet(Range{group * size, (group + 1) * size});
                 }},
      reads_);
}

RangeSet AxisMap::clipped(int64_t o) const {
  const Range bounds{0, input_};
  RangeSet reads = unclipped(o);
  if (reads.empty() || (reads.hull().begin >= 0 && reads.hull().end <= input_)) return reads;
  if (is<ResizeReads>()) {  // coordinates outside are moved to the nearest cell
    RangeSet kept = reads.within(bounds);
    if (reads.hull().begin < 0) kept.add(RangeSet(one(0)));
    if (reads.hull().end > input_) kept.add(RangeSet(one(input_ - 1)));
    return kept;
  }
  if (const auto* s = std::get_if<ShiftedReads>(&reads_); s != nullptr && s->outside != ShiftedReads::Outside::nothing)
    return RangeSet(one(folded(reads.hull().begin, input_, s->outside)));
  return reads.within(bounds);
}

int64_t AxisMap::period() const {
  if (const auto* g = std::get_if<GroupReads>(&reads_)) return output_ / g->groups;
  return stride().denominator();
}

int64_t AxisMap::advance() const {
  if (const auto* g = std::get_if<GroupReads>(&reads_)) return input_ / g->groups;
  return stride().numerator();
}

Rational AxisMap::stride() const {
  return std::visit(
      Overloaded{[](const WindowReads& w) {
                   if (w.axis.is_fractional()) return Rational(0);
                   return w.axis.is_adaptive() ? Rational(w.axis.input(), w.axis.output()) : Rational(w.axis.stride());
                 },
                 [](const TransposedReads& t) { return Rational(1, t.stride); },
                 [](const ResizeReads& r) { return Rational(r.scale, r.unit); }, [](const ShiftedReads& s) { return Rational(s.step); },  //
                 [](const WholeReads&) { return Rational(0); }, [](const BroadcastReads&) { return Rational(0); },
                 [](const MergedReads&) { return Rational(0); },  //
                 [&](const GroupReads&) { return Rational(input_, output_); }},
      reads_);
}

Rational AxisMap::centre() const {
  const auto middle = [](int64_t first, int64_t last) { return Rational(first, 2) + Rational(last, 2); };
  return std::visit(
      Overloaded{
          [&](const WindowReads& w) {
            const Axis& a = w.axis;
            if (a.is_fractional()) return middle(0, a.input() - 1);
            // The middle of the bin from 0 to input / output.
            if (a.is_adaptive()) return Rational(a.input(), a.output()) * Rational(1, 2) - Rational(1, 2);
            return middle(-a.pad_before(), (a.kernel() - 1) * a.dilation() - a.pad_before());
          },
          [&](const TransposedReads& t) { return (Rational(t.padding) - middle(0, (t.kernel - 1) * t.dilation)) * Rational(1, t.stride); },
          [](const ResizeReads& r) {
            const Rational at(r.shift, r.unit), scale(r.scale, r.unit);
            // Rounding moves coordinates by half a step on average.
            if (r.cells == ResizeReads::Cells::floor) return at + (scale - Rational(1)) * Rational(1, 2);
            return at;
          },
          [](const ShiftedReads& s) { return Rational(s.begin); }, [&](const WholeReads&) { return middle(0, input_ - 1); },  //
          [](const BroadcastReads&) { return Rational(0); }, [](const MergedReads&) { return Rational(0); },
          [&](const GroupReads& g) {  // of the outputs of the first group, on average
            return middle(0, input_ / g.groups - 1) - Rational(input_, output_) * middle(0, output_ / g.groups - 1);
          }},
      reads_);
}

int64_t AxisMap::reach() const {
  return std::visit(Overloaded{[](const WindowReads& w) {
                                 const Axis& a = w.axis;
                                 if (a.is_adaptive()) return a.input() / a.output() - 1 + (a.input() % a.output() == 0 ? 0 : 1);
                                 return (a.kernel() - 1) * a.dilation();
                               },
                               [](const TransposedReads& t) { return std::max<int64_t>(0, ((t.kernel - 1) * t.dilation) / t.stride); },
                               [](const ResizeReads&) { return int64_t{0}; },                                                  //
                               [](const ShiftedReads&) { return int64_t{0}; }, [&](const WholeReads&) { return input_ - 1; },  //
                               [](const BroadcastReads&) { return int64_t{0}; }, [](const MergedReads&) { return int64_t{0}; },
                               [&](const GroupReads& g) { return input_ / g.groups - 1; }},
                    reads_);
}

}  // namespace tidepool::inline v0_1::analyze
