// The backward pass of average and sum pooling for any windows and strides.
#include <array>

#include "kernels/kernel.h"
#include "kernels/reference/avg_pool_spread.h"

namespace tidepool::inline v0_1::detail {
std::span<const KernelEntry> avg_pool_reference_backward_kernels(int64_t /*target*/) {
  static constexpr auto entries = plane_entries<AvgSpread>("reference", "reference_channels", Pass::backward, {Op::avg, Op::sum});
  return entries;
}

}  // namespace tidepool::inline v0_1::detail
