#include "plan/check_window_taps.h"

#include <algorithm>
#include <initializer_list>

#include "kernels/backward/index_follower.h"
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

template <class T>
struct Bounds {
  T first, span;
};

// The axes that a tap's number is taken apart into, fewest first. Where the windows of neighbouring axes all lie inside the input, these
// are one axis.
template <class T>
struct CheckedAxes {
  struct Part {
    const AxisTable* axis;
    Dim5 dim;
    int64_t kernel;
    bool clipped;

    Bounds<T> bounds(int64_t o) const noexcept {
      if (!clipped) return {T{0}, static_cast<T>(kernel - 1)};
      const Window w = axis->window(o);
      if (w.count == 0) return {TapAxis<T>::no_tap, T{0}};
      return {static_cast<T>(w.first_tap), static_cast<T>(w.count - 1)};
    }
  };
  Part parts[3];
  int count = 0;

  explicit CheckedAxes(const KernelArgs& a) noexcept {
    const auto add = [&](const AxisTable& axis, Dim5 dim) {
      const bool clipped = a.width.starts_at < 0 && axis.interior.size() < axis.output;  // fractional windows are never clipped
      if (count > 0 && !clipped && !parts[count - 1].clipped)
        parts[count - 1].kernel *= axis.kernel;
      else if (axis.kernel > 1 || clipped)
        parts[count++] = {&axis, dim, axis.kernel, clipped};
    };
    const AxisTable* axes[3] = {&a.width, &a.height, &a.depth};
    const Dim5 dims[3] = {dim_w, dim_h, dim_d};
    // A kernel of 1 gives each tap the rest 0: only as the last axis it needs no division.
    for (const bool wide : {true, false})
      for (int i = 0; i < 3; ++i)
        if ((axes[i]->kernel > 1) == wide) add(*axes[i], dims[i]);
    if (count == 0) parts[count++] = {&a.width, dim_w, 1, false};
  }
  bool clips(Dim5 dim) const noexcept {
    return std::any_of(parts, parts + count, [&](const Part& x) { return x.clipped && x.dim == dim; });
  }
  // Whether the last axis alone has a kernel of 1, which divides nothing.
  bool divide() const noexcept { return count < 2 || parts[count - 2].kernel > 1; }
};

// Bounds of the axes for up to most_outputs outputs.
template <class T>
class BoundLists {
 public:
  static constexpr int64_t most_outputs = 4096 / static_cast<int64_t>(sizeof(T));

  explicit BoundLists(const CheckedAxes<T>& axes) noexcept : checked_(axes) {
    for (int i = 0; i < axes.count; ++i)
      axes_[i] = {.kernel = axes.parts[i].kernel, .first = first_[i], .span = span_[i]}, set(i, axes.parts[i].bounds(0));
  }
  // The same bounds for all outputs.
  void set(int axis, Bounds<T> bounds) noexcept {
    std::fill_n(first_[axis], tap_vector, bounds.first), std::fill_n(span_[axis], tap_vector, bounds.span);
    axes_[axis].varies = false;
  }
  // A list of `count` outputs from number `begin` on, of which every `inner` neighbours lie in one window of the axis, repeated to a
  // period.
  void list(int axis, int64_t begin, int64_t count, int64_t inner, int64_t period) noexcept {
    T *const first = first_[axis], *const span = span_[axis];
    int64_t run = inner - begin % inner;
    for (int64_t i = 0, o = begin / inner; i < count; i += run, run = inner, ++o) {
      run = std::min(run, count - i);
      const Bounds<T> bounds = checked_.parts[axis].bounds(o);
      std::fill_n(first + i, run, bounds.first), std::fill_n(span + i, run, bounds.span);
    }
    const int64_t all = repeated_outputs(period_of(period));
    for (int64_t i = count; i < all; i *= 2)
      std::copy_n(first, std::min(i, all - i), first + i), std::copy_n(span, std::min(i, all - i), span + i);
    axes_[axis].varies = true;
  }
  // Shorter lists are repeated.
  static int64_t period_of(int64_t count) noexcept { return count * std::max<int64_t>(1, (tap_vector + count - 1) / count); }

  bool all_valid(int64_t target, const T* taps, int64_t count, int64_t period, bool may_be_none) const noexcept {
    return taps_valid(target, TapRow<T>{taps, count, period_of(period), axes_, checked_.count, may_be_none});
  }

 private:
  const CheckedAxes<T>& checked_;
  TapAxis<T> axes_[3];
  T first_[3][repeated_outputs(most_outputs)], span_[3][repeated_outputs(most_outputs)];
};

// The indices in memory: lines of outputs, `inner` channels of each.
template <class T>
struct IndexArray {
  const T* data;
  Order order;
  int64_t inner, row, rows, planes;  // indices of a row, rows of a plane

  IndexArray(const KernelArgs& a, const T* indices, const Strides5& strides) noexcept
      : data(indices),
        order(order_of(a, strides)),
        inner(order == Order::channels ? a.channels : 1),
        row(a.width.output * inner),
        rows(a.depth.output * a.height.output),
        planes(a.batch * a.channels / inner) {}
};

// Small planes: one list for all of them.
template <class T>
bool planes_valid(const KernelArgs& a, const IndexArray<T>& indices, const CheckedAxes<T>& axes, bool may_be_none, Executor& executor) {
  const int64_t target = current_target_id(), plane = indices.rows * indices.row;
  BoundLists<T> lists(axes);
  for (int i = 0; i < axes.count; ++i) {
    const auto& part = axes.parts[i];
    if (!part.clipped) continue;
    const int64_t inner = part.dim == dim_w ? indices.inner : part.dim == dim_h ? indices.row : indices.row * a.height.output;
    lists.list(i, 0, inner * part.axis->output, inner, plane);
  }
  return parallel_all_of(executor, indices.planes, plane, [&](int64_t begin, int64_t end) {
    return lists.all_valid(target, indices.data + begin * plane, (end - begin) * plane, plane, may_be_none);
  });
}

// Large planes: lists for one slice, or where that is large too for one row, and one bound for the whole line on the axes left out. Long
// rows are checked a list at a time.
template <class T>
bool lines_valid(const KernelArgs& a, const IndexArray<T>& indices, const CheckedAxes<T>& axes, bool may_be_none, Executor& executor) {
  const int64_t target = current_target_id(), slice = indices.row * a.height.output;
  const bool slices = slice <= BoundLists<T>::most_outputs;
  const int64_t line = slices ? slice : indices.row, lines = slices ? a.depth.output : indices.rows;
  const auto is_listed = [&](const auto& part) { return part.dim == dim_w || (slices && part.dim == dim_h); };
  const bool clips_listed = axes.clips(dim_w) || (slices && axes.clips(dim_h));
  const int64_t piece = clips_listed ? std::min(line, BoundLists<T>::most_outputs) : line;
  // How many lines from number `u` on have the same bounds on the other axes.
  const auto lines_alike = [&](int64_t u) {
    const auto inside = [](const AxisTable& x, int64_t o) {
      return o >= x.interior.begin && o < x.interior.end ? x.interior.end - o : int64_t{1};
    };
    if (slices) return axes.clips(dim_d) ? inside(a.depth, u % lines) : INT64_MAX;
    if (axes.clips(dim_h)) return inside(a.height, u % a.height.output);
    return axes.clips(dim_d) ? a.height.output - u % a.height.output : INT64_MAX;
  };
  return parallel_all_of(executor, indices.planes * lines, line, [&](int64_t begin, int64_t end) {
    BoundLists<T> lists(axes);
    for (int64_t at = 0; at < line; at += piece) {
      const int64_t length = std::min(piece, line - at);
      for (int i = 0; i < axes.count; ++i) {
        const auto& part = axes.parts[i];
        if (!part.clipped || !is_listed(part)) continue;
        const int64_t inner = part.dim == dim_w ? indices.inner : indices.row;
        lists.list(i, at, std::min(inner * part.axis->output, length), inner, length);
      }
      for (int64_t u = begin; u < end;) {
        const int64_t some = std::min(length < line ? 1 : lines_alike(u), end - u), number = u % lines;
        for (int i = 0; i < axes.count; ++i) {
          const auto& part = axes.parts[i];
          if (!part.clipped || is_listed(part)) continue;
          lists.set(i, part.bounds(slices ? number : part.dim == dim_h ? number % a.height.output : number / a.height.output));
        }
        const int64_t count = (some - 1) * line + length, period = clips_listed ? length : tap_vector;
        if (!lists.all_valid(target, indices.data + u * line + at, count, period, may_be_none)) return false;
        u += some;
      }
    }
    return true;
  });
}

}  // namespace

template <class T>
bool all_window_taps_valid(const KernelArgs& a, const T* indices, const Strides5& strides, bool may_be_none, Executor& executor) {
  if (a.batch * a.channels * a.depth.output * a.height.output * a.width.output == 0) return true;
  const IndexArray<T> array(a, indices, strides);
  if (array.order == Order::other) return false;
  may_be_none = may_be_none && a.no_index != INT64_MIN;  // all 256 values of a byte may be taps
  const CheckedAxes<T> axes(a);
  if (!axes.divide()) return false;
  // The bounds of an empty window refuse every tap but the highest value.
  if (!may_be_none && (has_empty_windows(a.depth) || has_empty_windows(a.height) || has_empty_windows(a.width))) return false;
  const bool small = array.rows * array.row <= BoundLists<T>::most_outputs;
  return small ? planes_valid(a, array, axes, may_be_none, executor) : lines_valid(a, array, axes, may_be_none, executor);
}

template bool all_window_taps_valid(const KernelArgs&, const uint8_t*, const Strides5&, bool, Executor&);
template bool all_window_taps_valid(const KernelArgs&, const uint16_t*, const Strides5&, bool, Executor&);

}  // namespace tidepool::inline v0_1::detail
