#include "analyze/range_budget.h"

#include <string>

#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr int64_t unlimited = -1;
constinit thread_local int64_t left = unlimited;

}  // namespace

RangeBudget::RangeBudget() noexcept : outermost_(left == unlimited) {
  if (outermost_) left = most;
}

RangeBudget::~RangeBudget() {
  if (outermost_) left = unlimited;
}

void RangeBudget::take(int64_t count) {
  if (left == unlimited) return;
  if (count > left)
    detail::throw_error({ErrorCode::unsupported, "analyze: the windows of the network leave more than " + std::to_string(most) +
                                                     " gaps altogether, which is the limit; a smaller input has fewer"});
  left -= count;
}

}  // namespace tidepool::inline v0_1::analyze
