#include "plan/check_window_taps.h"

#include <algorithm>
#include <initializer_list>

#include "kernels/backward/valid_taps.h"
#include "plan/parallel_all_of.h"
#include "runtime/target_id.h"

namespace tidepool::inline v0_1::detail {
namespace {

enum class Order : uint8_t { columns, channels, other };

// In which order the indices follow each other without gaps.
Order order_of(const KernelArgs& a, const Strides5& s) noexcept {
  const Strides5 sizes = {a.batch, a.channels, a.depth.output, a.height.output, a.width.output};
  const auto has_order = [&](std::initializer_list<Dim5> dims) {
    int64_t step = 1;
    for (const Dim5 dim : dims) {
      if (sizes[dim] > 1 && s[dim] != step) return false;
      step *= sizes[dim];
    }
    return true;
  };
  if (has_order({dim_w, dim_h, dim_d, dim_c, dim_n})) return Order::columns;
  return has_order({dim_c, dim_w, dim_h, dim_d, dim_n}) ? Order::channels : Order::other;
}

// The bits of one axis: those of its taps, and those that each window forbids. A byte holds eight; if there are more, each pass over the
// indices checks eight of them.
class AxisRules {
 public:
  static constexpr int bits_per_pass = 8;

  // Takes bits from `next` on, and keeps those of one pass. Windows are asked for again at every use: lists of long axes would not fit on
  // the stack.
  AxisRules(const AxisTable& axis, int pass, int& next) noexcept : axis_(axis) {
    uint64_t lacking = 0;
    for (int64_t o = 0; o < axis.output; o = o == axis.interior.begin && axis.interior.size() > 0 ? axis.interior.end : o + 1)
      lacking |= lacking_taps(axis.window(o));
    for (int64_t t = 0; t < axis.kernel; ++t)
      if ((lacking >> t & 1) != 0)
        tap_bits_[t] = next / bits_per_pass == pass ? static_cast<uint8_t>(1 << next % bits_per_pass) : uint8_t{0}, ++next;
  }
  uint8_t of_tap(int64_t tap) const noexcept { return tap_bits_[tap]; }
  uint8_t forbidden(int64_t o) const noexcept {
    if (o >= axis_.interior.begin && o < axis_.interior.end) return 0;
    const uint64_t lacking = lacking_taps(axis_.window(o));
    unsigned bits = 0;
    for (int64_t t = 0; t < axis_.kernel; ++t) bits |= (lacking >> t & 1) != 0 ? tap_bits_[t] : 0u;
    return static_cast<uint8_t>(bits);
  }

 private:
  uint64_t lacking_taps(const Window& w) const noexcept {  // when count is 0, first_tap is undefined
    const uint64_t all = (uint64_t{1} << axis_.kernel) - 1;
    return w.count == 0 ? all : all & ~(((uint64_t{1} << w.count) - 1) << w.first_tap);
  }

  const AxisTable& axis_;
  uint8_t tap_bits_[TapRules::most_taps] = {};
};

// The indices in memory: lines of outputs, `inner` channels of each.
struct IndexArray {
  const uint8_t* data;
  Order order;
  int64_t inner, row, rows, planes;  // indices of a row, rows of a plane

  IndexArray(const KernelArgs& a, const uint8_t* indices, const Strides5& strides) noexcept
      : data(indices),
        order(order_of(a, strides)),
        inner(order == Order::channels ? a.channels : 1),
        row(a.width.output * inner),
        rows(a.depth.output * a.height.output),
        planes(a.batch * a.channels / inner) {}
};

// One pass; sets how many bits there are in all.
bool pass_is_valid(const KernelArgs& a, const IndexArray& indices, bool may_be_none, int pass, int& bits, Executor& executor) {
  constexpr int64_t most_listed = 16384;  // indices of a plane or of a row
  bits = 0;
  const AxisRules depth(a.depth, pass, bits), height(a.height, pass, bits), width(a.width, pass, bits);
  TapRules rules;
  const int64_t taps = a.depth.kernel * a.height.kernel * a.width.kernel;
  rules.last = static_cast<uint8_t>(taps - 1), rules.may_be_none = may_be_none;
  for (int64_t t = 0; t < taps; ++t)
    rules.bits[t] = static_cast<uint8_t>(depth.of_tap(t / a.width.kernel / a.height.kernel) |
                                         height.of_tap(t / a.width.kernel % a.height.kernel) | width.of_tap(t % a.width.kernel));
  const int64_t target = current_target_id();
  const auto row_forbids = [&](int64_t number) {
    return static_cast<uint8_t>(depth.forbidden(number / a.height.output) | height.forbidden(number % a.height.output));
  };
  // What each index of a row forbids.
  const auto list_row = [&](uint8_t by_row, uint8_t* to) {
    for (int64_t ow = 0; ow < a.width.output; ++ow, to += indices.inner)
      std::fill_n(to, indices.inner, static_cast<uint8_t>(by_row | width.forbidden(ow)));
  };

  const int64_t plane = indices.rows * indices.row;
  if (bits == 0 || plane <= most_listed) {  // small planes: one list for all of them
    uint8_t forbidden[repeated_bytes(most_listed)] = {};
    const int64_t period = bits == 0 ? 1 : plane;
    for (int64_t row = 0; bits > 0 && row < indices.rows; ++row) list_row(row_forbids(row), forbidden + row * indices.row);
    for (int64_t i = 0; i < repeated_bytes(period) - period; ++i) forbidden[period + i] = forbidden[i % period];
    return parallel_all_of(executor, indices.planes, plane, [&](int64_t begin, int64_t end) {
      return taps_valid(target, rules, {indices.data + begin * plane, (end - begin) * plane, forbidden, period});
    });
  }
  if (indices.row > most_listed) return false;
  return parallel_all_of(executor, indices.planes * indices.rows, indices.row, [&](int64_t begin, int64_t end) {
    uint8_t forbidden[repeated_bytes(most_listed)];
    for (int64_t u = begin; u < end;) {
      const uint8_t by_row = row_forbids(u % indices.rows);
      int64_t next = u + 1;  // rows that forbid the same follow each other
      while (next < end && row_forbids(next % indices.rows) == by_row) ++next;
      list_row(by_row, forbidden);
      for (int64_t i = 0; i < repeated_bytes(indices.row) - indices.row; ++i) forbidden[indices.row + i] = forbidden[i % indices.row];
      if (!taps_valid(target, rules, {indices.data + u * indices.row, (next - u) * indices.row, forbidden, indices.row})) return false;
      u = next;
    }
    return true;
  });
}

}  // namespace

bool all_window_taps_valid(const KernelArgs& a, const uint8_t* indices, const Strides5& strides, bool may_be_none, Executor& executor) {
  const int64_t taps = a.depth.kernel * a.height.kernel * a.width.kernel;
  const IndexArray array(a, indices, strides);
  if (taps >= TapRules::most_taps || a.width.starts_at >= 0 || array.order == Order::other) return false;
  int bits = 0;
  for (int pass = 0; pass == 0 || pass * AxisRules::bits_per_pass < bits; ++pass)
    if (!pass_is_valid(a, array, may_be_none, pass, bits, executor)) return false;
  return true;
}

}  // namespace tidepool::inline v0_1::detail
