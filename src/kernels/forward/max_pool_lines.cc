// Max and min pooling by lines, with and without indices.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/max_pool_lines.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/forward/lines-inl.h"
#include "kernels/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

template <class E>
struct MaxByLines : ExtremumBy<LineMax<E, false>, Lane<E>, false> {};
template <class E>
struct ArgByLines : ExtremumBy<LineMax<E, true>, Lane<E>, true> {};
#endif  // one lane cannot be shuffled: the reference serves that target

std::span<const KernelEntry> max_lines_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto table =
      join(mirrored_entries<MaxByLines>("columns_lines", Split::rows), mirrored_entries<ArgByLines>("columns_lines", Split::rows));
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(max_lines_table);
std::span<const KernelEntry> max_pool_lines_kernels(int64_t target) { return function_for(HWY_DISPATCH_TABLE(max_lines_table), target)(); }
}  // namespace tidepool::inline v0_1::detail
#endif
