// The two backward passes of max and min pooling: gradients go to the winners, and come back from them.
#include <array>

#include "kernels/backward/indexed.h"
#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

std::span<const KernelEntry> max_pool_indexed_kernels(int64_t /*target*/) {
  static constexpr auto entries = [] {
    constexpr EnumSet<Op> ops = {Op::max, Op::min};
    constexpr auto scatter = plane_entries<IndexScatter>("indexed", "indexed_channels", Pass::backward, ops);
    constexpr auto gather = plane_entries<IndexGather>("indexed", "indexed_channels", Pass::double_backward, ops);
    return join(scatter, gather);
  }();
  return entries;
}

}  // namespace tidepool::inline v0_1::detail
