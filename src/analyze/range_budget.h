// Bounds the work of one call: how many ranges of cells it may list altogether, whatever network it is given.
#pragma once

#include <cstdint>

namespace tidepool::inline v0_1::analyze {

// While the outermost object of this class on a thread exists, the ranges that the thread takes are counted.
class RangeBudget {
 public:
  static constexpr int64_t most = int64_t{1} << 25;  // takes a few seconds

  RangeBudget() noexcept;
  ~RangeBudget();
  RangeBudget(const RangeBudget&) = delete;
  RangeBudget& operator=(const RangeBudget&) = delete;

  // Throws Error if all ranges together are too many.
  static void take(int64_t count);

 private:
  bool outermost_;
};

}  // namespace tidepool::inline v0_1::analyze
