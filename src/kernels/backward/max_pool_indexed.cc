// The two backward passes of max and min pooling: gradients go to the winners, and come back from them.
#include <array>

#include "kernels/backward/indexed.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

std::span<const KernelEntry> max_pool_indexed_kernels(int64_t /*target*/) {
  constexpr EnumSet<Op> ops = {Op::max, Op::min};
  static constexpr auto table =
      join(channel_range_entries<IndexScatter>({.name = "indexed", .ops = ops, .passes = Pass::backward}, "indexed_channels", FloatTypes()),
           channel_range_entries<IndexGather>({.name = "indexed", .ops = ops, .passes = Pass::double_backward}, "indexed_channels",
                                              FloatTypes()));
  return table;
}

}  // namespace tidepool::inline v0_1::detail
