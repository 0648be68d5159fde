// The fast check of all indices: vectorised, on several threads, without messages.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/backward/valid_taps.h"
#include "plan/parallel_all_of.h"
#include "plan/plan_impl.h"
#include "runtime/target_id.h"

namespace tidepool::inline v0_1::detail {

// Whether this tap of one axis is inside the input.
inline bool is_inside(const Window& w, int64_t tap) noexcept { return tap >= w.first_tap && tap < w.first_tap + w.count; }

// Checks all indices in memory order. May report a false failure; then the exact check runs and finds the position.
template <class T>
class FastIndexCheck {
 public:
  FastIndexCheck(const Problem& problem, const KernelArgs& a, const TensorView& indices)
      : a_(a),
        data_(indices.data_as<T>()),
        strides_(to_ncdhw_strides(indices.strides, problem.geometry)),
        must_be_set_(problem.op == Op::unpool ? 1 : 0) {
    channels_inner_ = strides_[dim_c] == 1 && a.channels > 1;
  }

  bool all_valid(Executor& executor) const {
    const bool windows = a_.index_base == IndexBase::window;
    const int64_t planes = windows || channels_inner_ ? 1 : a_.channels, slice = a_.height.output * a_.width.output;
    const int64_t slices = a_.batch * planes * a_.depth.output;
    return parallel_all_of(executor, slices, slice * (planes == 1 ? a_.channels : 1), [&](int64_t begin, int64_t end) {
      for (int64_t u = begin; u < end; ++u) {
        const int64_t od = u % a_.depth.output, c = u / a_.depth.output % planes, n = u / a_.depth.output / planes;
        for (int64_t oh = 0; oh < a_.height.output; ++oh)
          if (!(windows ? taps_valid(n, od, oh) : offsets_valid(n, c, od, oh))) return false;
      }
      return true;
    });
  }

 private:
  static bool is_full(const AxisTable& axis, const Window& w) noexcept { return w.count == axis.kernel; }

  // Window indices of one output row, all channels. In a full window every tap is valid; in a clipped one each index is checked by axis.
  bool taps_valid(int64_t n, int64_t od, int64_t oh) const noexcept {
    const Window wd = a_.depth.window(od), wh = a_.height.window(oh);
    const bool rows_full = is_full(a_.depth, wd) && is_full(a_.height, wh);
    for (int64_t ow = 0; ow < a_.width.output; ++ow) {
      const Window ww = a_.width.window(ow);
      const T* at = data_ + n * strides_[dim_n] + od * strides_[dim_d] + oh * strides_[dim_h] + ow * strides_[dim_w];
      if (rows_full && is_full(a_.width, ww)) continue;
      for (int64_t c = 0; c < a_.channels; ++c)
        if (!tap_valid(wd, wh, ww, static_cast<int64_t>(at[c * strides_[dim_c]]))) return false;
    }
    if (!rows_full) return true;
    const int64_t outer = channels_inner_ ? a_.width.output : a_.channels, inner = channels_inner_ ? a_.channels : a_.width.output;
    for (int64_t i = 0; i < outer; ++i)
      if (!line_valid(n, od, oh, i, inner, 0, a_.depth.kernel * a_.height.kernel * a_.width.kernel, 0)) return false;
    return true;
  }

  // Plane or tensor indices of one output row: of channel c, or of all channels when they are the inner dimension.
  bool offsets_valid(int64_t n, int64_t c, int64_t od, int64_t oh) const noexcept {
    const int64_t plane = a_.input_plane(), step = a_.index_base == IndexBase::tensor ? plane : 0;
    const int64_t origin = (n * a_.channels + c) * step;
    if (!channels_inner_) return line_valid(n, od, oh, c, a_.width.output, origin, plane, 0);
    for (int64_t ow = 0; ow < a_.width.output; ++ow)
      if (!line_valid(n, od, oh, ow, a_.channels, origin, plane, step)) return false;
    return true;
  }

  // Whether `count` indices along the inner dimension lie in [origin, origin + size) or, where allowed, are no_index. From one index to the
  // next, origin grows by origin_step. The loops have no branches, so that the compiler vectorises them.
  bool line_valid(int64_t n, int64_t od, int64_t oh, int64_t i, int64_t count, int64_t origin, int64_t size,
                  int64_t origin_step) const noexcept {
    const int64_t step = channels_inner_ ? strides_[dim_c] : strides_[dim_w];
    const T* at = data_ + n * strides_[dim_n] + od * strides_[dim_d] + oh * strides_[dim_h] +
                  i * (channels_inner_ ? strides_[dim_w] : strides_[dim_c]);
    return step == 1 ? values_valid(at, count, 1, origin, size, origin_step) : values_valid(at, count, step, origin, size, origin_step);
  }
  [[gnu::always_inline]] bool values_valid(const T* at, int64_t count, int64_t step, int64_t origin, int64_t size,
                                           int64_t origin_step) const noexcept {
    // Usually all indices are in range.
    if constexpr (std::is_same_v<T, int64_t>)
      if (step == 1 && are_in_planes(target_, at, count, origin, size, origin_step)) return true;
    uint64_t bad = 0;
    const uint64_t must_be_set = must_be_set_;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t index = at[i * step];
      const uint64_t offset = static_cast<uint64_t>(index) - static_cast<uint64_t>(origin + i * origin_step);
      bad |= static_cast<uint64_t>(offset >= static_cast<uint64_t>(size)) & (static_cast<uint64_t>(index != a_.no_index) | must_be_set);
    }
    return bad == 0;
  }

  bool tap_valid(const Window& wd, const Window& wh, const Window& ww, int64_t tap) const noexcept {
    if (must_be_set_ == 0 && tap == a_.no_index) return true;
    const int64_t rows = tap / a_.width.kernel;
    return tap >= 0 && is_inside(ww, tap % a_.width.kernel) && is_inside(wh, rows % a_.height.kernel) &&
           is_inside(wd, rows / a_.height.kernel);
  }

  const KernelArgs& a_;
  const T* data_;
  const int64_t target_ = current_target_id();
  Strides5 strides_;
  unsigned must_be_set_;  // 1 where no_index is an error: unpooling needs a position for every value
  bool channels_inner_;
};

}  // namespace tidepool::inline v0_1::detail
