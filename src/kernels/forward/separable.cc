// The traversal of the separable kernels.
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
#include "kernels/forward/separable.h"

#include "kernels/forward/separable_rows.h"
#include "kernels/reduce/index_store.h"
#include "kernels/reference/avg_pool_cell.h"

namespace tidepool::inline v0_1::detail {
namespace {

SeparableSizes sizes_of(const SeparableCode& code, const Axis& depth, const Axis& height, const Axis& width, int64_t together) noexcept {
  return SeparableSizes::of(depth, height, width, together, code.bytes * (code.has_positions ? 2 : 1));
}

class Separable {
  using Line = SeparableLine;
  using Parts = SeparableParts;

 public:
  Separable(const SeparableCode& code, const KernelArgs& a, int64_t together, std::byte* scratch) noexcept
      : code_(code),
        a_(a),
        z_(sizes_of(code, *a.depth.axis, *a.height.axis, *a.width.axis, together)),
        next_{scratch, code.has_positions ? scratch + z_.elements * code.bytes : nullptr},
        line_(take(z_.line)),
        second_(take(z_.line)),
        slots_(take(a.height.kernel * z_.out_line)),
        head_(take(z_.out_line)),
        window_(take(z_.out_line)),
        empty_(take(z_.out_line)),
        deep_slots_(a.depth.kernel == 1 ? next_ : take(a.depth.kernel * z_.rows * z_.out_line)),
        deep_head_(a.depth.kernel == 1 ? next_ : take(z_.rows * z_.out_line)),
        columns_(next_.positions),
        origins_(code.has_positions ? columns_ + z_.line * code.bytes : nullptr) {}

  // Rows [row, last) of all depths of some planes: whole depths together.
  void pool_rows(int64_t n, int64_t c, int64_t channels, int64_t row, int64_t last) {
    n_ = n, c_ = c, pitch_ = channels;
    const int64_t rows = a_.height.output;
    while (row < last) {
      const int64_t od = row / rows, oh = row % rows, planes = oh == 0 ? (last - row) / rows : 0;
      const int64_t count = planes > 0 ? planes * rows : std::min(rows - oh, last - row);
      pool_box(od, od + std::max<int64_t>(planes, 1), oh, planes > 0 ? rows : oh + count);
      row += count;
    }
  }

 private:
  Line at(const Line& line, int64_t i) const noexcept {
    return {line.values + i * code_.bytes, code_.has_positions ? line.positions + i * code_.bytes : nullptr};
  }
  Line take(int64_t elements) noexcept {
    const Line taken = next_;
    next_ = at(next_, elements);
    return taken;
  }
  static Parts one(const Line& a) noexcept { return {{a}, 1}; }
  static Parts two(const Line& a, const Line& b) noexcept { return {{a, b}, 2}; }
  void join(const Parts& parts, const Line& to, int64_t count, int64_t base = 0) const {
    code_.join[exact_][parts.join(false)](parts, to, to, to, count, base);
  }
  // Also makes `head` what `before` and that give together, unless the row is a block's first.
  void join_to_head(const Parts& parts, const Line& to, bool is_first, const Line& before, const Line& head, int64_t base) const {
    code_.join[exact_][parts.join(!is_first)](parts, to, before, head, count_, base);
  }

  void pool_box(int64_t od, int64_t od_end, int64_t oh, int64_t oh_end) {
    for (ow_ = 0; ow_ < a_.width.output; ow_ += z_.columns) {
      prepare_strip();
      if (a_.depth.kernel == 1) {
        seen_ = 0, exact_ = false;
        for (int64_t d = od; d < od_end; ++d)
          pool_plane(d * a_.depth.stride, oh, oh_end, [&](int64_t h, const Parts& window) { store_window(d, h, window); });
      } else {
        for (int64_t h = oh; h < oh_end; h += z_.rows) pool_deep(od, od_end, h, std::min(h + z_.rows, oh_end));
      }
    }
  }

  // What all rows of a strip share.
  void prepare_strip() {
    outputs_ = std::min(z_.columns, a_.width.output - ow_), count_ = outputs_ * pitch_;
    padded_ = (outputs_ - 1) * a_.width.stride + (a_.width.kernel - 1) * a_.width.dilation + 1;
    code_.clear(empty_.values, count_);
    if (!code_.has_positions) return;
    for (int64_t x = 0; x < padded_; ++x) fill_number(columns_, x, place(a_.width, ow_ * a_.width.stride + x));
    for (int64_t o = 0; o < outputs_; ++o) {
      fill_number(empty_.positions, o, place(a_.width, (ow_ + o) * a_.width.stride));
      fill_number(origins_, o, origin(a_.width, ow_ + o));
    }
  }
  // For all channels of a column.
  void fill_number(std::byte* numbers, int64_t column, int64_t number) const noexcept {
    if (code_.bytes == 4)
      std::fill_n(reinterpret_cast<uint32_t*>(numbers) + column * pitch_, pitch_, static_cast<uint32_t>(number));
    else
      std::fill_n(reinterpret_cast<uint64_t*>(numbers) + column * pitch_, pitch_, static_cast<uint64_t>(number));
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

  // Calls output(oh, window) for the output rows [oh, oh_end) of one plane of the input, which counts from the padding's first.
  template <class Output>
  void pool_plane(int64_t depth, int64_t oh, int64_t oh_end, const Output& output) {
    const int64_t d = depth - a_.depth.pad_before, place_d = code_.has_positions ? place(a_.depth, depth) : 0;
    const auto number = [&](int64_t h) { return code_.has_positions ? row_number(place_d, place(a_.height, h)) : 0; };
    if (d < 0 || d >= a_.depth.input) {
      for (int64_t h = oh; h < oh_end; ++h) {
        join(one(empty_), head_, count_, number(h * a_.height.stride));
        output(h, one(head_));
      }
      return;
    }
    const Strides5& s = a_.input_strides;
    const std::byte* plane = a_.input + (n_ * s[dim_n] + c_ * s[dim_c] + d * s[dim_d]) * code_.memory_bytes;
    Line head = head_;
    walk_blocks(
        a_.height, oh, oh_end,
        [&](int64_t y, int64_t slot, bool is_first) {
          const int64_t h = y - a_.height.pad_before;
          const bool inside = h >= 0 && h < a_.height.input;
          const Parts parts = inside ? reduce_row(plane + h * s[dim_h] * code_.memory_bytes) : one(empty_);
          const Line here = at(slots_, slot * z_.out_line);
          join_to_head(parts, here, is_first, head, head_, number(y));
          head = is_first ? here : head_;
        },
        [&](int64_t o, int64_t slot) {
          output(o, slot == a_.height.kernel - 1 ? one(head) : two(at(slots_, (slot + 1) * z_.out_line), head));
        },
        [&](int64_t first) { make_tails(slots_, a_.height.kernel, first, z_.out_line); });
  }

  // Each slot becomes what it and those behind it give together. The first slot of a block is a whole window, which its head gives.
  void make_tails(const Line& slots, int64_t kernel, int64_t first, int64_t size) {
    for (int64_t i = kernel - 2; i >= std::max<int64_t>(first, 1); --i)
      join(two(at(slots, i * size), at(slots, (i + 1) * size)), at(slots, i * size), count_);
  }

  void pool_deep(int64_t od, int64_t od_end, int64_t oh, int64_t oh_end) {
    const int64_t size = z_.rows * z_.out_line;
    Line head = deep_head_;
    seen_ = 0, exact_ = false;
    walk_blocks(
        a_.depth, od, od_end,
        [&](int64_t y, int64_t slot, bool is_first) {
          const Line here = at(deep_slots_, slot * size);
          pool_plane(y, oh, oh_end, [&](int64_t h, const Parts& window) {
            const int64_t i = (h - oh) * z_.out_line;
            join_to_head(window, at(here, i), is_first, at(head, i), at(deep_head_, i), 0);
          });
          head = is_first ? here : deep_head_;
        },
        [&](int64_t o, int64_t slot) {
          for (int64_t h = oh; h < oh_end; ++h) {
            const int64_t i = (h - oh) * z_.out_line;
            store_window(o, h, slot == a_.depth.kernel - 1 ? one(at(head, i)) : two(at(deep_slots_, (slot + 1) * size + i), at(head, i)));
          }
        },
        [&](int64_t first) {
          for (int64_t h = oh; h < oh_end; ++h) make_tails(at(deep_slots_, (h - oh) * z_.out_line), a_.depth.kernel, first, size);
        });
  }

  // The windows of one row of the input, all but the last join.
  Parts reduce_row(const std::byte* row) {
    const AxisTable& w = a_.width;
    const int64_t begin = ow_ * w.stride - w.pad_before;
    const int64_t before = std::clamp<int64_t>(-begin, 0, padded_);
    const int64_t cells = std::clamp<int64_t>(w.input - std::max<int64_t>(begin, 0), 0, padded_ - before);
    const int64_t step = a_.input_strides[dim_w] * code_.memory_bytes, ahead = a_.height.dilation * a_.input_strides[dim_h];
    if (before > 0) code_.clear(line_.values, before * pitch_);
    const std::byte* first = row + (begin + before) * step;
    if (pitch_ == 1 && step != code_.memory_bytes) {  // elements that are not adjacent are collected first
      copy_elements(first, step, second_.values, code_.memory_bytes, cells, code_.memory_bytes);
      if (cells > 0) seen_ |= code_.load(a_, second_.values, 0, 1, cells, 0, at(line_, before).values);
    } else if (cells > 0) {
      const Run run(pitch_ * code_.memory_bytes, step, cells, pitch_);
      seen_ |= code_.load(a_, first, step, run.cells, run.count, ahead * code_.memory_bytes, at(line_, before * pitch_).values);
    }
    if (before + cells < padded_) code_.clear(at(line_, (before + cells) * pitch_).values, (padded_ - before - cells) * pitch_);
    exact_ = (seen_ & saw_nan) != 0 || (seen_ & (saw_positive_zero | saw_negative_zero)) == (saw_positive_zero | saw_negative_zero);
    const RowSteps steps{.joins = code_.join[exact_], .bytes = code_.bytes, .padded = padded_, .pitch = pitch_};
    const Line from{line_.values, columns_};
    const Parts parts = code_.is_sum ? add_along_row(steps, w.kernel, line_, second_) : double_along_row(steps, w, from, line_);
    if (w.stride == 1) return parts;
    join(parts, second_, ((outputs_ - 1) * w.stride + 1) * pitch_);
    keep_columns(second_.values, code_.bytes, w.stride, outputs_, pitch_);
    if (code_.has_positions) keep_columns(second_.positions, code_.bytes, w.stride, outputs_, pitch_);
    return one(second_);
  }

  // Cells of some elements; adjacent ones count as one.
  struct Run {
    int64_t cells, count;
    Run(int64_t bytes, int64_t step, int64_t n, int64_t pitch) noexcept
        : cells(step == bytes ? 1 : n), count(step == bytes ? n * pitch : pitch) {}
  };

  void store_window(int64_t od, int64_t oh, const Parts& window) {
    Line line = window.lines[0];
    const bool fused = window.count == 2 && !code_.has_positions && !exact_;
    if (window.count == 2 && !fused) {
      join(window, window_, count_);
      line = window_;
    }
    const RowPosition p{.n = n_, .c = c_, .od = od, .oh = oh};
    const Strides5& s = a_.output_strides;
    std::byte* out = a_.output + p.offset(s) * code_.memory_bytes;
    const Window wd = code_.is_sum ? a_.depth.window(od) : Window{}, wh = code_.is_sum ? a_.height.window(oh) : Window{};
    for (int64_t o = ow_, many = 1; o < ow_ + outputs_; o += many) {
      const Range same = equal_divisors(o);
      many = std::min(same.end, ow_ + outputs_) - o;
      const int64_t divisor = code_.is_sum ? divisor_of(a_, wd, wh, a_.width.window(o)) : 1;
      const int64_t step = s[dim_w] * code_.memory_bytes, ahead = s[dim_h] * code_.memory_bytes;
      const int64_t i = (o - ow_) * pitch_;
      const std::byte *upper = at(line, i).values, *lower = fused ? at(window.lines[1], i).values : nullptr;
      if (pitch_ == 1 && step != code_.memory_bytes) {
        code_.store(a_, upper, lower, divisor, 0, second_.values, 0, 1, many);
        copy_elements(second_.values, code_.memory_bytes, out + o * step, step, many, code_.memory_bytes);
      } else {
        const Run run(pitch_ * code_.memory_bytes, step, many, pitch_);
        code_.store(a_, upper, lower, divisor, ahead, out + o * step, step, run.cells, run.count);
      }
    }
    if (code_.has_positions) store_indices(p, line.positions);
  }

  // The outputs from this one on that are divided by the same number.
  Range equal_divisors(int64_t o) const noexcept {
    if (!code_.is_sum || a_.reduction.divisor == Divisor::full_kernel || a_.reduction.divisor == Divisor::fixed)
      return {o, a_.width.output};
    const Range& inside = a_.width.interior;
    return {o, o >= inside.begin && o < inside.end ? inside.end : o + 1};
  }

  void store_indices(const RowPosition& p, const std::byte* positions) const {
    const Strides5& s = a_.index_strides;
    const int64_t first = p.offset(s) + ow_ * s[dim_w], base = index_origin(a_, p.n, p.c);
    const int64_t start = row_number(origin(a_.depth, p.od), origin(a_.height, p.oh));
    if (pitch_ == 1) return code_.store_indices(a_, positions, origins_, start, outputs_, first, s[dim_w], base, 0);
    const int64_t next = a_.index_base == IndexBase::tensor ? a_.input_plane() : 0;
    if (s[dim_w] == pitch_ && s[dim_c] == 1 && next == 0)
      return code_.store_indices(a_, positions, origins_, start, count_, first, 1, base, 0);
    for (int64_t o = 0; o < outputs_; ++o) {
      const int64_t i = o * pitch_ * code_.bytes;
      code_.store_indices(a_, positions + i, origins_ + i, start, pitch_, first + o * s[dim_w], s[dim_c], base, next);
    }
  }

  const SeparableCode& code_;
  const KernelArgs& a_;
  const SeparableSizes z_;
  Line next_;            // free scratch
  Line line_, second_;   // a row of the input with padding, and what is made of it
  Line slots_, head_;    // of the blocks of rows
  Line window_, empty_;  // a row of outputs, and one of windows without cells
  Line deep_slots_, deep_head_;
  std::byte* columns_;  // positions along a row of the input
  std::byte* origins_;  // what is subtracted from the positions of outputs
  int64_t n_ = 0, c_ = 0, pitch_ = 1;
  int64_t ow_ = 0, outputs_ = 0, count_ = 0, padded_ = 0;  // of the strip
  unsigned seen_ = 0;
  bool exact_ = false;
};

}  // namespace

int64_t separable_scratch(const SeparableCode& code, const Problem& p) noexcept {
  const Geometry& g = p.geometry;
  const SeparableSizes z = sizes_of(code, g.depth(), g.height(), g.width(), separable_channels(p.layout, p.dtype, g.channels()));
  return (code.has_positions ? 2 * z.elements + z.line + z.out_line : z.elements) * code.bytes;
}

void run_separable(const SeparableCode& code, const KernelArgs& a, const Tile& tile) noexcept {
  const int64_t rows = a.depth.output * a.height.output, together = separable_channels(a.layout, a.dtype, a.channels);
  const int64_t groups = (a.channels + together - 1) / together;
  Separable separable(code, a, together, tile.scratch);
  for (int64_t u = tile.begin; u < tile.end;) {
    const int64_t plane = u / rows, row = u % rows, last = std::min(rows, row + tile.end - u), c = plane % groups * together;
    separable.pool_rows(plane / groups, c, std::min(together, a.channels - c), row, last);
    u += last - row;
  }
}

}  // namespace tidepool::inline v0_1::detail
