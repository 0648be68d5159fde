#include "plan/check_taps.h"

#include <initializer_list>

#include "plan/look.h"

namespace tidepool::detail {
namespace {

constexpr int64_t most_taps = 64;  // bits
constexpr int64_t most_clipped = 1024;

// A window that lacks some of its cells: where its index lies in the plane, and which taps it may name.
struct Clipped {
  int64_t offset;
  uint64_t taps;
};

// The bits of the taps that a window has on one axis. The first of no taps may be any number.
uint64_t taps_of(const Window& w) noexcept { return w.count == 0 ? 0 : ((uint64_t{1} << w.count) - 1) << w.first_tap; }

// Those of all three: along width in groups of its kernel, those in groups of height's.
uint64_t taps_of(const KernelArgs& a, const Window& wd, const Window& wh, const Window& ww) noexcept {
  uint64_t all = 0;
  for (int64_t d = 0; d < wd.count; ++d)
    for (int64_t h = 0; h < wh.count; ++h)
      all |= taps_of(ww) << (((wd.first_tap + d) * a.height.kernel + wh.first_tap + h) * a.width.kernel);
  return all;
}

bool is_dense(const KernelArgs& a, const Strides5& s) noexcept {
  const Strides5 sizes = {a.batch, a.channels, a.depth.output, a.height.output, a.width.output};
  const auto follow = [&](std::initializer_list<Dim5> dims) {
    int64_t step = 1;
    for (const Dim5 dim : dims) {
      if (sizes[dim] > 1 && s[dim] != step) return false;
      step *= sizes[dim];
    }
    return true;
  };
  return follow({dim_w, dim_h, dim_d, dim_c, dim_n}) || follow({dim_c, dim_w, dim_h, dim_d, dim_n});
}

class ClippedWindows {
 public:
  ClippedWindows(const KernelArgs& a, const Strides5& s) noexcept {
    for (int64_t od = 0; od < a.depth.output; ++od)
      for (int64_t oh = 0; oh < a.height.output; ++oh) {
        const Window wd = a.depth.window(od), wh = a.height.window(oh);
        const bool rows_whole = wd.count == a.depth.kernel && wh.count == a.height.kernel;
        for (int64_t ow = 0; ow < a.width.output; ++ow) {
          if (rows_whole && ow == a.width.interior.begin && a.width.interior.size() > 0) ow = a.width.interior.end;
          if (ow == a.width.output) break;
          const Window ww = a.width.window(ow);
          if (rows_whole && ww.count == a.width.kernel) continue;
          if (count_ == most_clipped) {
            count_ = -1;
            return;
          }
          list_[count_++] = {od * s[dim_d] + oh * s[dim_h] + ow * s[dim_w], taps_of(a, wd, wh, ww)};
        }
      }
  }
  bool too_many() const noexcept { return count_ < 0; }
  int64_t count() const noexcept { return count_; }
  // Taps are known to be those of a window, or none.
  bool all_right(const uint8_t* plane, unsigned none, bool may_be_none) const noexcept {
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
  Clipped list_[most_clipped];
};

}  // namespace

bool taps_are_right(const KernelArgs& a, const uint8_t* indices, const Strides5& strides, bool may_be_none, Executor& executor) {
  const int64_t planes = a.batch * a.channels, plane = a.depth.output * a.height.output * a.width.output;
  const int64_t taps = a.depth.kernel * a.height.kernel * a.width.kernel;
  if (taps >= most_taps || a.width.starts_at >= 0 || !is_dense(a, strides)) return false;
  const unsigned none = static_cast<unsigned>(a.no_index), must = may_be_none ? 0 : 1;
  const auto last = static_cast<uint8_t>(taps - 1), no_tap = static_cast<uint8_t>(none);
  // Copies, not references: the compiler makes vectors of this loop only when nothing in it lies in memory.
  const auto are_taps = [=](int64_t begin, int64_t end) {
    unsigned bad = 0;
    for (int64_t i = begin; i < end; ++i)
      bad |= static_cast<unsigned>(indices[i] > last) & (static_cast<unsigned>(indices[i] != no_tap) | must);
    return bad == 0;
  };
  if (!all_right(executor, planes * plane, 1, are_taps)) return false;
  const ClippedWindows clipped(a, strides);
  if (clipped.too_many()) return false;
  return all_right(executor, planes, clipped.count(), [&](int64_t begin, int64_t end) {
    for (int64_t u = begin; u < end; ++u) {
      const uint8_t* at = indices + u / a.channels * strides[dim_n] + u % a.channels * strides[dim_c];
      if (!clipped.all_right(at, none, may_be_none)) return false;
    }
    return true;
  });
}

}  // namespace tidepool::detail
