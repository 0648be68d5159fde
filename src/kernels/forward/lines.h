// The lines of max and min pooling: how they lie in scratch, and which rows of the input are merged into which of them. See lines-inl.h.
#pragma once

#include "kernels/kernel.h"

namespace tidepool::inline v0_1::detail {

// A line holds the columns under a row of windows, or under a part of a long row, with the padding around them. Its cells are sorted by
// their column modulo the stride, into phases. Where windows lie in a phase, they follow each other cell by cell:
//
//   columns   . a b c d e f      kernel 3, stride 2, padding 1      phase 0   . b d f      taps 0 and 2
//             |---| |---|                                          phase 1   a c e        tap 1
//                 |---|
struct LineShape {
  int64_t stride;   // the number of phases
  int64_t reach;    // from a window's first column to its last
  int64_t outputs;  // the most windows that a line has
  int64_t pitch;    // from one line to the next, in cells of a phase
  int64_t lines;    // the most lines that are pooled together
  int64_t phase;    // from one phase to the next: the same phase of all lines is adjacent

  LineShape(const Axis& width, int64_t window_rows, int64_t cell_bytes) noexcept;
  // Whether windows end before the next ones begin. Lines are then adjacent windows, and pooled as one.
  bool is_joined() const noexcept { return reach < stride; }
  int64_t cells() const noexcept { return stride * phase; }
  // Of a line before it is sorted.
  int64_t line_cells() const noexcept { return stride * pitch; }
};

// How rows and columns of a window are numbered: as taps, or as positions in the plane relative to the window's first tap.
struct TapSteps {
  int64_t depth, height, width;

  static TapSteps of_taps(const KernelArgs& a) noexcept { return {a.height.kernel * a.width.kernel, a.width.kernel, 1}; }
  static TapSteps of_positions(const KernelArgs& a) noexcept {
    return {a.depth.dilation * a.height.input * a.width.input, a.height.dilation * a.width.input, a.width.dilation};
  }
};

// Where the results of a line go, in elements.
struct LineOutput {
  int64_t output;
  int64_t index;
  int64_t plane_start;  // position of the first window's first tap, in the plane or the tensor
};

// For every output row, as many rows of the input as windows have: offsets in elements, and their numbers if `numbers` is not null. Rows
// that padding hides are replaced by the last one inside, which changes no maximum. Moves *p on.
void find_line_rows(const KernelArgs& a, const TapSteps& steps, RowPosition* p, int64_t lines, int64_t* inputs, int64_t* numbers,
                    LineOutput* outputs) noexcept;

// What the line kernels cannot pool, whatever the dtype.
Fit fits_lines(const Problem& p, int64_t cell_bytes);

}  // namespace tidepool::inline v0_1::detail
