// What the traversal of the separable kernels is made of: the order of rows, and windows along a row by windows of smaller sizes.
#pragma once

#include <numeric>

#include "kernels/forward/separable.h"

namespace tidepool::inline v0_1::detail {

struct RowSteps {
  const SeparableCode::Joins& joins;
  int64_t bytes;   // of an element
  int64_t padded;  // columns
  int64_t pitch;   // elements from one column to the next

  SeparableLine at(const SeparableLine& line, int64_t columns) const noexcept {
    const int64_t offset = columns * pitch * bytes;
    return {line.values + offset, line.positions == nullptr ? nullptr : line.positions + offset};
  }
  SeparableParts four(const SeparableLine& from, int64_t b, int64_t c, int64_t d) const noexcept {
    return {{from, at(from, b), at(from, c), at(from, d)}, 4};
  }
  // Joins all columns that have `covered` columns.
  void operator()(const SeparableParts& parts, const SeparableLine& to, int64_t covered) const {
    joins[parts.join(false)](parts, to, to, to, (padded - covered + 1) * pitch, 0);
  }
};

// The best of w cells from every position gives the best of 4w in three steps, until a last overlapping step reaches the kernel's size.
// Overlap is harmless, see extremum-inl.h. All but the last join.
//
//   w = 1   a b c d e f g h          kernel 6: best of 4, then that and its neighbour two to the right
//   w = 4   |-------|                |-------|
//                                        |-------|
inline SeparableParts double_along_row(const RowSteps& steps, const AxisTable& w, SeparableLine from, const SeparableLine& line) {
  const int64_t d = w.dilation;
  int64_t width = 1;
  for (; 4 * width < w.kernel; width *= 4) {
    steps(steps.four(from, width * d, 2 * width * d, 3 * width * d), line, (4 * width - 1) * d + 1);
    from = line;
  }
  const int64_t rest = w.kernel - width;
  if (rest == 0) return {{from}, 1};
  if (rest <= width) return {{from, steps.at(from, rest * d)}, 2};
  return steps.four(from, width * d, (rest - width) * d, rest * d);
}

// Sums of 2, 4, 8, … neighbours are built from each other, and a window is put together from those that its size has bits for. Uses up
// `line`.
//
//   x        a   b   c   d   e          kernel 3 = 1 + 2
//   1        a   b   c   d   e          window 0:  a + (b + c)
//   2        ab  bc  cd  de             window 1:  b + (c + d)
inline SeparableParts add_along_row(const RowSteps& steps, int64_t kernel, const SeparableLine& line, const SeparableLine& sums) {
  int64_t covered = 0;
  for (int64_t width = 1;; width *= 2) {
    // Two steps at once where no part is taken in between: the sums are the same.
    if ((kernel & (3 * width)) == 0 && 4 * width <= kernel) {
      const SeparableParts four = steps.four(line, width, 2 * width, 3 * width);
      if (4 * width == kernel) return four;
      steps(four, line, 4 * width);
      width *= 2;
      continue;
    }
    if ((kernel & width) != 0) {
      const SeparableLine part = steps.at(line, covered);
      const SeparableParts parts = covered == 0 ? SeparableParts{{part}, 1} : SeparableParts{{sums, part}, 2};
      covered += width;
      if (covered == kernel) return parts;
      steps(parts, sums, kernel);
    }
    const SeparableParts two{{line, steps.at(line, width)}, 2};
    if (2 * width == kernel) return two;
    steps(two, line, 2 * width);
  }
}

// Calls f with a value of the unsigned type of so many bytes.
template <class F>
void with_bytes(int64_t bytes, const F& f) {
  switch (bytes) {
    case 1:
      return f(uint8_t{});
    case 2:
      return f(uint16_t{});
    case 4:
      return f(uint32_t{});
    default:
      return f(uint64_t{});
  }
}

// Moves every `stride`-th column to the front.
inline void keep_columns(std::byte* line, int64_t bytes, int64_t stride, int64_t columns, int64_t pitch) {
  with_bytes(bytes, [&]<class E>(E) {
    E* elements = reinterpret_cast<E*>(line);
    for (int64_t o = 0; o < columns; ++o)
      for (int64_t c = 0; c < pitch; ++c) elements[o * pitch + c] = elements[o * stride * pitch + c];
  });
}

// Steps are in bytes.
inline void copy_elements(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step, int64_t count, int64_t bytes) {
  with_bytes(bytes, [&]<class E>(E) {
    for (int64_t i = 0; i < count; ++i) *reinterpret_cast<E*>(to + i * to_step) = *reinterpret_cast<const E*>(from + i * from_step);
  });
}

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

}  // namespace tidepool::inline v0_1::detail
