// Max and min pooling at a cost that does not grow with the window.
//
// Along a row, windows are doubled: the best of w cells from every position gives the best of 4w in three steps, until a last
// overlapping step reaches the kernel's size. Overlap is harmless, see extremum-inl.h.
//
//   w = 1   a b c d e f g h          kernel 6: best of 4, then that and its neighbour two to the right
//   w = 4   |-------|                |-------|
//                                        |-------|
//
// Down the rows, van Herk's blocks of kernel rows: a window is the tail of one block and the head of the next.
//
//   rows     0 1 2 | 3 4 5 |         kernel 3, window 2..4 = tail(2) and head(4)
//   tail     <-----            best of the row and all below it in its block, made when the block is complete
//   head            --->       running best from the block's first row
//
// Channels-last rows are the same with neighbours C cells apart, so one code serves both layouts.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/max_pool_separable.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include <cmath>
#include <utility>

#include "hwy/highway.h"
#include "kernels/dispatch.h"
#include "kernels/kernel.h"
#include "kernels/reduce/extremum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

// Sizes of one row pass, in elements. `pitch` is the distance of neighbouring columns: 1, or the number of channels.
struct RowSizes {
  int64_t pitch;
  int64_t padded;  // columns that windows can name, with padding
  int64_t outputs;
  int64_t line;  // elements of a scratch row, with room for a vector beyond each shifted read

  static RowSizes of(int64_t pitch, int64_t outputs, int64_t stride, int64_t kernel) {
    const int64_t padded = (outputs - 1) * stride + kernel;
    return {pitch, padded, outputs, (padded * pitch + 2 * HWY_MAX_BYTES) / 64 * 64 + 64};
  }
};

template <class E>
struct SeparableExtremum {
  using R = Extremum<E, false>;
  using T = Lane<E>;
  using D = hn::ScalableTag<T>;

  static HWY_INLINE void fill_identity(T* to, int64_t count) {
    const D d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t i = 0; i < count; i += lanes) hn::StoreU(R::identity(d), d, to + i);
  }

  // Cells without NaN have a cheaper combine; kExact minds NaN.
  template <bool kExact, class V>
  static HWY_INLINE V combine(V a, V b) {
    return kExact ? R::combine(D(), a, b) : R::combine_ordered(D(), a, b);
  }

  // to[i] = best of from[i], from[i + shift]. May run up to a vector past `count`.
  template <bool kExact>
  static HWY_INLINE void pair(const T* from, T* to, int64_t count, int64_t shift) {
    const D d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t i = 0; i < count; i += lanes)
      hn::StoreU(combine<kExact>(hn::LoadU(d, from + i), hn::LoadU(d, from + i + shift)), d, to + i);
  }

  template <bool kExact>
  static HWY_INLINE void four(const T* from, T* to, int64_t count, int64_t shift) {
    const D d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t i = 0; i < count; i += lanes) {
      const auto left = combine<kExact>(hn::LoadU(d, from + i), hn::LoadU(d, from + i + shift));
      const auto right = combine<kExact>(hn::LoadU(d, from + i + 2 * shift), hn::LoadU(d, from + i + 3 * shift));
      hn::StoreU(combine<kExact>(left, right), d, to + i);
    }
  }

  // Cells on their way in and out, mirrored. May there be a NaN among them?
  static HWY_INLINE bool copy(const KernelArgs& a, const T* HWY_RESTRICT from, T* HWY_RESTRICT to, int64_t count) {
    const D d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    const hn::CappedTag<T, 1> one;
    const auto mirrored = mirror(d, a);
    const auto one_mirrored = mirror(one, a);
    auto sum = hn::Zero(d);
    auto one_sum = hn::Zero(one);
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const auto v = hn::LoadU(d, from + i);
      if constexpr (R::checks_nan) sum = hn::Add(sum, v);
      hn::StoreU(hn::Xor(v, mirrored), d, to + i);
    }
    for (; i < count; ++i) {
      const auto v = hn::LoadU(one, from + i);
      if constexpr (R::checks_nan) one_sum = hn::Add(one_sum, v);
      hn::StoreU(hn::Xor(v, one_mirrored), one, to + i);
    }
    if constexpr (R::checks_nan) return !hn::AllFalse(d, hn::IsNaN(sum)) || !hn::AllFalse(one, hn::IsNaN(one_sum));
    return false;
  }

  // One input row into `line`, with identity where padding is. May there be a NaN in it?
  static bool load_row(const KernelArgs& a, const RowSizes& z, const T* x, T* line) {
    const AxisTable& w = a.width;
    const int64_t hidden = HWY_MIN(w.pad_before, z.padded), cells = HWY_MIN(w.input, z.padded - hidden);
    const int64_t begin = hidden * z.pitch;
    fill_identity(line, begin);
    const int64_t step = a.input_strides[dim_w];
    bool doubt = false;
    if (step == z.pitch) {
      doubt = copy(a, x, line + begin, cells * z.pitch);
    } else {
      for (int64_t i = 0; i < cells; ++i) doubt |= copy(a, x + i * step, line + begin + i * z.pitch, z.pitch);
    }
    fill_identity(line + begin + cells * z.pitch, z.line - begin - cells * z.pitch - static_cast<int64_t>(hn::Lanes(D())));
    return doubt;
  }

  // The best of every window of a row: line -> out, z.outputs * pitch cells. Uses up `line`.
  template <bool kExact>
  static void reduce_row(const KernelArgs& a, const RowSizes& z, T* line, T* out) {
    const int64_t kernel = a.width.kernel, stride = a.width.stride, count = z.outputs * z.pitch;
    int64_t width = 1;
    const auto room = [&](int64_t reached) { return (z.padded - reached + 1) * z.pitch; };
    for (; 4 * width <= kernel; width *= 4) {
      if (4 * width == kernel && stride == 1) return four<kExact>(line, out, count, width * z.pitch);
      four<kExact>(line, line, room(4 * width), width * z.pitch);
    }
    for (; 2 * width < kernel; width *= 2) pair<kExact>(line, line, room(2 * width), width * z.pitch);
    if (stride == 1) return pair<kExact>(line, out, count, (kernel - width) * z.pitch);
    if (width < kernel) pair<kExact>(line, line, room(kernel), (kernel - width) * z.pitch);
    for (int64_t o = 0; o < z.outputs; ++o)
      for (int64_t c = 0; c < z.pitch; ++c) out[o * z.pitch + c] = line[o * stride * z.pitch + c];
  }

  static void store_row(const KernelArgs& a, const RowSizes& z, const T* from, T* out) {
    const int64_t step = a.output_strides[dim_w];
    if (step == z.pitch) return void(copy(a, from, out, z.outputs * z.pitch));
    for (int64_t o = 0; o < z.outputs; ++o) copy(a, from + o * z.pitch, out + o * step, z.pitch);
  }

  // The best of two rows, to where it belongs. `line` is free.
  template <bool kExact>
  static void store_best(const KernelArgs& a, const RowSizes& z, const T* upper, const T* lower, T* line, T* out) {
    const D d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), count = z.outputs * z.pitch;
    if (a.output_strides[dim_w] != z.pitch || count < lanes) {
      pair<kExact>(upper, line, count, lower - upper);
      return store_row(a, z, line, out);
    }
    const auto mirrored = mirror(d, a);
    for (int64_t next = 0; next < count; next += lanes) {
      const int64_t i = HWY_MIN(next, count - lanes);
      hn::StoreU(hn::Xor(combine<kExact>(hn::LoadU(d, upper + i), hn::LoadU(d, lower + i)), mirrored), d, out + i);
    }
  }

  // Output rows [first, last) of one plane (channels first) or of all planes of an image (channels last).
  static void rows(const KernelArgs& a, const RowSizes& z, RowPosition p, int64_t first, int64_t last, T* scratch) {
    const AxisTable& h = a.height;
    const int64_t block = h.kernel, count = z.outputs * z.pitch;
    T* line = scratch;
    T* head = line + z.line;
    T* tails[2] = {head + z.line, head + (1 + block) * z.line};
    const T* x = reinterpret_cast<const T*>(a.input) + p.n * a.input_strides[dim_n] + p.c * a.input_strides[dim_c];
    const int64_t top = h.start(first), total = (last - first - 1) * h.stride + h.kernel;
    bool exact = false;
    const auto merge = [&](const T* from, T* to, int64_t shift)
                           HWY_ATTR { exact ? pair<R::checks_nan>(from, to, count, shift) : pair<false>(from, to, count, shift); };
    for (int64_t y = 0; y < total; ++y) {
      const int64_t row = top + y, in_block = y % block;
      if (in_block == 0) std::swap(tails[0], tails[1]);
      T* here = tails[1] + in_block * z.line;
      if (row >= 0 && row < h.input) {
        // Once a NaN was seen it may sit in the blocks kept from here on.
        if (load_row(a, z, x + row * a.input_strides[dim_h], line)) exact = true;
        exact ? reduce_row<R::checks_nan>(a, z, line, here) : reduce_row<false>(a, z, line, here);
      } else {
        fill_identity(here, count);
      }
      const T* best = here;
      if (in_block > 0) {
        const T* above = in_block == 1 ? tails[1] : head;
        merge(above, head, here - above);
        best = head;
      }
      const int64_t start = y - block + 1;  // of the window that ends in this row
      if (start >= 0 && start % h.stride == 0) {
        p.oh = first + start / h.stride;
        T* out = reinterpret_cast<T*>(a.output) + p.offset(a.output_strides);
        if (in_block == block - 1) {
          store_row(a, z, best, out);
        } else {
          const T* tail = tails[0] + (start % block) * z.line;
          exact ? store_best<R::checks_nan>(a, z, tail, best, line, out) : store_best<false>(a, z, tail, best, line, out);
        }
      }
      if (in_block == block - 1)
        for (int64_t i = block - 2; i >= 0; --i) merge(tails[1] + i * z.line, tails[1] + i * z.line, z.line);
    }
  }

  static void slide(const KernelArgs& a, const Tile& tile, bool channels_last) noexcept {
    const RowSizes z = RowSizes::of(channels_last ? a.channels : 1, a.width.output, a.width.stride, a.width.kernel);
    for (int64_t u = tile.begin; u < tile.end;) {
      const RowPosition p = channels_last ? RowPosition::of_channel_row(a, u) : RowPosition::of_row(a, u);
      const int64_t last = HWY_MIN(a.height.output, p.oh + tile.end - u);
      rows(a, z, p, p.oh, last, reinterpret_cast<T*>(tile.scratch));
      u += last - p.oh;
    }
  }
};

// What the plan asks, for elements of so many bytes.
template <size_t kBytes, bool kChannelsLast>
struct SeparablePlan {
  static constexpr Indices indices = Indices::absent;
  static Fit fits(const Problem& p) {
    const Geometry& g = p.geometry;
    if (p.layout != (kChannelsLast ? Layout::channels_last : Layout::channels_first))
      return {kChannelsLast ? "channels are not adjacent in memory" : "columns are not adjacent in memory"};
    if (g.rank() == 3) return {"slides in two dimensions, not three"};
    if (g.width().is_fractional()) return {"every plane has windows of its own"};
    if (!g.width().is_even() || !g.height().is_even()) return {"windows differ in size"};
    if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
    if (g.width().dilation() != 1 || g.height().dilation() != 1) return {"windows are dilated"};
    if (p.nan == NanPolicy::ignore) return {"nan=ignore is done cell by cell"};
    // Scratch grows with the kernel, which padding lets exceed any input; in floating point, because the product may exceed 64 bits.
    const double columns =
        static_cast<double>(g.width().output()) * static_cast<double>(g.width().stride()) + static_cast<double>(g.width().kernel());
    const double elements = columns * static_cast<double>(kChannelsLast ? g.channels() : 1) * static_cast<double>(g.height().kernel());
    if (elements * 2 * kBytes > 1 << 27) return {"its rows of scratch would take more than 128 MiB"};
    return {};
  }

  static double cost(const Problem& p) {
    const Axis &w = p.geometry.width(), &h = p.geometry.height();
    double steps = 2;
    for (int64_t width = 4; width <= w.kernel(); width *= 4) steps += 3;
    const double lanes = static_cast<double>(hn::Lanes(hn::ScalableTag<hwy::UnsignedFromSize<kBytes>>()));
    const double outputs = static_cast<double>(w.stride()) * static_cast<double>(h.stride());
    // Elements of a row, and what every row costs.
    const double row = static_cast<double>(HWY_MAX(w.output(), 1)) * static_cast<double>(kChannelsLast ? p.geometry.channels() : 1);
    const double cost = (outputs * (2 * steps + 8) + 4) * std::ceil(row / lanes) / row + 60 / row;
    return kChannelsLast ? 1.6 * cost : cost;
  }

  static int64_t scratch_bytes(const Problem& p) {
    const Axis& w = p.geometry.width();
    const RowSizes z = RowSizes::of(kChannelsLast ? p.geometry.channels() : 1, w.output(), w.stride(), w.kernel());
    return (2 + 2 * p.geometry.height().kernel()) * z.line * static_cast<int64_t>(kBytes);
  }

  // A piece starts with kernel - 1 rows that its neighbour has too: pieces several kernels tall make that a small share. Two halves are
  // worth it all the same.
  static int64_t grain(const Problem& p) {
    const Axis& h = p.geometry.height();
    return HWY_MAX(HWY_MIN(h.output() / 2, 4 * h.kernel() / h.stride() + 1), 1);
  }
};

// Both layouts share the loops.
template <class E>
struct SeparableColumns : SeparablePlan<sizeof(E), false> {
  static void run(const KernelArgs& a, const Tile& tile) noexcept { SeparableExtremum<E>::slide(a, tile, false); }
};
template <class E>
struct SeparableChannels : SeparablePlan<sizeof(E), true> {
  static void run(const KernelArgs& a, const Tile& tile) noexcept { SeparableExtremum<E>::slide(a, tile, true); }
};
#endif  // one lane cannot slide: the reference serves that target

std::span<const KernelEntry> max_separable_table() {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  static constexpr auto table = join(mirrored_entries<SeparableColumns>("columns_separable", Split::rows),
                                     mirrored_entries<SeparableChannels>("channels_separable", Split::channel_rows));
  return table;
#endif
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(max_separable_table);
std::span<const KernelEntry> max_pool_separable_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(max_separable_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
