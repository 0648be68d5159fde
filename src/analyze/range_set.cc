#include "tidepool/analyze/range_set.h"

#include <algorithm>

namespace tidepool::inline v0_1::analyze {

RangeSet RangeSet::of(std::vector<Range> ranges) {
  std::erase_if(ranges, [](const Range& r) { return r.size() == 0; });
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  RangeSet set;
  for (const Range& range : ranges) {
    if (!set.empty() && range.begin <= set.ranges_.back().end)
      set.ranges_.back().end = std::max(set.ranges_.back().end, range.end);
    else
      set.ranges_.push_back(range);
  }
  return set;
}

int64_t RangeSet::count() const noexcept {
  int64_t total = 0;
  for (const Range& range : ranges_) total += range.size();
  return total;
}

RangeSet RangeSet::holes() const {
  RangeSet between;
  for (size_t i = 1; i < ranges_.size(); ++i) between.ranges_.push_back({ranges_[i - 1].end, ranges_[i].begin});
  return between;
}

bool RangeSet::contains(int64_t position) const noexcept {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), position, [](int64_t at, const Range& range) { return at < range.begin; });
  return after != ranges_.begin() && position < std::prev(after)->end;
}

bool RangeSet::contains(const RangeSet& other) const {
  auto mine = ranges_.begin();
  for (const Range& range : other.ranges_) {
    while (mine != ranges_.end() && mine->end < range.end) ++mine;
    if (mine == ranges_.end() || mine->begin > range.begin) return false;
  }
  return true;
}

void RangeSet::add(const RangeSet& other, int64_t shift) {
  if (other.empty()) return;
  if (&other == this) return add(RangeSet(other), shift);
  const Range first{other.ranges_.front().begin + shift, other.ranges_.front().end + shift};
  // Most fields have no holes, and most sets are added in ascending order.
  if (other.is_one_range() && (empty() || first.begin >= ranges_.back().begin)) {
    if (!empty() && first.begin <= ranges_.back().end)
      ranges_.back().end = std::max(ranges_.back().end, first.end);
    else
      ranges_.push_back(first);
    return;
  }
  std::vector<Range> all = std::move(ranges_);
  for (const Range& range : other.ranges_) all.push_back({range.begin + shift, range.end + shift});
  *this = of(std::move(all));
}

RangeSet RangeSet::within(Range bounds) const {
  RangeSet inside;
  for (const Range& range : ranges_) {
    const Range part{std::max(range.begin, bounds.begin), std::min(range.end, bounds.end)};
    if (part.size() > 0) inside.ranges_.push_back(part);
  }
  return inside;
}

RangeSet RangeSet::without(const RangeSet& other) const {
  RangeSet rest;
  auto cut = other.ranges_.begin();
  for (Range range : ranges_) {
    while (cut != other.ranges_.end() && cut->end <= range.begin) ++cut;
    for (auto at = cut; at != other.ranges_.end() && at->begin < range.end; ++at) {
      if (at->begin > range.begin) rest.ranges_.push_back({range.begin, at->begin});
      range.begin = std::max(range.begin, at->end);
    }
    if (range.size() > 0) rest.ranges_.push_back(range);
  }
  return rest;
}

std::string to_string(const RangeSet& set, size_t limit) {
  if (set.empty()) return "none";
  std::string text;
  for (size_t i = 0; i < set.ranges().size(); ++i) {
    if (i == limit) return text + ", … (" + std::to_string(set.ranges().size() - limit) + " more)";
    const Range& range = set.ranges()[i];
    if (i > 0) text += ", ";
    text += std::to_string(range.begin);
    if (range.size() > 1) text += "-" + std::to_string(range.end - 1);
  }
  return text;
}

}  // namespace tidepool::inline v0_1::analyze
