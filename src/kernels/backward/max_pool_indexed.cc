// The double backward pass of max and min pooling: gradients come back from the cells that were chosen.
#include <array>

#include "kernels/backward/indexed.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

std::span<const KernelEntry> max_pool_indexed_kernels(int64_t /*target*/) {
  constexpr EnumSet<Op> ops = {Op::max, Op::min};
  static constexpr auto table = channel_range_entries<IndexGather>(
      {.name = "indexed", .ops = ops, .passes = Pass::double_backward, .split = Split::planes}, "indexed_channels", FloatTypes());
  return table;
}

}  // namespace tidepool::inline v0_1::detail
