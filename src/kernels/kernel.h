// The contract between plans and kernels: raw pointers, strides, window tables and a tile. Kernels cannot fail.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "tidepool/problem.h"

namespace tidepool::inline v0_1::detail {

// Strides in elements for the five logical dims N, C, D, H, W.
using Strides5 = std::array<int64_t, 5>;
enum Dim5 : uint8_t { dim_n, dim_c, dim_d, dim_h, dim_w };

// One axis as kernels see it: its numbers at hand, and its windows.
struct AxisTable {
  const Axis* axis = nullptr;
  int64_t input = 1;
  int64_t output = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_before = 0;
  bool regular = true;     // every window a stride behind the one before
  int64_t starts_at = -1;  // fractional: where this axis begins in a row of starts
  Range interior;

  // Position of tap 0.
  int64_t start(int64_t o) const noexcept { return regular ? o * stride - pad_before : axis->window(o).begin; }
  // axis->window(o). Kernels ask for one or two a row: the interior's must cost nothing, the border's no division without dilation.
  [[gnu::always_inline]] Window window(int64_t o) const noexcept {
    if (o >= interior.begin && o < interior.end)
      return {.begin = o * stride - pad_before, .count = kernel, .first_tap = 0, .padded_count = kernel};
    return border_window(o);
  }
  Window border_window(int64_t o) const noexcept {
    if (dilation != 1 || !regular) return axis->window(o);
    const int64_t first = start(o), begin = std::max<int64_t>(first, 0), end = std::min(first + kernel, input);
    const int64_t padded_end = std::min(first + kernel, input + axis->pad_after());
    return {.begin = begin,
            .count = std::max<int64_t>(0, end - begin),
            .first_tap = begin - first,
            .padded_count = std::max<int64_t>(0, padded_end - first)};
  }
  // The same for an axis that may be fractional, in the plane whose starts these are.
  Window window(int64_t o, const int64_t* starts) const noexcept {
    if (starts_at < 0) return window(o);
    return {.begin = starts[starts_at + o], .count = kernel, .first_tap = 0, .padded_count = kernel};
  }
};

struct KernelArgs {
  uint64_t mirror = 0;               // mirror.h
  const std::byte* input = nullptr;  // forward: x. backward: gradient of the output. double backward: gradient of the input's gradient
  std::byte* output = nullptr;
  std::byte* index = nullptr;  // written forward, read backward; null when nobody asked
  Strides5 input_strides{};
  Strides5 output_strides{};
  Strides5 index_strides{};
  int64_t batch = 1;
  int64_t channels = 1;
  AxisTable depth, height, width;
  int64_t no_index = -1;  // the stored value that means that nothing was chosen
  Reduction reduction;
  Op op = Op::max;
  DType dtype = DType::f32;
  Layout layout = Layout::channels_first;
  IndexBase index_base = IndexBase::plane;
  DType index_dtype = DType::i64;
  NanPolicy nan = NanPolicy::propagate;
  bool small_steps = true;               // has_small_steps()
  const int64_t* tap_offsets = nullptr;  // tap number -> distance from tap 0 inside the plane
  const std::byte* saved = nullptr;      // lp's backward passes: x
  const std::byte* grad = nullptr;       // lp's double backward of the input: gradient of the output
  Strides5 saved_strides{};
  Strides5 grad_strides{};
  const int64_t* starts = nullptr;  // fractional: a row for every plane
  int64_t starts_per_plane = 0;

  const int64_t* starts_of(int64_t n, int64_t c) const noexcept {
    return starts == nullptr ? nullptr : starts + (n * channels + c) * starts_per_plane;
  }
  int64_t input_plane() const noexcept { return depth.input * height.input * width.input; }
};

// What a tile counts.
enum class Split : uint8_t {
  rows,            // (n, c, od, oh)
  channel_rows,    // (n, od, oh), all channels
  planes,          // (n, c)
  channel_blocks,  // (n, block of channel_block channels)
  grouped_rows     // (n, some channels, od, oh): forward/separable.h
};
inline constexpr int64_t channel_block = 64;

struct Tile {
  int64_t begin = 0;
  int64_t end = 0;
  std::byte* scratch = nullptr;  // scratch_bytes() of it, 64-byte aligned
};

// Yes, or no with the reason in words.
struct Fit {
  const char* refusal = nullptr;
  bool ok() const noexcept { return refusal == nullptr; }
};

// Some values of an enumeration.
template <class E>
class EnumSet {
 public:
  constexpr EnumSet() = default;
  constexpr EnumSet(E one) : EnumSet({one}) {}  // NOLINT: implicit by design
  constexpr EnumSet(std::initializer_list<E> all) : bits_(bits(all)) {}
  constexpr bool has(E one) const noexcept { return (bits_ & bit(one)) != 0; }

 private:
  static constexpr uint32_t bit(E one) noexcept { return uint32_t{1} << static_cast<unsigned>(one); }
  // Not in the constructor's body: GCC 12 then rejects constants with a default value of this type.
  static constexpr uint32_t bits(std::initializer_list<E> all) noexcept {
    uint32_t bits = 0;
    for (E one : all) bits |= bit(one);
    return bits;
  }
  uint32_t bits_ = 0;
};

// Whether a problem stores the positions of its extrema: kernels that do are other code than kernels that do not.
enum class Indices : uint8_t { absent, present };

struct KernelEntry {
  std::string_view name;
  EnumSet<Op> ops;
  EnumSet<Pass> passes;
  EnumSet<Indices> indices = {Indices::absent, Indices::present};
  DType dtype;
  int64_t target;  // Highway's bit of the code behind `run`; 0 for code without vectors
  Split split;
  Fit (*fits)(const Problem&);
  int64_t (*scratch_bytes)(const Problem&);
  // Rows of one tile share work: the planner gives out at least this many at a time.
  int64_t (*grain)(const Problem&);
  void (*run)(const KernelArgs&, const Tile&) noexcept;
};

// Kernels that step by dilation or start before the input multiply those numbers by strides of memory. Where they could overflow
// there are few cells to step to, and the cell by cell kernels, which ask windows for them, serve as well.
inline bool has_small_steps(const Geometry& g) noexcept {
  constexpr int64_t most = int64_t{1} << 31;
  for (int i = 0; i < 3; ++i) {
    const Axis& x = g.axis(i);
    if (x.dilation() > most || x.stride() > most || x.kernel() > most || x.pad_before() > most || x.pad_after() > most) return false;
  }
  return true;
}
inline Fit fits_steps(const Problem& p) { return {has_small_steps(p.geometry) ? nullptr : "steps beyond 31 bits go cell by cell"}; }

int64_t split_units(Split split, const Problem& problem) noexcept;

// Every entry for the problem's op, pass, dtype and use of indices, with vector code for `target`, one of Highway's bits.
std::vector<const KernelEntry*> kernels_for(const Problem& problem, int64_t target);

// The numbers of one output row: where it starts in each array, and its windows along depth and height.
struct RowPosition {
  int64_t n = 0, c = 0, od = 0, oh = 0;

  static RowPosition of_row(const KernelArgs& a, int64_t unit) noexcept {
    RowPosition p;
    p.oh = unit % a.height.output;
    unit /= a.height.output;
    p.od = unit % a.depth.output;
    unit /= a.depth.output;
    p.c = unit % a.channels;
    p.n = unit / a.channels;
    return p;
  }
  static RowPosition of_channel_row(const KernelArgs& a, int64_t unit) noexcept {
    RowPosition p;
    p.oh = unit % a.height.output;
    unit /= a.height.output;
    p.od = unit % a.depth.output;
    p.n = unit / a.depth.output;
    return p;
  }
  // The next row, without the divisions.
  void advance(const KernelArgs& a) noexcept {
    if (++oh < a.height.output) return;
    oh = 0;
    if (++od < a.depth.output) return;
    od = 0;
    if (++c < a.channels) return;
    c = 0;
    ++n;
  }
  // The next row of all channels.
  void advance_channels(const KernelArgs& a) noexcept {
    if (++oh < a.height.output) return;
    oh = 0;
    if (++od < a.depth.output) return;
    od = 0;
    ++n;
  }
  int64_t offset(const Strides5& s) const noexcept { return n * s[dim_n] + c * s[dim_c] + od * s[dim_d] + oh * s[dim_h]; }
};

}  // namespace tidepool::inline v0_1::detail
