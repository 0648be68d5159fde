// A set of positions along an axis, such as the rows that a cell of a network depends on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/axis.h"
#include "tidepool/export.h"

namespace tidepool::inline v0_1::analyze {

// Sorted ranges that neither overlap nor touch.
class TIDEPOOL_API RangeSet {
 public:
  RangeSet() = default;
  explicit RangeSet(Range range) {
    if (range.size() > 0) ranges_.push_back(range);
  }
  // The union of ranges in any order.
  static RangeSet of(std::vector<Range> ranges);

  const std::vector<Range>& ranges() const noexcept { return ranges_; }
  bool empty() const noexcept { return ranges_.empty(); }
  bool is_one_range() const noexcept { return ranges_.size() == 1; }
  int64_t count() const noexcept;  // of positions
  // The smallest range that contains the set; {0, 0} if it is empty.
  Range hull() const noexcept { return empty() ? Range{} : Range{ranges_.front().begin, ranges_.back().end}; }
  // The positions between the first and the last that are not in the set.
  RangeSet holes() const;

  bool contains(int64_t position) const noexcept;
  bool contains(const RangeSet& other) const;

  // Adds the other set, with every position moved by `shift`.
  void add(const RangeSet& other, int64_t shift = 0);
  RangeSet within(Range bounds) const;
  RangeSet without(const RangeSet& other) const;

  friend bool operator==(const RangeSet&, const RangeSet&) = default;

 private:
  std::vector<Range> ranges_;
};

// "0-2, 5, 7-8", with the last position of each range; "none" for the empty set. Lists no more than `limit` ranges.
TIDEPOOL_API std::string to_string(const RangeSet& set, size_t limit = 16);

}  // namespace tidepool::inline v0_1::analyze
