// The backward pass of average and sum pooling for any windows and strides.
#include <array>

#include "kernels/avg_pool_spread.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {
std::span<const KernelEntry> avg_pool_backward_kernels(int64_t /*target*/) {
  static constexpr auto entries = plane_entries<AvgSpread>("spread", "spread_channels", Pass::backward, {Op::avg, Op::sum});
  return entries;
}

}  // namespace tidepool::inline v0_1::detail
