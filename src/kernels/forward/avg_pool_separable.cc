// Average and sum pooling of large windows. Along rows, sums of 2, 4, 8, … neighbours are built from each other, and a window is put
// together from those that its size has bits for:
//
//   x        a   b   c   d   e          kernel 3 = 1 + 2
//   1        a   b   c   d   e          window 0:  a + (b + c)
//   2        ab  bc  cd  de             window 1:  b + (c + d)
//
// Down the rows, van Herk's blocks of kernel rows: a window is the tail of one block and the head of the next.
//
//   rows     0 1 2 | 3 4 5 |            kernel 3, window 2..4 = tail(2) + head(4)
//   tail     <-----                     the row and all below it in its block, added up when the block is complete
//   head            --->                added up from the block's first row on
//
// Nothing is ever subtracted, so a NaN or an infinity stays inside its windows and no digits are lost. The order of additions is not that
// of the definition, but the same for every layout, instruction set and number of threads: problems that this kernel serves are served by
// no other (ADR 9).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forward/avg_pool_separable.cc"
#include <type_traits>

#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/backward/sums.h"
#include "kernels/dispatch.h"
#include "kernels/entries.h"
#include "kernels/kernel.h"
#include "kernels/reduce/average-inl.h"
#include "kernels/reduce/large_sums.h"
#include "kernels/reference/avg_pool_cell.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// to[i] = a[i] + b[i]; `to` may be a or b's neighbour behind it.
template <class S>
HWY_INLINE void add_line(const S* a, const S* b, int64_t count, S* to) {
  const hn::ScalableTag<S> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, to + i);
  for (; i < count; ++i) to[i] = add(a[i], b[i]);
}

// to[i] = (a[i] + a[i + shift]) + (a[i + 2 shift] + a[i + 3 shift]); `to` may be a.
template <class S>
HWY_INLINE void add_four(const S* a, int64_t shift, int64_t count, S* to) {
  const hn::ScalableTag<S> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto left = hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, a + i + shift));
    const auto right = hn::Add(hn::LoadU(d, a + i + 2 * shift), hn::LoadU(d, a + i + 3 * shift));
    hn::StoreU(hn::Add(left, right), d, to + i);
  }
  for (; i < count; ++i) to[i] = add(add(a[i], a[i + shift]), add(a[i + 2 * shift], a[i + 3 * shift]));
}

// The sums of `kernel` neighbours at each of the first `count` cells, of `total`; a cell is `pitch` elements. `line` is used up.
template <class S>
void double_up(S* line, int64_t count, int64_t total, int64_t kernel, int64_t pitch, S* sums) {
  int64_t covered = 0;
  for (int64_t width = 1; width <= kernel; width *= 2) {
    // Each cell takes up its followers; in ascending order, so that they are still the old ones. Two steps at once where no part is taken
    // in between: the sums are the same.
    if ((kernel & (3 * width)) == 0 && 4 * width <= kernel) {
      add_four(line, width * pitch, std::max<int64_t>(total - 4 * width + 1, 0) * pitch, line);
      width *= 2;
      continue;
    }
    if ((kernel & width) != 0) {
      const S* from = line + covered * pitch;
      if (covered == 0)
        std::copy_n(from, count * pitch, sums);
      else
        add_line(sums, from, count * pitch, sums);
      covered += width;
    }
    if (2 * width <= kernel) add_line(line, line + width * pitch, std::max<int64_t>(total - 2 * width + 1, 0) * pitch, line);
  }
}

template <class E>
struct SeparableAverage : SimpleKernel {
  using S = Sum<E>;

  // Whether the channels of a cell are adjacent.
  static bool has_runs(const Strides5& s, int64_t channels) noexcept { return channels == 1 || s[dim_c] == 1; }
  static void copy_runs(const E* from, int64_t from_step, int64_t cells, int64_t channels, E* to, int64_t to_step) noexcept {
    if (from_step == channels && to_step == channels) return static_cast<void>(std::copy_n(from, cells * channels, to));
    for (int64_t i = 0; i < cells; ++i, from += from_step, to += to_step) std::copy_n(from, channels, to);
  }

  // One input row with its padding, `channels` elements a pixel.
  static void load_row(const KernelArgs& a, const ChannelRange& r, const E* row, S* to) noexcept {
    const Strides5& s = a.input_strides;
    const int64_t channels = r.end - r.begin, before = a.width.pad_before * channels;
    const int64_t all = padded(a.width) * channels, filled = std::min(before + a.width.input * channels, all);
    std::fill_n(to, std::min(before, all), S(0));
    if constexpr (std::is_same_v<S, E>)
      if (has_runs(s, channels) && before < filled) {
        copy_runs(row, s[dim_w], (filled - before) / channels, channels, to + before, channels);
        return static_cast<void>(std::fill(to + filled, to + all, S(0)));
      }
    for (int64_t i = before, w = 0; i < filled; i += channels, ++w)
      for (int64_t c = 0; c < channels; ++c) to[i + c] = static_cast<S>(row[w * s[dim_w] + c * s[dim_c]]);
    if (filled < all) std::fill(to + std::max<int64_t>(filled, 0), to + all, S(0));
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    for (int64_t u = tile.begin; u < tile.end; ++u) {
      const int64_t together = large_sum_channels(a.layout, a.channels), blocks = (a.channels + together - 1) / together;
      const int64_t slice = u / blocks, begin = u % blocks * together;
      run_slice(a, {slice / a.depth.input, begin, std::min(begin + together, a.channels)}, slice % a.depth.input, tile.scratch);
    }
  }

  static void run_slice(const KernelArgs& a, const ChannelRange& r, int64_t depth, std::byte* scratch) noexcept {
    const int64_t channels = r.end - r.begin, width = padded(a.width), height = padded(a.height);
    const int64_t out_length = a.width.output * channels;
    S* line = reinterpret_cast<S*>(scratch);
    S* sums = line + width * channels;
    S* head = sums + std::max(width * channels, out_length);
    S* total = head + out_length;
    const int64_t block = a.height.kernel;
    S* tails[2] = {total + out_length, total + (1 + block) * out_length};  // of the block before, and this one's rows
    for (int64_t y = 0; y < height; ++y) {
      const int64_t in_block = y % block, start = y - block + 1;  // of the window that ends in this row
      S* row = tails[1] + in_block * out_length;
      reduce_row(a, r, depth, y - a.height.pad_before, line, sums, row);
      if (in_block == 0)
        std::copy_n(row, out_length, head);
      else
        add_line(head, row, out_length, head);
      if (start >= 0 && start % a.height.stride == 0) {
        const S* window = head;
        if (in_block != block - 1) {
          add_line(tails[0] + start % block * out_length, head, out_length, total);
          window = total;
        }
        store_row(a, r, depth, start / a.height.stride, window, reinterpret_cast<E*>(line));
      }
      if (in_block != block - 1) continue;
      for (int64_t i = block - 2; i >= 0; --i) {
        S* above = tails[1] + i * out_length;
        add_line(above, above + out_length, out_length, above);
      }
      std::swap(tails[0], tails[1]);
    }
  }

  // The sums of a row's windows; of zeros for a row in the padding. `line` and `sums` are used up.
  static void reduce_row(const KernelArgs& a, const ChannelRange& r, int64_t depth, int64_t cell, S* line, S* sums, S* row) noexcept {
    const int64_t channels = r.end - r.begin, width = padded(a.width), starts = width - a.width.kernel + 1;
    if (cell < 0 || cell >= a.height.input) return static_cast<void>(std::fill_n(row, a.width.output * channels, S(0)));
    load_row(a, r, reinterpret_cast<const E*>(a.input) + offset5(a.input_strides, r.n, r.begin, depth, cell, 0), line);
    if (a.width.stride == 1) return double_up(line, starts, width, a.width.kernel, channels, row);
    double_up(line, starts, width, a.width.kernel, channels, sums);
    for (int64_t ow = 0; ow < a.width.output; ++ow)
      for (int64_t c = 0; c < channels; ++c) row[ow * channels + c] = sums[ow * a.width.stride * channels + c];
  }

  static void finish(const S* sums, int64_t count, int64_t divisor, IntegerRounding rounding, E* to) noexcept {
    int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    if constexpr (std::is_same_v<S, E> && std::is_floating_point_v<E>) {
      const hn::ScalableTag<S> d;
      const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
      for (; divisor != 0 && i + lanes <= count; i += lanes) hn::StoreU(finish_average(d, hn::LoadU(d, sums + i), divisor), d, to + i);
    }
#endif
    for (; i < count; ++i) to[i] = average<E>(sums[i], divisor, rounding);
  }

  // `aside` holds a row of outputs before they go where they belong.
  static void store_row(const KernelArgs& a, const ChannelRange& r, int64_t depth, int64_t oh, const S* totals, E* aside) noexcept {
    const Strides5& s = a.output_strides;
    const Window wd = a.depth.window(depth), wh = a.height.window(oh);
    const int64_t channels = r.end - r.begin, width = a.width.output;
    for (int64_t ow = 0; ow < width;) {
      // Windows inside the input have one divisor.
      const int64_t many = ow == a.width.interior.begin ? std::max<int64_t>(a.width.interior.size(), 1) : 1;
      finish(totals + ow * channels, many * channels, divisor_of(a, wd, wh, a.width.window(ow)), a.reduction.rounding,
             aside + ow * channels);
      ow += many;
    }
    E* out = reinterpret_cast<E*>(a.output) + offset5(s, r.n, r.begin, depth, oh, 0);
    if (has_runs(s, channels))
      copy_runs(aside, channels, width, channels, out, s[dim_w]);
    else
      for (int64_t ow = 0; ow < width; ++ow)
        for (int64_t c = 0; c < channels; ++c) out[ow * s[dim_w] + c * s[dim_c]] = *aside++;
  }

  // Cells from the first window's start to the last one's end.
  static int64_t padded(const AxisTable& x) noexcept { return (x.output - 1) * x.stride + x.kernel; }

  static Fit fits(const Problem& p) { return {has_large_sums(p) ? nullptr : "windows are small, or far apart"}; }
  static double cost(const Problem&) { return 1; }
  static int64_t scratch_bytes(const Problem& p) { return large_sum_cells(p) * static_cast<int64_t>(sizeof(S)); }
};

constexpr EntryForm separable_form{.name = "separable",
                                   .ops = {Op::avg, Op::sum},
                                   .passes = {Pass::forward, Pass::double_backward},
                                   .split = Split::slices,
                                   .target = HWY_TARGET};

std::span<const KernelEntry> avg_separable_table() {
  static constexpr auto table = entries<SeparableAverage>(separable_form, NumberTypes());
  return table;
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(avg_separable_table);
std::span<const KernelEntry> avg_pool_separable_kernels(int64_t target) {
  return function_for(HWY_DISPATCH_TABLE(avg_separable_table), target)();
}
}  // namespace tidepool::inline v0_1::detail
#endif
