// The backward pass of average and sum pooling for any windows and strides.
#include <array>

#include "kernels/kernel.h"
#include "kernels/reference/avg_pool_spread.h"

namespace tidepool::inline v0_1::detail {
std::span<const KernelEntry> avg_pool_reference_backward_kernels(int64_t /*target*/) {
  static constexpr auto table = channel_range_entries<AvgSpread>({.name = "reference", .ops = {Op::avg, Op::sum}, .passes = Pass::backward},
                                                                 "reference_channels", FloatTypes());
  return table;
}

}  // namespace tidepool::inline v0_1::detail
