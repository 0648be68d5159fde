#include "analyze/axis_field.h"

#include <algorithm>
#include <numeric>

#include "core/checked.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

// Layers whose windows repeat after more positions than this are listed position by position; so many positions are the limit.
constexpr int64_t longest_period = int64_t{1} << 16;

int64_t product(int64_t a, int64_t b) {
  int64_t result;
  if (!detail::checked_mul(a, b, &result)) detail::throw_error({ErrorCode::overflow, "analyze: strides of the fields overflow 64 bits"});
  return result;
}

// Ranges whose positions follow each other without gaps have a union without gaps.
bool dense(const AxisField& field) {
  return field.period == 1 && field.phases.front().is_one_range() && field.advance >= 0 && field.advance <= field.phases.front().count();
}

void add_positions(RangeSet& into, const AxisField& field, const Range& positions) {
  if (dense(field)) {
    const Range first = field.phases.front().hull();
    into.add(RangeSet({product(positions.begin, field.advance) + first.begin, product(positions.end - 1, field.advance) + first.end}));
    return;
  }
  if (positions.size() > longest_period)
    detail::throw_error({ErrorCode::unsupported, "analyze: a window of " + std::to_string(positions.size()) +
                                                     " cells whose fields have holes; the limit is " + std::to_string(longest_period)});
  for (int64_t i = positions.begin; i < positions.end; ++i)
    into.add(field.phases[static_cast<size_t>(i - detail::floor_div(i, field.period) * field.period)],
             product(detail::floor_div(i, field.period), field.advance));
}

void shorten_period(AxisField& field) {
  for (int64_t parts = 2; parts <= field.period; ++parts) {
    while (field.period % parts == 0 && field.advance % parts == 0) {
      const int64_t period = field.period / parts, advance = field.advance / parts;
      bool repeats = true;
      for (int64_t o = period; o < field.period && repeats; ++o) {
        RangeSet moved;
        moved.add(field.phases[static_cast<size_t>(o - period)], advance);
        repeats = moved == field.phases[static_cast<size_t>(o)];
      }
      if (!repeats) break;
      field.period = period;
      field.advance = advance;
      field.phases.resize(static_cast<size_t>(period));
    }
  }
}

// Sets the period, or the number of positions if the period is too long to list.
void set_period(AxisField& field, int64_t period, int64_t advance) {
  if (period > longest_period || period > field.extent) {
    if (field.extent > longest_period)
      detail::throw_error({ErrorCode::unsupported, "analyze: the windows of a layer with " + std::to_string(field.extent) +
                                                       " outputs never repeat; the limit is " + std::to_string(longest_period)});
    advance = static_cast<int64_t>(static_cast<double>(advance) / static_cast<double>(period) * static_cast<double>(field.extent));
    period = std::max<int64_t>(1, field.extent);
  }
  field.period = period;
  field.advance = advance;
}

}  // namespace

AxisField AxisField::of_input(int dim, int64_t size) {
  AxisField field;
  field.dim = dim;
  field.extent = size;
  field.advance = 1;
  field.phases.emplace_back(Range{0, 1});
  field.stride = 1;
  return field;
}

RangeSet AxisField::at(int64_t o) const {
  RangeSet all = shared;
  if (moves()) add_positions(all, *this, {o, o + 1});
  return all;
}

RangeSet AxisField::everything() const {
  RangeSet all = shared;
  if (moves() && extent > 0) add_positions(all, *this, {0, extent});
  return all;
}

int64_t AxisField::size() const {
  if (!moves()) return shared.hull().size();
  int64_t largest = 0;
  if (shared.empty()) {
    for (const RangeSet& phase : phases) largest = std::max(largest, phase.hull().size());
    return largest;
  }
  // Farthest from the shared part are the first and the last positions.
  for (int64_t o = 0; o < std::min(period, extent); ++o)
    largest = std::max({largest, at(o).hull().size(), at(extent - 1 - o).hull().size()});
  return largest;
}

bool is_followed(const AxisField& field, const AxisMap& map) {
  return !field.merged || !field.moves() || map.is_same() || map.is<MergedReads>() || map.stride() == Rational(0);
}

AxisField through(const AxisField& field, const AxisMap& map, int dim) {
  AxisField out = field;
  if (!field.moves()) return out;
  out.smallest = field.smallest + field.stride * Rational(map.reach());
  if (map.is<MergedReads>() || map.is_same()) {
    out.dim = dim;
    out.merged = field.merged || map.is<MergedReads>();
    return out;
  }
  out.centre = field.centre + field.stride * map.centre();
  out.stride = field.stride * map.stride();
  out.phases.clear();
  out.merged = false;
  if (map.stride() == Rational(0) || !is_followed(field, map)) {  // every output reads the same
    out.shared = map.is<BroadcastReads>() ? field.at(0) : field.everything();
    if (!is_followed(field, map)) {
      out.stride = 0;
      out.centre = Rational(out.shared.hull().begin, 2) + Rational(out.shared.hull().end - 1, 2);
    }
    out.dim = AxisField::nowhere;
    out.extent = 1;
    out.period = 1;
    out.advance = 0;
    return out;
  }
  out.dim = dim;
  out.extent = map.output();
  // Positions of the output after which the positions that are read are a whole number of the field's periods.
  const int64_t repeats = field.period / std::gcd(field.period, map.advance());
  set_period(out, product(map.period(), repeats), product(field.advance, product(map.advance(), repeats) / field.period));
  for (int64_t o = 0; o < out.period; ++o) {
    const RangeSet reads = map.unclipped(o);
    RangeSet& phase = out.phases.emplace_back();
    for (const Range& range : reads.ranges()) add_positions(phase, field, range);
  }
  shorten_period(out);
  return out;
}

AxisField merge(const AxisField& a, const AxisField& b, int64_t extent) {
  if (!a.moves() || !b.moves()) {
    AxisField out = a.moves() ? a : b;
    const AxisField& still = a.moves() ? b : a;
    out.shared.add(still.shared);
    out.smallest = std::min(a.smallest, b.smallest);
    return out;
  }
  // The larger field decides where the middle is said to be.
  AxisField out = a.size() >= b.size() ? a : b;
  out.extent = extent;
  out.smallest = std::min(a.smallest, b.smallest);
  out.shared.add(a.shared);
  out.shared.add(b.shared);
  if (a.merged || b.merged) return out;
  const int64_t period = product(a.period, b.period / std::gcd(a.period, b.period));
  const bool same_pace = product(a.advance, period / a.period) == product(b.advance, period / b.period);
  // Paths with different strides meet: no period, so every position is listed.
  set_period(out, same_pace ? period : INT64_MAX, product(a.advance, period / a.period));
  if (!same_pace) out.advance = detail::floor_div(product(a.advance, out.period), a.period);
  out.phases.clear();
  for (int64_t o = 0; o < out.period; ++o) {
    RangeSet& phase = out.phases.emplace_back();
    add_positions(phase, a, {o, o + 1});
    add_positions(phase, b, {o, o + 1});
  }
  shorten_period(out);
  return out;
}

bool aligned(const AxisField& a, const AxisField& b) {
  if (!a.moves() || !b.moves() || a.merged || b.merged) return true;
  return a.stride == b.stride && a.centre == b.centre;
}

}  // namespace tidepool::inline v0_1::analyze
