// Pooling at a cost that does not grow with the window: along each row, then down the rows, then in depth. Included once per target,
// inside foreach_target.
//
// Down the rows (and in depth) van Herk's blocks of as many rows as a window has: a window is the tail of one block and the head of the
// next. Only the rows of one block are kept: when a row comes, the tail that began in its place in the block before was used last.
//
//   rows     0 1 2 | 3 4 5 |         kernel 3: window 2..4 is tail(2) and head(4)
//   tail     <-----            a row and all below it in its block, made when the block is complete
//   head            --->       from the block's first row on
//
// With dilation d, the rows 0, d, 2 d, … have windows of their own, then the rows 1, d + 1, …; likewise in depth.
//
// Positions of cells are numbers that grow by one from column to column: the cell's number in its plane, or, for indices in the window,
// (row * kernel width) + column, from which the number of the window's first cell is subtracted at the end. Padding has the position of
// the next cell inside, so that a window of nothing but -inf gets its first cell.
#if defined(TIDEPOOL_SEPARABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_SEPARABLE_INL_H_
#undef TIDEPOOL_SEPARABLE_INL_H_
#else
#define TIDEPOOL_SEPARABLE_INL_H_
#endif

#include <numeric>

#include "kernels/forward/separable.h"
#include "kernels/forward/separable_lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {

// Calls row(y, slot, is_first) for the rows under the windows [begin, end) of an axis, where slot is the row's place in its block, then
// output(o, slot) if a window ends with it, and turn(slot) when the block is complete, with the first slot that it has. Rows and outputs
// count from the padding's first.
template <class Row, class Output, class Turn>
void walk_blocks(const AxisTable& x, int64_t begin, int64_t end, const Row& row, const Output& output, const Turn& turn) {
  const int64_t span = (x.kernel - 1) * x.dilation, top = begin * x.stride, bottom = (end - 1) * x.stride + span;
  for (int64_t first = top; first < top + x.dilation && first <= bottom; first += std::gcd(x.stride, x.dilation)) {
    int64_t slot = first / x.dilation % x.kernel, block_begin = slot;
    for (int64_t y = first; y <= bottom; y += x.dilation) {
      const int64_t start = y - span;
      row(y, slot, slot == block_begin);
      if (start >= top && (x.stride == 1 || start % x.stride == 0)) output(start / x.stride, slot);
      if (++slot < x.kernel) continue;
      turn(block_begin);
      slot = block_begin = 0;
    }
  }
}

// Policy: Lines; Memory, what elements are in memory; fast and exact, the ways to recognise NaN; identity(); load(from, …, to), which
// returns whether the exact way must be taken from now on; reduce<kNan>(row), along the row, all but the last join; store().
template <class Policy>
class Separable {
  using Lines = typename Policy::Lines;
  using Line = typename Lines::Line;
  using Parts = typename Lines::Parts;
  using T = typename Lines::T;
  using Position = typename Lines::Position;
  using Memory = typename Policy::Memory;
  static constexpr bool kPositions = Lines::has_positions;

 public:
  static int64_t scratch_bytes(const Problem& p) {
    const Geometry& g = p.geometry;
    const SeparableSizes z = SeparableSizes::of(g.depth(), g.height(), g.width(), separable_channels(p.layout, p.dtype, g.channels()),
                                                sizeof(T) * (kPositions ? 2 : 1));
    const int64_t elements = kPositions ? 2 * z.elements + z.line + z.out_line : z.elements;
    return elements * static_cast<int64_t>(sizeof(T));
  }

  static void run(const KernelArgs& a, const Tile& tile) noexcept {
    const int64_t rows = a.depth.output * a.height.output, together = separable_channels(a.layout, a.dtype, a.channels);
    const int64_t groups = (a.channels + together - 1) / together;
    Separable s(a, together, tile.scratch);
    for (int64_t u = tile.begin; u < tile.end;) {
      const int64_t plane = u / rows, row = u % rows, last = std::min(rows, row + tile.end - u);
      s.n_ = plane / groups, s.c_ = plane % groups * together, s.pitch_ = std::min(together, a.channels - s.c_);
      s.pool_rows(row, last);
      u += last - row;
    }
  }

 private:
  Separable(const KernelArgs& a, int64_t together, std::byte* scratch)
      : a_(a),
        z_(SeparableSizes::of(*a.depth.axis, *a.height.axis, *a.width.axis, together, sizeof(T) * (kPositions ? 2 : 1))),
        policy_(a),
        next_(Lines::line(reinterpret_cast<T*>(scratch), reinterpret_cast<Position*>(scratch) + z_.elements)),
        line_(take(z_.line)),
        second_(take(z_.line)),
        slots_(take(a.height.kernel * z_.out_line)),
        head_(take(z_.out_line)),
        window_(take(z_.out_line)),
        empty_(take(z_.out_line)),
        deep_slots_(a.depth.kernel == 1 ? next_ : take(a.depth.kernel * z_.rows * z_.out_line)),
        deep_head_(a.depth.kernel == 1 ? next_ : take(z_.rows * z_.out_line)),
        columns_(free_positions()),
        origins_(kPositions ? columns_ + z_.line : nullptr) {}

  Position* free_positions() const noexcept {
    if constexpr (kPositions) return next_.positions;
    return nullptr;
  }
  Line take(int64_t elements) noexcept {
    const Line taken = next_;
    next_ = next_.at(elements);
    return taken;
  }

  // Rows [row, last) of all depths: whole planes together.
  void pool_rows(int64_t row, int64_t last) {
    const int64_t rows = a_.height.output;
    while (row < last) {
      const int64_t od = row / rows, oh = row % rows, planes = oh == 0 ? std::max<int64_t>((last - row) / rows, 1) : 1;
      const int64_t count = planes > 1 ? planes * rows : std::min(rows - oh, last - row);
      pool_box(od, od + planes, oh, planes > 1 ? rows : oh + count);
      row += count;
    }
  }

  void pool_box(int64_t od, int64_t od_end, int64_t oh, int64_t oh_end) {
    for (ow_ = 0; ow_ < a_.width.output; ow_ += z_.columns) {
      outputs_ = std::min(z_.columns, a_.width.output - ow_);
      prepare_strip();
      if (a_.depth.kernel == 1) {
        exact_ = false;
        for (int64_t d = od; d < od_end; ++d)
          pool_plane(d * a_.depth.stride, oh, oh_end, [&](int64_t h, const Parts& window) { store_window(d, h, window); });
      } else {
        for (int64_t h = oh; h < oh_end; h += z_.rows) pool_deep(od, od_end, h, std::min(h + z_.rows, oh_end));
      }
    }
  }

  // What all rows of a strip share.
  void prepare_strip() {
    const int64_t step = a_.width.stride * pitch_;
    padded_ = (outputs_ - 1) * a_.width.stride + (a_.width.kernel - 1) * a_.width.dilation + 1;
    Lines::fill(policy_.identity(), empty_.values, outputs_ * pitch_);
    if constexpr (kPositions) {
      for (int64_t x = 0; x < padded_; ++x)
        std::fill_n(columns_ + x * pitch_, pitch_, static_cast<Position>(place(a_.width, ow_ * a_.width.stride + x)));
      for (int64_t o = 0; o < outputs_; ++o) {
        std::copy_n(columns_ + o * step, pitch_, empty_.positions + o * pitch_);
        std::fill_n(origins_ + o * pitch_, pitch_, static_cast<Position>(origin(a_.width, ow_ + o)));
      }
    }
  }

  // The number of a cell along one axis, which counts from the padding's first; of padding, that of the next cell with the same windows.
  int64_t place(const AxisTable& x, int64_t padded) const noexcept {
    int64_t cell = padded - x.pad_before;
    if (cell < 0) cell = (cell % x.dilation + x.dilation) % x.dilation;
    return a_.index_base == IndexBase::window ? (cell + x.pad_before) / x.dilation : cell;
  }
  // What is subtracted from it for a window.
  int64_t origin(const AxisTable& x, int64_t o) const noexcept {
    return a_.index_base == IndexBase::window ? o * x.stride / x.dilation : 0;
  }
  int64_t row_number(int64_t depth, int64_t height) const noexcept {
    const bool in_window = a_.index_base == IndexBase::window;
    return (depth * (in_window ? a_.height.kernel : a_.height.input) + height) * (in_window ? a_.width.kernel : a_.width.input);
  }

  // Calls output(oh, window) for the output rows [oh, oh_end) of one plane of the input, the padded one.
  template <class Output>
  void pool_plane(int64_t depth, int64_t oh, int64_t oh_end, const Output& output) {
    const int64_t count = outputs_ * pitch_, d = depth - a_.depth.pad_before;
    const int64_t place_d = kPositions ? place(a_.depth, depth) : 0;
    const auto number = [&](int64_t h) { return kPositions ? row_number(place_d, place(a_.height, h)) : 0; };
    if (d < 0 || d >= a_.depth.input) {
      for (int64_t h = oh; h < oh_end; ++h) {
        join(Lines::one(empty_), head_, count, number(h * a_.height.stride));
        output(h, Lines::one(head_));
      }
      return;
    }
    const Strides5& s = a_.input_strides;
    const Memory* plane = reinterpret_cast<const Memory*>(a_.input) + n_ * s[dim_n] + c_ * s[dim_c] + d * s[dim_d];
    Line head = head_;
    walk_blocks(
        a_.height, oh, oh_end,
        [&](int64_t y, int64_t slot, bool is_first) {
          const int64_t h = y - a_.height.pad_before;
          const bool inside = h >= 0 && h < a_.height.input;
          const Parts parts = inside ? reduce_row(plane + h * s[dim_h]) : Lines::one(empty_);
          const Line here = slots_.at(slot * z_.out_line);
          if (is_first)
            join(parts, here, count, number(y));
          else
            join_and_add(parts, here, head, head_, count, number(y));
          head = is_first ? here : head_;
        },
        [&](int64_t o, int64_t slot) {
          output(o, slot == a_.height.kernel - 1 ? Lines::one(head) : Lines::two(slots_.at((slot + 1) * z_.out_line), head));
        },
        [&](int64_t first) { make_tails(slots_, a_.height.kernel, first, z_.out_line, count); });
  }

  // Each slot becomes what it and those behind it give together. The first slot of a block is a whole window, which its head gives.
  void make_tails(const Line& slots, int64_t kernel, int64_t first, int64_t size, int64_t count) {
    for (int64_t i = kernel - 2; i >= std::max<int64_t>(first, 1); --i)
      join(Lines::two(slots.at(i * size), slots.at((i + 1) * size)), slots.at(i * size), count);
  }

  void pool_deep(int64_t od, int64_t od_end, int64_t oh, int64_t oh_end) {
    const int64_t count = outputs_ * pitch_, size = z_.rows * z_.out_line;
    Line head = deep_head_;
    exact_ = false;
    walk_blocks(
        a_.depth, od, od_end,
        [&](int64_t y, int64_t slot, bool is_first) {
          const Line here = deep_slots_.at(slot * size);
          pool_plane(y, oh, oh_end, [&](int64_t h, const Parts& window) {
            const int64_t at = (h - oh) * z_.out_line;
            if (is_first)
              join(window, here.at(at), count);
            else
              join_and_add(window, here.at(at), head.at(at), deep_head_.at(at), count);
          });
          head = is_first ? here : deep_head_;
        },
        [&](int64_t o, int64_t slot) {
          for (int64_t h = oh; h < oh_end; ++h) {
            const int64_t at = (h - oh) * z_.out_line;
            const bool is_whole = slot == a_.depth.kernel - 1;
            store_window(o, h, is_whole ? Lines::one(head.at(at)) : Lines::two(deep_slots_.at((slot + 1) * size + at), head.at(at)));
          }
        },
        [&](int64_t first) {
          for (int64_t at = 0; at < (oh_end - oh) * z_.out_line; at += z_.out_line)
            make_tails(deep_slots_.at(at), a_.depth.kernel, first, size, count);
        });
  }

  // The windows of one row of the input, all but the last join.
  Parts reduce_row(const Memory* row) {
    const AxisTable& w = a_.width;
    const int64_t begin = ow_ * w.stride - w.pad_before, step = a_.input_strides[dim_w];
    const int64_t before = std::clamp<int64_t>(-begin, 0, padded_);
    const int64_t cells = std::clamp<int64_t>(w.input - std::max<int64_t>(begin, 0), 0, padded_ - before);
    Lines::fill(policy_.identity(), line_.values, before * pitch_);
    if (cells > 0 && policy_.load(row + (begin + before) * step, a_.height.dilation * a_.input_strides[dim_h], step, cells, pitch_,
                                  line_.values + before * pitch_))
      exact_ = true;
    Lines::fill(policy_.identity(), line_.values + (before + cells) * pitch_, (padded_ - before - cells) * pitch_);
    const Line from = Lines::line(line_.values, columns_);
    Parts parts = exact_ ? Policy::template reduce<Policy::exact>(a_.width, from, line_, second_, padded_, pitch_)
                         : Policy::template reduce<Policy::fast>(a_.width, from, line_, second_, padded_, pitch_);
    if (w.stride == 1) return parts;
    join(parts, second_, ((outputs_ - 1) * w.stride + 1) * pitch_);
    Lines::keep_every(second_, w.stride, outputs_, pitch_);
    return Lines::one(second_);
  }

  void join(const Parts& parts, const Line& to, int64_t count, int64_t base = 0) {
    if (exact_)
      Lines::template join<Policy::exact>(parts, to, count, base);
    else
      Lines::template join<Policy::fast>(parts, to, count, base);
  }
  void join_and_add(const Parts& parts, const Line& to, const Line& before, const Line& head, int64_t count, int64_t base = 0) {
    if (exact_)
      Lines::template join_and_add<Policy::exact>(parts, to, before, head, count, base);
    else
      Lines::template join_and_add<Policy::fast>(parts, to, before, head, count, base);
  }

  void store_window(int64_t od, int64_t oh, const Parts& window) {
    Line line = window.lines[0];
    const RowPosition p{.n = n_, .c = c_, .od = od, .oh = oh};
    if (window.count == 2 && !kPositions && !exact_)
      return policy_.template store<true>(p, ow_, outputs_, pitch_, line.values, window.lines[1].values - line.values);
    if (window.count == 2) {
      join(window, window_, outputs_ * pitch_);
      line = window_;
    }
    policy_.template store<false>(p, ow_, outputs_, pitch_, line.values, 0);
    if constexpr (kPositions) {
      const int64_t start = row_number(origin(a_.depth, od), origin(a_.height, oh));
      policy_.store_indices(p, ow_, outputs_, pitch_, line.positions, origins_, static_cast<Position>(start));
    }
  }

  const KernelArgs& a_;
  const SeparableSizes z_;
  Policy policy_;
  Line next_;            // free scratch
  Line line_, second_;   // a row of the input with padding, and sums of it
  Line slots_, head_;    // of the blocks of rows
  Line window_, empty_;  // a row of outputs, and one of windows without cells
  Line deep_slots_, deep_head_;
  Position* columns_;  // positions along a row of the input
  Position* origins_;  // what is subtracted from the positions of outputs
  int64_t n_ = 0, c_ = 0, pitch_ = 1;
  int64_t ow_ = 0, outputs_ = 0, padded_ = 0;  // of the strip
  bool exact_ = false;
};

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
