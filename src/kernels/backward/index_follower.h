// The walk of kernels that follow indices between a plane and its pooled cells: line by line of outputs, along columns where they are
// adjacent in memory, along channels where those are.
#pragma once

#include "core/portable.h"
#include "kernels/backward/channel_range.h"
#include "kernels/kernel.h"
#include "kernels/reduce/index_store.h"

namespace tidepool::inline v0_1::detail {

inline constexpr int64_t no_cell = INT64_MIN;

// Offset in the plane's strides of the cell that an index of output (od, oh, ow) names, or no_cell. The definition: any base, any windows.
inline int64_t cell_offset(const KernelArgs& a, const Strides5& s, int64_t index, int64_t n, int64_t c, int64_t od, int64_t oh,
                           int64_t ow) noexcept {
  int64_t d, h, w;
  if (index == a.no_index) return no_cell;
  if (a.index_base == IndexBase::window) {
    const int64_t* starts = a.starts_of(n, c);
    const Window wd = a.depth.window(od, starts), wh = a.height.window(oh, starts), ww = a.width.window(ow, starts);
    if (wd.count == 0 || wh.count == 0 || ww.count == 0) return no_cell;
    w = ww.begin + (index % a.width.kernel - ww.first_tap) * a.width.dilation;
    index /= a.width.kernel;
    h = wh.begin + (index % a.height.kernel - wh.first_tap) * a.height.dilation;
    d = wd.begin + (index / a.height.kernel - wd.first_tap) * a.depth.dilation;
  } else {
    index -= index_origin(a, n, c);
    w = index % a.width.input;
    index /= a.width.input;
    h = index % a.height.input;
    d = index / a.height.input;
  }
  return d * s[dim_d] + h * s[dim_h] + w * s[dim_w];
}

// Cells of the plane, row-major, up to the last that a window of this output row can name.
inline int64_t end_of_windows(const KernelArgs& a, int64_t od, int64_t oh) noexcept {
  const Window wd = a.depth.window(od), wh = a.height.window(oh);
  if (wd.count == 0 || wh.count == 0) return 0;
  const int64_t last_d = wd.begin + (wd.count - 1) * a.depth.dilation, last_h = wh.begin + (wh.count - 1) * a.height.dilation;
  return (last_d * a.height.input + (wd.count > 1 ? a.height.input : last_h + 1)) * a.width.input;
}

// Whether padding holds all taps of some window.
inline bool has_empty_windows(const AxisTable& axis) noexcept {
  for (int64_t o = 0; o < axis.output; o = o == axis.interior.begin && axis.interior.size() > 0 ? axis.interior.end : o + 1)
    if (axis.window(o).count == 0) return true;
  return false;
}

// Whether no two windows of a plane share a cell.
inline bool has_disjoint_windows(const KernelArgs& a) noexcept {
  const auto disjoint = [](const AxisTable& x) { return x.output == 1 || (x.regular && x.stride > (x.kernel - 1) * x.dilation); };
  return a.starts == nullptr && a.small_steps && disjoint(a.depth) && disjoint(a.height) && disjoint(a.width);
}

// Whether a step to the next cell of a plane is the same everywhere: then an index in the plane is an offset, times that step.
inline bool is_uniform(const KernelArgs& a, const Strides5& s) noexcept {
  return (a.height.input == 1 || s[dim_h] == a.width.input * s[dim_w]) &&
         (a.depth.input == 1 || s[dim_d] == a.height.input * a.width.input * s[dim_w]);
}

// Follows the indices of all outputs, a line at a time. `plane` are the strides of the plane array, whose channel 0 is the range's first,
// `pooled` those of the array of outputs. For every index that names a cell, reach(cells) says that the first so many cells of the plane
// must be ready, and then visit(cell, output) gives both as element offsets.
class Follower {
 public:
  Follower(const KernelArgs& a, const Strides5& plane, const Strides5& pooled) noexcept : a_(a), s_(plane), pooled_(pooled) {
    const int64_t taps = a.depth.kernel * a.height.kernel * a.width.kernel;
    const bool regular = a.depth.regular && a.height.regular && a.width.regular;
    by_tap_ = a.index_base == IndexBase::window && regular && a.small_steps && a.index_dtype == DType::u8 && taps <= most_taps;
    for (int64_t t = 0; by_tap_ && t < taps; ++t)
      taps_[t] = t / a.width.kernel / a.height.kernel * a.depth.dilation * s_[dim_d] +
                 t / a.width.kernel % a.height.kernel * a.height.dilation * s_[dim_h] + t % a.width.kernel * a.width.dilation * s_[dim_w];
  }

  template <Split kSplit, class Reach, class Visit>
  void follow(const ChannelRange& r, Reach reach, Visit visit) const noexcept {
    if (by_tap_) return taps<kSplit>(r, reach, visit);
    if (a_.index_base != IndexBase::window && is_uniform(a_, s_)) return offsets<kSplit>(r, reach, visit);
    reach(a_.input_plane());
    for_each_output(a_, [&](int64_t od, int64_t oh, int64_t ow) {
      for (int64_t c = r.begin; c < r.end; ++c) {
        const int64_t index = load_index(a_, offset5(a_.index_strides, r.n, c, od, oh, ow));
        const int64_t cell = cell_offset(a_, s_, index, r.n, c, od, oh, ow);
        if (cell != no_cell) visit(cell + (c - r.begin) * s_[dim_c], offset5(pooled_, r.n, c, od, oh, ow));
      }
    });
  }

 private:
  static constexpr int64_t most_taps = 255;  // of a byte that keeps one value for "nothing chosen"
  static constexpr int64_t most_small_cells = 4096;

  // Whether planes fit into the nearest cache whole.
  bool is_small() const noexcept { return a_.input_plane() * s_[dim_w] <= most_small_cells; }

  // Compact indices: a cell is its window's start and a tap from a table.
  template <Split kSplit, class Reach, class Visit>
  void taps(const ChannelRange& r, Reach reach, Visit visit) const noexcept {
    constexpr bool planes = kSplit == Split::planes;
    const Strides5& is = a_.index_strides;
    const uint8_t* index = reinterpret_cast<const uint8_t*>(a_.index);
    const int64_t step = planes ? is[dim_w] : is[dim_c], out_step = planes ? pooled_[dim_w] : pooled_[dim_c];
    const int64_t cell_step = planes ? a_.width.stride * s_[dim_w] : s_[dim_c];
    const bool small = is_small();
    if (small) reach(a_.input_plane());
    for (int64_t od = 0; od < a_.depth.output; ++od)
      for (int64_t oh = 0; oh < a_.height.output; ++oh) {
        if (!small) reach(end_of_windows(a_, od, oh));
        const int64_t row = a_.depth.start(od) * s_[dim_d] + a_.height.start(oh) * s_[dim_h] - a_.width.pad_before * s_[dim_w];
        const uint8_t* at = index + offset5(is, r.n, r.begin, od, oh, 0);
        const int64_t out = offset5(pooled_, r.n, r.begin, od, oh, 0);
        for (int64_t ow = 0; ow < (planes ? 1 : a_.width.output); ++ow) {
          const int64_t base = row + ow * a_.width.stride * s_[dim_w], to = out + ow * pooled_[dim_w];
          for (int64_t i = 0; i < (planes ? a_.width.output : r.end - r.begin); ++i)
            if (const int64_t tap = at[ow * is[dim_w] + i * step]; tap != a_.no_index)
              visit(base + i * cell_step + taps_[tap], to + i * out_step);
        }
      }
  }

  // Indices that count cells, in planes where a cell's number is its offset.
  template <Split kSplit, class Reach, class Visit>
  void offsets(const ChannelRange& r, Reach reach, Visit visit) const noexcept {
    constexpr bool planes = kSplit == Split::planes;
    const Strides5& is = a_.index_strides;
    const int64_t* index = reinterpret_cast<const int64_t*>(a_.index);
    const int64_t step = planes ? is[dim_w] : is[dim_c], out_step = planes ? pooled_[dim_w] : pooled_[dim_c];
    const int64_t cell_step = planes ? 0 : s_[dim_c], origin_step = planes ? 0 : index_origin(a_, 0, 1);
    const int64_t origin = index_origin(a_, r.n, r.begin), width = s_[dim_w];
    if (is_small()) reach(a_.input_plane());
    const int64_t lines = a_.depth.output * a_.height.output * (planes ? 1 : a_.width.output), rows = planes ? 1 : a_.width.output;
    const int64_t count = planes ? a_.width.output : r.end - r.begin;
    // Steps of 1 are constants, so that the loop need not multiply by them.
    const auto walk = [&](int64_t index_step, int64_t pooled_step, int64_t plane_step) TIDEPOOL_INLINE_LAMBDA {
      for (int64_t line = 0; line < lines; ++line) {
        const int64_t row = line / rows, od = row / a_.height.output, oh = row % a_.height.output, ow = line % rows;
        const int64_t* at = index + offset5(is, r.n, r.begin, od, oh, ow);
        const int64_t out = offset5(pooled_, r.n, r.begin, od, oh, ow);
        for (int64_t i = 0; i < count; ++i) {
          if (at[i * index_step] == a_.no_index) continue;
          const int64_t cell = at[i * index_step] - origin - i * origin_step;
          reach(cell + 1);
          visit(cell * width + i * plane_step, out + i * pooled_step);
        }
      }
    };
    if (step == 1 && out_step == 1 && cell_step <= 1)
      walk(1, 1, planes ? 0 : 1);
    else
      walk(step, out_step, cell_step);
  }

  const KernelArgs& a_;
  const Strides5& s_;
  const Strides5& pooled_;
  bool by_tap_ = false;
  int64_t taps_[most_taps];
};

// Sets rows of some planes to zero: those from number `first` on, rows_per_slice to a slice.
template <class T>
void clear_rows(T* data, const Strides5& s, int64_t rows, int64_t rows_per_slice, int64_t width, int64_t channels,
                int64_t first = 0) noexcept {
  const bool cells_adjacent = channels == 1 && s[dim_w] == 1, channels_adjacent = s[dim_c] == 1 || channels == 1;
  const bool all_adjacent = cells_adjacent || (channels_adjacent && s[dim_w] == channels);
  const bool one_slice = first + rows <= rows_per_slice || s[dim_d] == rows_per_slice * s[dim_h];
  if (all_adjacent && one_slice && s[dim_h] == width * channels) {
    std::fill_n(data + first * s[dim_h], rows * s[dim_h], T());
    return;
  }
  for (int64_t row = first; row < first + rows; ++row) {
    T* at = data + row / rows_per_slice * s[dim_d] + row % rows_per_slice * s[dim_h];
    if (all_adjacent)
      std::fill_n(at, width * channels, T());
    else if (channels_adjacent)
      for (int64_t w = 0; w < width; ++w) std::fill_n(at + w * s[dim_w], channels, T());
    else
      for (int64_t w = 0; w < width; ++w)
        for (int64_t c = 0; c < channels; ++c) at[w * s[dim_w] + c * s[dim_c]] = T();
  }
}

// Sets the cells of some planes to zero no sooner than they are needed, while they are near. Whole rows at a time.
template <class T>
class ZeroAhead {
 public:
  ZeroAhead(const KernelArgs& a, const ChannelRange& r, T* data, const Strides5& s) noexcept
      : a_(a), channels_(r.end - r.begin), data_(data), s_(s) {}

  void operator()(int64_t cells) noexcept {
    if (cells > ready_) [[unlikely]]
      extend(cells);
  }

 private:
  [[gnu::noinline]] void extend(int64_t cells) noexcept {
    const int64_t first = ready_ / a_.width.input, rows = (cells - ready_ + a_.width.input - 1) / a_.width.input;
    clear_rows(data_, s_, rows, a_.height.input, a_.width.input, channels_, first);
    ready_ += rows * a_.width.input;
  }

  const KernelArgs& a_;
  int64_t channels_;
  T* data_;
  const Strides5& s_;
  int64_t ready_ = 0;
};

}  // namespace tidepool::inline v0_1::detail
