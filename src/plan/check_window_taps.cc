#include "plan/check_window_taps.h"

#include <initializer_list>

#include "plan/parallel_all_of.h"

namespace tidepool::inline v0_1::detail {
namespace {

constexpr int64_t most_taps = 64;  // one bit each
constexpr int64_t most_clipped = 1024;

// A window that is clipped at the edge of the input.
struct ClippedWindow {
  int64_t offset;  // of its index, from the start of the plane
  uint64_t taps;   // a bit for each tap inside the input
};

// A bit for each tap of one axis that is inside the input. When count is 0, first_tap is undefined.
uint64_t tap_bits(const Window& w) noexcept { return w.count == 0 ? 0 : ((uint64_t{1} << w.count) - 1) << w.first_tap; }

// The same for a window of three axes, whose taps are numbered in row-major order.
uint64_t tap_bits(const KernelArgs& a, const Window& wd, const Window& wh, const Window& ww) noexcept {
  uint64_t all = 0;
  for (int64_t d = 0; d < wd.count; ++d)
    for (int64_t h = 0; h < wh.count; ++h)
      all |= tap_bits(ww) << (((wd.first_tap + d) * a.height.kernel + wh.first_tap + h) * a.width.kernel);
  return all;
}

bool is_dense(const KernelArgs& a, const Strides5& s) noexcept {
  const Strides5 sizes = {a.batch, a.channels, a.depth.output, a.height.output, a.width.output};
  const auto has_order = [&](std::initializer_list<Dim5> dims) {
    int64_t step = 1;
    for (const Dim5 dim : dims) {
      if (sizes[dim] > 1 && s[dim] != step) return false;
      step *= sizes[dim];
    }
    return true;
  };
  return has_order({dim_w, dim_h, dim_d, dim_c, dim_n}) || has_order({dim_c, dim_w, dim_h, dim_d, dim_n});
}

// All clipped windows of a plane. They are the same in every plane, so that a plane needs one lookup per clipped window.
class ClippedWindows {
 public:
  ClippedWindows(const KernelArgs& a, const Strides5& s) noexcept {
    for (int64_t od = 0; od < a.depth.output; ++od)
      for (int64_t oh = 0; oh < a.height.output; ++oh) {
        const Window wd = a.depth.window(od), wh = a.height.window(oh);
        const bool rows_complete = wd.count == a.depth.kernel && wh.count == a.height.kernel;
        for (int64_t ow = 0; ow < a.width.output; ++ow) {
          if (rows_complete && ow == a.width.interior.begin && a.width.interior.size() > 0) ow = a.width.interior.end;
          if (ow == a.width.output) break;
          const Window ww = a.width.window(ow);
          if (rows_complete && ww.count == a.width.kernel) continue;
          if (count_ == most_clipped) {
            count_ = -1;
            return;
          }
          list_[count_++] = {od * s[dim_d] + oh * s[dim_h] + ow * s[dim_w], tap_bits(a, wd, wh, ww)};
        }
      }
  }
  bool too_many() const noexcept { return count_ < 0; }
  int64_t count() const noexcept { return count_; }
  // Requires that every value is below the number of taps, or `none`.
  bool all_valid(const uint8_t* plane, unsigned none, bool may_be_none) const noexcept {
    uint64_t bad = 0;
    for (int64_t i = 0; i < count_; ++i) {
      const unsigned tap = plane[list_[i].offset];
      const uint64_t chose_none = static_cast<uint64_t>(tap == none) & static_cast<uint64_t>(may_be_none);
      bad |= ~(list_[i].taps >> (tap % most_taps)) & 1 & ~chose_none;
    }
    return bad == 0;
  }

 private:
  int64_t count_ = 0;
  ClippedWindow list_[most_clipped];
};

}  // namespace

bool all_window_taps_valid(const KernelArgs& a, const uint8_t* indices, const Strides5& strides, bool may_be_none, Executor& executor) {
  const int64_t planes = a.batch * a.channels, plane = a.depth.output * a.height.output * a.width.output;
  const int64_t taps = a.depth.kernel * a.height.kernel * a.width.kernel;
  if (taps >= most_taps || a.width.starts_at >= 0 || !is_dense(a, strides)) return false;
  const unsigned none = static_cast<unsigned>(a.no_index), must = may_be_none ? 0 : 1;
  const auto last = static_cast<uint8_t>(taps - 1), no_tap = static_cast<uint8_t>(none);
  // Captured by value: with references the compiler does not vectorise the loop.
  const auto are_taps = [=](int64_t begin, int64_t end) {
    unsigned bad = 0;
    for (int64_t i = begin; i < end; ++i)
      bad |= static_cast<unsigned>(indices[i] > last) & (static_cast<unsigned>(indices[i] != no_tap) | must);
    return bad == 0;
  };
  if (!parallel_all_of(executor, planes * plane, 1, are_taps)) return false;
  const ClippedWindows clipped(a, strides);
  if (clipped.too_many()) return false;
  return parallel_all_of(executor, planes, clipped.count(), [&](int64_t begin, int64_t end) {
    for (int64_t u = begin; u < end; ++u) {
      const uint8_t* at = indices + u / a.channels * strides[dim_n] + u % a.channels * strides[dim_c];
      if (!clipped.all_valid(at, none, may_be_none)) return false;
    }
    return true;
  });
}

}  // namespace tidepool::inline v0_1::detail
