// Rows of shares for the backward pass of averages: the gradients of a row of windows, divided, and repeated for every cell that a window
// covers, so that a row of cells is a sum of whole rows, however few channels there are. Included once per target, inside foreach_target.
//
//   kernel 3, stride 2      windows         a   b   c           first window of a cell    0 0 a . b . c .
//                           repeated        a a b b c c         second                    a a b b c c
//                           first of both   a . b . c .
//
// Each cell adds its windows from the first to the last, in PyTorch's order. Adding 0 changes no bits: a sum that starts at 0 is never -0.
#if defined(TIDEPOOL_SHARE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_SHARE_ROWS_INL_H_
#undef TIDEPOOL_SHARE_ROWS_INL_H_
#else
#define TIDEPOOL_SHARE_ROWS_INL_H_
#endif

#include <algorithm>
#include <utility>

#include "hwy/highway.h"
#include "kernels/backward/covering.h"
#include "kernels/backward/gather_columns-inl.h"
#include "kernels/backward/staged_rows-inl.h"
#include "kernels/kernel.h"
#include "kernels/reference/avg_pool_cell.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

inline constexpr int64_t staged_share_bytes = 1 << 17;  // wanted for a strip of rows

// How many rows of scratch a row of windows becomes, and which windows are in them.
struct ShareForm {
  // shifted: stride 1. repeated: each share as often as it has cells. listed: a row for the first window of every cell, one for the second
  // and so on. interleaved and cells: shares alone, for CellRows, or because cells have enough channels to be added one by one.
  enum class Kind : uint8_t { shifted, interleaved, repeated, listed, cells };

  int64_t channels;
  RowRing ring;
  Kind kind;
  int64_t levels;     // sums of rows that make a row of cells, for every row of windows
  int64_t copies;     // rows of scratch for a row of windows
  int64_t front = 0;  // windows before the one that begins last over a cell
  int64_t strip;      // cells of a row that are worked on together
  int64_t windows;    // under a strip, at most
  int64_t length;     // of a row of scratch

  // columns: those of a row are adjacent, and there is one channel.
  ShareForm(const Axis& depth, const Axis& height, const Axis& w, bool columns, int64_t channel_count, int64_t lanes, int64_t size) noexcept
      : channels(channel_count), ring(depth, height, w.input() * channels <= 512 ? StagedRows::columns_ahead : 0) {
    const bool even = w.is_even(), wide = channels >= 4 * lanes;
    const int64_t span = even ? (w.kernel() - 1) * w.dilation() : 0, stride = even ? w.stride() : 1, input = HWY_MAX(w.input(), 1);
    const bool shifts = even && span / stride <= w.output() && stride <= w.input() && (stride == 1 || (w.dilation() == 1 && !wide));
    kind = !shifts                                     ? wide ? Kind::cells : Kind::listed
           : stride == 1                               ? Kind::shifted
           : columns && stride <= widest_gather_stride ? Kind::interleaved
                                                       : Kind::repeated;
    if (shifts) front = span / stride;
    levels = !shifts ? most_windows_covering(w) : stride == 1 ? w.kernel() : front + 1;
    copies = kind == Kind::listed ? levels : kind == Kind::repeated && levels > 1 && w.kernel() % stride > 0 ? 2 : 1;
    const int64_t bytes = ring.count() * copies * channels * size;  // of a cell
    const int64_t least = HWY_MAX(staged_share_bytes / HWY_MAX(bytes, 1), HWY_MAX(8, 4 * HWY_MIN(stride, input)));
    const int64_t strips = kind == Kind::interleaved ? 1 : (input + least - 1) / least;
    strip = (input + strips - 1) / strips;
    if (shifts) {
      windows = front + strip / stride + 2;
      length = (kind == Kind::repeated ? windows * stride : windows) * channels;
    } else {
      windows = HWY_MIN(even ? (span + strip) / stride + 2 : (strip * w.output() + input - 1) / input + 3, w.output());
      length = (kind == Kind::cells ? windows : strip) * channels;
    }
    length = (length + 3 * lanes) / lanes * lanes;
  }
  bool lists() const noexcept { return kind == Kind::listed || kind == Kind::cells; }
  int64_t offsets() const noexcept { return kind == Kind::cells ? strip * levels : levels; }
  int64_t window_row(int64_t lanes) const { return windows * channels + lanes; }
};

template <class Element>
class ShareRows : public StagedRows {
 public:
  using E = Element;
  using S = Sum<E>;
  static constexpr int64_t lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<S>()));

  static int64_t bytes_for(const ShareForm& f, const Axis& w) {
    const int64_t listed = f.lists() ? CoveringList::bytes_for(w) : 0;
    return listed + rounded(run_count(w) * static_cast<int64_t>(sizeof(Run))) +
           rounded(f.offsets() * static_cast<int64_t>(sizeof(int64_t))) +
           rounded((f.ring.count() * f.copies * f.length + f.window_row(lanes)) * static_cast<int64_t>(sizeof(S)));
  }
  ShareRows(const KernelArgs& a, const ShareForm& form, std::byte*& scratch) noexcept
      : StagedRows(a, form.ring), f_(form), widths_(form.lists() ? CoveringList(a.width, scratch) : CoveringList()) {
    const auto take = [&](int64_t bytes) { return std::exchange(scratch, scratch + rounded(bytes)); };
    const AxisTable& w = a.width;
    runs_ = reinterpret_cast<Run*>(take(run_count(*w.axis) * static_cast<int64_t>(sizeof(Run))));
    int64_t count = 0;
    const Divisor divisor = a.reduction.divisor;
    for (int64_t o = 0; o < w.output; ++count) {
      const Window window = w.window(o), before = count > 0 ? runs_[count - 1].window : Window{.count = -1, .padded_count = -1};
      const bool same = divisor == Divisor::window_in_padded ? window.padded_count == before.padded_count
                        : divisor == Divisor::valid_only     ? window.count == before.count
                                                             : count > 0;
      o = o == w.interior.begin && w.interior.size() > 0 ? w.interior.end : o + 1;
      if (same) --count;
      runs_[count] = {o, window};
    }
    offsets_ = reinterpret_cast<int64_t*>(take(f_.offsets() * static_cast<int64_t>(sizeof(int64_t))));
    rows_ = reinterpret_cast<S*>(take((f_.ring.count() * f_.copies * f_.length + f_.window_row(lanes)) * static_cast<int64_t>(sizeof(S))));
    shares_ = rows_ + f_.ring.count() * f_.copies * f_.length;
  }

  // Work is on cells [begin, end) of the rows of these channels from here on.
  void start(const ChannelRange& r, int64_t begin, int64_t end) noexcept {
    StagedRows::start(r);
    const int64_t channels = r.end - r.begin;
    if (begin == begin_ && end == end_ && channels == channels_) return;
    begin_ = begin, end_ = end, channels_ = channels;
    find_windows();
    // What no window exists for stays 0.
    if (first_ < 0 || last_ > a_.width.output || !cleared_)
      std::fill_n(rows_, f_.ring.count() * f_.copies * f_.length + f_.window_row(lanes), S(0));
    cleared_ = true;
  }

  // From where on the sums of a row of windows are to be loaded, one for every level.
  const int64_t* offsets() const noexcept { return offsets_; }
  const int64_t* offsets(int64_t cell, int64_t& count) const noexcept {
    count = static_cast<int64_t>(widths_[cell].size());
    return offsets_ + (cell - begin_) * f_.levels;
  }
  const S* row(const Covering& in_depth, const Covering& in_height) noexcept {
    return rows_ +
           f_.copies * f_.length * slot(in_depth.window, in_height.window, [&](int64_t to, int64_t od, int64_t oh) { fill(to, od, oh); });
  }

 private:
  struct Run {
    int64_t end;    // of windows
    Window window;  // one of them: they have the same divisor
  };
  static int64_t rounded(int64_t bytes) noexcept { return (bytes + 63) / 64 * 64; }
  static int64_t run_count(const Axis& w) noexcept { return w.output() - w.interior().size() + 1; }

  void find_windows() noexcept {
    const AxisTable& w = a_.width;
    if (f_.lists()) {
      first_ = windows_covering(w, begin_).begin, last_ = windows_covering(w, end_ - 1).end;
      if (f_.kind == ShareForm::Kind::listed) {
        for (int64_t l = 0; l < f_.levels; ++l) offsets_[l] = l * f_.length;
        return;
      }
      int64_t* to = offsets_;
      for (int64_t x = begin_; x < end_; ++x, to += f_.levels)
        std::transform(widths_[x].begin(), widths_[x].end(), to, [&](const Covering& c) { return (c.window - first_) * channels_; });
      return;
    }
    const int64_t at = begin_ + w.pad_before;  // counted from the first window's first cell
    first_ = at / w.stride - f_.front, last_ = (end_ - 1 + w.pad_before) / w.stride + 1;
    const int64_t step = w.stride == 1 ? w.dilation : w.stride;
    for (int64_t l = 0; l < f_.levels; ++l) offsets_[l] = (at - first_ * w.stride - (f_.levels - 1 - l) * step) * channels_;
    if (f_.copies > 1) offsets_[0] += f_.length;
    if (f_.kind == ShareForm::Kind::interleaved) offsets_[0] = f_.front;
  }

  HWY_NOINLINE void fill(int64_t slot, int64_t od, int64_t oh) noexcept {
    S* const to = rows_ + slot * f_.copies * f_.length;
    const bool expanded = f_.kind == ShareForm::Kind::repeated || f_.kind == ShareForm::Kind::listed;
    S* const shares = expanded ? shares_ : to;
    const int64_t step = a_.input_strides[dim_w], end = HWY_MIN(last_, a_.width.output);
    const E* grad = reinterpret_cast<const E*>(a_.input) + offset5(a_.input_strides, r_.n, r_.begin, od, oh, 0);
    const Window in_depth = a_.depth.window(od), in_height = a_.height.window(oh);
    const Run* run = runs_;
    for (int64_t o = HWY_MAX(first_, 0); o < end; ++run) {
      if (run->end <= o) continue;
      const int64_t divisor = divisor_of(a_, in_depth, in_height, run->window), run_end = HWY_MIN(run->end, end);
      const int64_t together = step == channels_ ? run_end - o : 1;
      for (; o < run_end; o += together) divide(grad + o * step, together * channels_, divisor, shares + (o - first_) * channels_);
    }
    if (f_.kind == ShareForm::Kind::repeated) repeat(to);
    if (f_.kind == ShareForm::Kind::listed) follow_list(to);
  }

  static HWY_INLINE void divide(const E* grad, int64_t count, int64_t divisor, S* to) noexcept {
    if (divisor == 0) return static_cast<void>(std::fill_n(to, count, S(0)));
    // Powers of two have exact reciprocals.
    const bool multiply = divisor > 0 && (divisor & (divisor - 1)) == 0;
    const S by = multiply ? 1 / static_cast<S>(divisor) : static_cast<S>(divisor);
    by_vectors(hn::ScalableTag<S>(), count, [&](auto d, int64_t i) HWY_ATTR {
      const auto v = load_grads(d, grad + i);
      hn::StoreU(multiply ? hn::Mul(v, hn::Set(d, by)) : hn::Div(v, hn::Set(d, by)), d, to + i);
    });
  }

  // The shares of one window, or zeros, as often as a row has them one after the other. What is written too much is overwritten by what
  // follows.
  HWY_INLINE S* put(const S* from, int64_t times, S* to) const noexcept {
    const hn::ScalableTag<S> d;
    const int64_t channels = channels_;
    S* const end = to + times * channels;
    if (from == nullptr) {
      for (; to < end; to += lanes) hn::StoreU(hn::Zero(d), d, to);
    } else if (channels == 1) {
      for (const auto v = hn::Set(d, *from); to < end; to += lanes) hn::StoreU(v, d, to);
    } else if (channels <= lanes) {
      for (const auto v = hn::LoadU(d, from); to < end; to += channels) hn::StoreU(v, d, to);
    } else {
      for (; to < end; to += channels)
        for (int64_t c = 0; c < channels; c += lanes) hn::StoreU(hn::LoadU(d, from + c), d, to + c);
    }
    return end;
  }

  // All windows as wide as the stride; with copies, a second row without the cells that the first window of a cell does not reach.
  HWY_NOINLINE void repeat(S* to) const noexcept {
    const int64_t stride = a_.width.stride, kept = f_.levels == 1 ? HWY_MIN(a_.width.kernel, stride) : a_.width.kernel % stride;
    S* some = kept > 0 && kept < stride ? to + (f_.copies - 1) * f_.length : nullptr;
    S* all = some == to ? nullptr : to;
    const S* share = shares_;
    for (int64_t o = first_; o < last_; ++o, share += channels_) {
      if (all != nullptr) all = put(share, stride, all);
      if (some != nullptr) some = put(nullptr, stride - kept, put(share, kept, some));
    }
  }

  HWY_NOINLINE void follow_list(S* to) const noexcept {
    for (int64_t l = 0; l < f_.levels; ++l) {
      S* at = to + l * f_.length;
      for (int64_t x = begin_; x < end_; ++x) {
        const auto windows = widths_[x];
        const bool exists = l < static_cast<int64_t>(windows.size());
        const S* share = exists ? shares_ + (windows[static_cast<size_t>(l)].window - first_) * channels_ : nullptr;
        if (channels_ == 1)
          *at++ = exists ? *share : S(0);
        else
          at = put(share, 1, at);
      }
    }
  }

  const ShareForm& f_;
  CoveringList widths_;
  Run* runs_;
  int64_t* offsets_;
  S* rows_;
  S* shares_;                                      // of one row of windows, before they are repeated
  int64_t begin_ = -1, end_ = -1, channels_ = -1;  // cells, and channels of each
  bool cleared_ = false;
  int64_t first_ = 0, last_ = 0;  // windows over these cells, with those that do not exist
};

#endif  // one lane is no vector

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
