// Small planes drawn as text, with cells picked out by colour or by brackets.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::cli {

enum class Mark {
  none,
  window,   // [n], or reversed colours
  dropped,  // (n), or faint
  unknown,  // a dot in the cell's place
};

using Marks = std::function<Mark(int64_t row, int64_t column)>;

// Lines of equal visible width.
struct Block {
  std::vector<std::string> lines;
  int width = 0;
};

// `plane` is H, W. Numbers are right-aligned, with `decimals` digits behind the point.
Block draw_grid(const TensorArg& plane, const Marks& marks, bool colour, int decimals = 0);
Block draw_grid(const TensorArg& plane, int decimals = 0);
// The same for cells that are texts already, in rows of equal length.
Block draw_cells(const std::vector<std::vector<std::string>>& rows, const Marks& marks, bool colour);
// Left-aligned text; no line wider than the block.
Block draw_text(const std::vector<std::string>& lines);

// Blocks side by side, `gap` columns apart, each line behind an indent of two.
void print_beside(std::ostream& out, const std::vector<Block>& blocks, int gap = 3);

}  // namespace tidepool::cli
