#include "plan/check_indices.h"

#include "core/walk.h"
#include "plan/check_taps.h"
#include "plan/look.h"
#include "plan/plan_impl.h"

namespace tidepool::detail {
namespace {

Error outside(const CallerName& caller, int64_t index, const std::string& of_what) {
  return caller.error(ErrorCode::out_of_range, "index " + std::to_string(index) + " is outside " + of_what);
}

// Plane and tensor bases: `origin` is where the plane begins.
template <class T>
Status check_row(const CallerName& caller, const KernelArgs& a, bool may_be_none, const T* row, int64_t step, int64_t origin,
                 int64_t plane) {
  for (int64_t i = 0; i < a.width.output; ++i) {
    const int64_t index = row[i * step];
    if (may_be_none && index == a.no_index) continue;
    if (index >= origin && index - origin < plane) continue;
    if (origin == 0) return outside(caller, index, "the plane of " + std::to_string(plane) + " cells");
    return outside(caller, index,
                   "its plane, cells " + std::to_string(origin) + " to " + std::to_string(origin + plane - 1) + " of the tensor");
  }
  return Ok{};
}

bool real_tap(const Window& w, int64_t tap) noexcept { return tap >= w.first_tap && tap < w.first_tap + w.count; }

template <class T>
Status check_window_row(const CallerName& caller, const KernelArgs& a, const RowPosition& p, bool may_be_none, const T* row, int64_t step) {
  // How many taps a fractional window has does not depend on where it starts.
  const Window wd = a.depth.window(p.od), wh = a.height.window(p.oh);
  for (int64_t ow = 0; ow < a.width.output; ++ow) {
    const Window ww = a.width.window(ow);
    if (may_be_none && (wd.count == 0 || wh.count == 0 || ww.count == 0)) continue;
    const int64_t index = row[ow * step];
    if (may_be_none && index == a.no_index) continue;
    const int64_t rows = index / a.width.kernel;
    if (index < 0 || !real_tap(ww, index % a.width.kernel) || !real_tap(wh, rows % a.height.kernel) ||
        !real_tap(wd, rows / a.height.kernel))
      return outside(caller, index, "the window of output column " + std::to_string(ow));
  }
  return Ok{};
}

// The quick look at everything, in the order of memory: is there nothing to complain about? It may say no for nothing.
template <class T>
class QuickLook {
 public:
  QuickLook(const Problem& problem, const KernelArgs& a, const TensorView& indices)
      : a_(a), data_(indices.data_as<T>()), s_(five(indices.strides, problem.geometry)), must_(problem.op == Op::unpool ? 1 : 0) {
    channels_inner_ = s_[dim_c] == 1 && a.channels > 1;
    // Divisions at every index of the border would take longer than the rest.
    const int64_t taps = a.depth.kernel * a.height.kernel * a.width.kernel;
    if (sizeof(T) > 1 || taps > most_places) return;
    places_ = static_cast<int>(taps);
    for (int t = 0; t < places_; ++t)
      place_[t] = {t / a.width.kernel / a.height.kernel, t / a.width.kernel % a.height.kernel, t % a.width.kernel};
  }

  bool finds_nothing(Executor& executor) const {
    const bool windows = a_.index_base == IndexBase::window;
    const int64_t planes = windows || channels_inner_ ? 1 : a_.channels, slice = a_.height.output * a_.width.output;
    const int64_t slices = a_.batch * planes * a_.depth.output;
    return all_right(executor, slices, slice * (planes == 1 ? a_.channels : 1), [&](int64_t begin, int64_t end) {
      for (int64_t u = begin; u < end; ++u) {
        const int64_t od = u % a_.depth.output, c = u / a_.depth.output % planes, n = u / a_.depth.output / planes;
        for (int64_t oh = 0; oh < a_.height.output; ++oh)
          if (!(windows ? taps(n, od, oh) : cells(n, c, od, oh))) return false;
      }
      return true;
    });
  }

 private:
  static bool is_full(const AxisTable& axis, const Window& w) noexcept { return w.count == axis.kernel; }

  // Windows with all their taps may name any of them.
  bool taps(int64_t n, int64_t od, int64_t oh) const noexcept {
    const Window wd = a_.depth.window(od), wh = a_.height.window(oh);
    const bool rows_full = is_full(a_.depth, wd) && is_full(a_.height, wh);
    for (int64_t ow = 0; ow < a_.width.output; ++ow) {
      const Window ww = a_.width.window(ow);
      const T* at = data_ + n * s_[dim_n] + od * s_[dim_d] + oh * s_[dim_h] + ow * s_[dim_w];
      if (rows_full && is_full(a_.width, ww)) continue;
      for (int64_t c = 0; c < a_.channels; ++c)
        if (!real(wd, wh, ww, static_cast<int64_t>(at[c * s_[dim_c]]))) return false;
    }
    if (!rows_full) return true;
    const int64_t outer = channels_inner_ ? a_.width.output : a_.channels, inner = channels_inner_ ? a_.channels : a_.width.output;
    for (int64_t i = 0; i < outer; ++i)
      if (!line(n, od, oh, i, inner, 0, a_.depth.kernel * a_.height.kernel * a_.width.kernel, 0)) return false;
    return true;
  }

  bool cells(int64_t n, int64_t c, int64_t od, int64_t oh) const noexcept {
    const int64_t plane = a_.input_plane(), step = a_.index_base == IndexBase::tensor ? plane : 0;
    const int64_t origin = (n * a_.channels + c) * step;
    if (!channels_inner_) return line(n, od, oh, c, a_.width.output, origin, plane, 0);
    for (int64_t ow = 0; ow < a_.width.output; ++ow)
      if (!line(n, od, oh, ow, a_.channels, origin, plane, step)) return false;
    return true;
  }

  // Whether `count` indices lie in [origin, origin + size), or say that nothing was chosen. One sum, no branch: the compiler's vectors.
  bool line(int64_t n, int64_t od, int64_t oh, int64_t i, int64_t count, int64_t origin, int64_t size, int64_t origin_step) const noexcept {
    const int64_t step = channels_inner_ ? s_[dim_c] : s_[dim_w];
    const T* at = data_ + n * s_[dim_n] + od * s_[dim_d] + oh * s_[dim_h] + i * (channels_inner_ ? s_[dim_w] : s_[dim_c]);
    return step == 1 ? line_of(at, count, 1, origin, size, origin_step) : line_of(at, count, step, origin, size, origin_step);
  }
  [[gnu::always_inline]] bool line_of(const T* at, int64_t count, int64_t step, int64_t origin, int64_t size,
                                      int64_t origin_step) const noexcept {
    using U = std::make_unsigned_t<T>;
    if constexpr (sizeof(T) == 1) {  // taps: bytes are compared as bytes
      unsigned bad = 0;
      const U last = static_cast<U>(size - 1), none = static_cast<U>(a_.no_index);
      const unsigned must = must_ | static_cast<unsigned>(a_.no_index < 0);
      for (int64_t i = 0; i < count; ++i) {
        const U tap = static_cast<U>(at[i * step]);
        bad |= static_cast<unsigned>(tap > last) & (static_cast<unsigned>(tap != none) | must);
      }
      return bad == 0;
    } else {
      // Most of the time every index names a cell. Then neither offset nor size - 1 - offset has its highest bit, which needs no
      // comparison.
      uint64_t high = 0, bad = 0;
      for (int64_t i = 0; i < count; ++i) {
        const uint64_t offset = static_cast<uint64_t>(at[i * step]) - static_cast<uint64_t>(origin + i * origin_step);
        high |= offset | (static_cast<uint64_t>(size - 1) - offset);
      }
      if (high >> 63 == 0) return true;
      const uint64_t must = must_;
      for (int64_t i = 0; i < count; ++i) {
        const int64_t index = at[i * step];
        const uint64_t offset = static_cast<uint64_t>(index) - static_cast<uint64_t>(origin + i * origin_step);
        bad |= static_cast<uint64_t>(offset >= static_cast<uint64_t>(size)) & (static_cast<uint64_t>(index != a_.no_index) | must);
      }
      return bad == 0;
    }
  }

  bool real(const Window& wd, const Window& wh, const Window& ww, int64_t tap) const noexcept {
    if (must_ == 0 && tap == a_.no_index) return true;
    if (places_ > 0) {
      if (tap >= places_) return false;
      const Place& at = place_[tap];
      return real_tap(ww, at.w) && real_tap(wh, at.h) && real_tap(wd, at.d);
    }
    const int64_t rows = tap / a_.width.kernel;
    return tap >= 0 && real_tap(ww, tap % a_.width.kernel) && real_tap(wh, rows % a_.height.kernel) &&
           real_tap(wd, rows / a_.height.kernel);
  }

  const KernelArgs& a_;
  const T* data_;
  Strides5 s_;
  unsigned must_;  // 1 where every output must name a cell
  bool channels_inner_;

  // Which tap of each axis a tap of the window is; for bytes, which are never negative.
  struct Place {
    int64_t d, h, w;
  };
  static constexpr int most_places = 256;
  int places_ = 0;
  Place place_[sizeof(T) == 1 ? most_places : 1];
};

}  // namespace

Status check_indices(const CallerName& caller, const Problem& problem, const KernelArgs& a, const TensorView& indices, Executor& executor) {
  Status status = Ok{};
  const int64_t plane = a.input_plane();
  const bool may_be_none = problem.op != Op::unpool;  // a value to place must have its place
  int64_t row_number = 0;                             // (n, c, od, oh), row-major: the order in which rows are walked
  dispatch(indices.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if constexpr (std::is_same_v<T, uint8_t>) {
        const Strides5 strides = five(indices.strides, problem.geometry);
        if (a.index_base == IndexBase::window && taps_are_right(a, indices.data_as<uint8_t>(), strides, may_be_none, executor)) return;
      }
      if (QuickLook<T>(problem, a, indices).finds_nothing(executor)) return;
      walk_rows<1>(indices.shape, {indices.strides}, [&](const std::array<int64_t, 1>& at) {
        if (!status) return;
        const T* row = indices.data_as<T>() + at[0];
        const int64_t step = row_stride(indices.strides);
        RowPosition p = RowPosition::of_row(a, row_number++);
        if (a.index_base == IndexBase::window) {
          status = check_window_row(caller, a, p, may_be_none, row, step);
        } else {
          const int64_t origin = a.index_base == IndexBase::tensor ? (p.n * a.channels + p.c) * plane : 0;
          status = check_row(caller, a, may_be_none, row, step, origin, plane);
        }
      });
    }
  });
  return status;
}

}  // namespace tidepool::detail
