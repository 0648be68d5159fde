// Average and sum pooling of large windows: sums of 2, 4, 8, … neighbours are built from each other, first along rows, then along
// columns, and a window is put together from those that its size has bits for. The cost grows with the logarithm of the window.
//
//   x        a   b   c   d   e          kernel 3 = 1 + 2
//   1        a   b   c   d   e          window 0:  a + (b + c)
//   2        ab  bc  cd  de             window 1:  b + (c + d)
//
// Nothing is ever subtracted, so a NaN or an infinity stays inside its windows and no digits are lost. The order of additions is not that
// of the definition, but the same for every layout, instruction set and number of threads: problems that this kernel serves are served by
// no other (ADR 9).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/avg_pool_doubling.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/average-inl.h"
#include "kernels/avg_pool_cell.h"
#include "kernels/kernel.h"
#include "kernels/large_sums.h"
#include "kernels/scatter.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::detail::HWY_NAMESPACE {
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

// Windows of `kernel` lines at each of the first `count` lines, of `total`: lines[i] and its followers, `pitch` apart. Only `length`
// elements of each are looked at. `lines` is used up.
template <class S>
void double_up(S* lines, int64_t count, int64_t total, int64_t kernel, int64_t length, int64_t pitch, S* sums) {
  // Lines without a gap are one long line.
  const auto each = [&](int64_t n, auto f) HWY_ATTR {
    if (length == pitch) return f(int64_t{0}, n * length);
    for (int64_t i = 0; i < n; ++i) f(i * pitch, length);
  };
  int64_t covered = 0;
  for (int64_t width = 1; width <= kernel; width *= 2) {
    if ((kernel & width) != 0) {
      const S* from = lines + covered * pitch;
      if (covered == 0)
        each(count, [&](int64_t at, int64_t n) HWY_ATTR { std::copy_n(from + at, n, sums + at); });
      else
        each(count, [&](int64_t at, int64_t n) HWY_ATTR { add_line(sums + at, from + at, n, sums + at); });
      covered += width;
    }
    // Each line takes up its width-th follower; in ascending order, so that followers are still the old ones.
    const int64_t left = total - 2 * width + 1;
    if (2 * width <= kernel && left > 0)
      each(left, [&](int64_t at, int64_t n) HWY_ATTR { add_line(lines + at, lines + at + width * pitch, n, lines + at); });
  }
}

template <class E>
struct Doubling {
  using S = Sum<E>;

  // One input row with its padding, `channels` elements a pixel.
  static void load_row(const KernelArgs& a, const ChannelRange& r, const E* row, S* to) noexcept {
    const Strides5& s = a.input_strides;
    const int64_t channels = r.end - r.begin, before = a.width.pad_before * channels;
    const int64_t all = padded(a.width) * channels, filled = std::min(before + a.width.input * channels, all);
    std::fill_n(to, std::min(before, all), S(0));
    if constexpr (std::is_same_v<S, E>)
      if (channels == 1 && s[dim_w] == 1 && before < filled) {
        std::copy_n(row, filled - before, to + before);
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
    const int64_t starts = width - a.width.kernel + 1, out_length = a.width.output * channels;
    S* line = reinterpret_cast<S*>(scratch);
    S* sums = line + width * channels;
    S* rows = sums + std::max(width * channels, out_length);
    S* totals = rows + height * out_length;
    for (int64_t h = 0; h < height; ++h) {
      S* row = rows + h * out_length;
      const int64_t cell = h - a.height.pad_before;
      if (cell < 0 || cell >= a.height.input) {
        std::fill_n(row, out_length, S(0));
        continue;
      }
      const E* from = reinterpret_cast<const E*>(a.input) + offset5(a.input_strides, r.n, r.begin, depth, cell, 0);
      load_row(a, r, from, line);
      if (a.width.stride == 1) {
        double_up(line, starts, width, a.width.kernel, channels, channels, row);
        continue;
      }
      double_up(line, starts, width, a.width.kernel, channels, channels, sums);
      for (int64_t ow = 0; ow < a.width.output; ++ow)
        for (int64_t c = 0; c < channels; ++c) row[ow * channels + c] = sums[ow * a.width.stride * channels + c];
    }
    // A strip at a time, which stays in the cache for all steps.
    constexpr int64_t strip = 1024 / static_cast<int64_t>(sizeof(S));
    for (int64_t at = 0; at < out_length; at += strip)
      double_up(rows + at, height - a.height.kernel + 1, height, a.height.kernel, std::min(strip, out_length - at), out_length,
                totals + at);
    for (int64_t oh = 0; oh < a.height.output; ++oh)
      store_row(a, r, depth, oh, totals + oh * a.height.stride * out_length, reinterpret_cast<E*>(line));
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
    if ((channels == 1 && s[dim_w] == 1) || (s[dim_c] == 1 && s[dim_w] == channels))
      std::copy_n(aside, width * channels, out);
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

template <class E>
constexpr std::array<KernelEntry, 4> doubling_entries(DType dtype) {
  std::array<KernelEntry, 4> all{};
  size_t i = 0;
  for (Op op : {Op::avg, Op::sum})
    for (Pass pass : {Pass::forward, Pass::double_backward})
      all[i++] = {.name = "doubling",
                  .op = op,
                  .pass = pass,
                  .dtype = dtype,
                  .target = HWY_TARGET,
                  .split = Split::slices,
                  .fits = Doubling<E>::fits,
                  .cost = Doubling<E>::cost,
                  .scratch_bytes = Doubling<E>::scratch_bytes,
                  .grain = unit_grain,
                  .run = Doubling<E>::run};
  return all;
}

std::span<const KernelEntry> avg_doubling_table() {
  static constexpr auto entries =
      join(doubling_entries<float>(DType::f32), doubling_entries<double>(DType::f64), doubling_entries<Half>(DType::f16),
           doubling_entries<BFloat16>(DType::bf16), doubling_entries<int8_t>(DType::i8), doubling_entries<uint8_t>(DType::u8),
           doubling_entries<int16_t>(DType::i16), doubling_entries<int32_t>(DType::i32), doubling_entries<int64_t>(DType::i64));
  return entries;
}

}  // namespace tidepool::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::detail {
HWY_EXPORT(avg_doubling_table);
std::span<const KernelEntry> avg_pool_doubling_kernels() { return HWY_DYNAMIC_DISPATCH(avg_doubling_table)(); }
}  // namespace tidepool::detail
#endif
