#include "grid.h"

#include <algorithm>
#include <ostream>

#include "reference/compare.h"
#include "timing.h"

namespace tidepool::cli {

namespace {

std::string decorate(const std::string& padded, Mark mark, bool colour) {
  switch (mark) {
    case Mark::window:
      return colour ? "\033[30;46m " + padded + " \033[0m" : "[" + padded + "]";
    case Mark::dropped:
      return colour ? "\033[2;31m " + padded + " \033[0m" : "(" + padded + ")";
    default:
      return " " + padded + " ";
  }
}

}  // namespace

Block draw_cells(const std::vector<std::vector<std::string>>& rows, const Marks& marks, bool colour) {
  size_t width = 1, columns = 0;
  for (const auto& row : rows) {
    columns = row.size();
    for (const std::string& cell : row) width = std::max(width, cell.size());
  }
  Block block;
  block.width = static_cast<int>(columns * (width + 2));
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (size_t c = 0; c < columns; ++c) {
      const std::string& cell = rows[r][c];
      line += decorate(std::string(width - cell.size(), ' ') + cell, marks(static_cast<int64_t>(r), static_cast<int64_t>(c)), colour);
    }
    block.lines.push_back(std::move(line));
  }
  return block;
}

Block draw_grid(const TensorArg& plane_arg, const Marks& marks, bool colour, int decimals) {
  const TensorView& plane = plane_arg.view();
  std::vector<std::vector<std::string>> rows(static_cast<size_t>(plane.size(0)));
  for (int64_t r = 0; r < plane.size(0); ++r)
    for (int64_t c = 0; c < plane.size(1); ++c)
      rows[static_cast<size_t>(r)].push_back(marks(r, c) == Mark::unknown ? "."
                                                                          : show_fixed(reference::cell_value(plane, {r, c}), decimals));
  return draw_cells(rows, marks, colour);
}

Block draw_grid(const TensorArg& plane_arg, int decimals) {
  const TensorView& plane = plane_arg.view();
  return draw_grid(plane, [](int64_t, int64_t) { return Mark::none; }, false, decimals);
}

Block draw_text(const std::vector<std::string>& lines) {
  Block block{lines, 0};
  for (const std::string& line : lines) block.width = std::max(block.width, static_cast<int>(line.size()));
  for (std::string& line : block.lines) line.resize(static_cast<size_t>(block.width), ' ');
  return block;
}

void print_beside(std::ostream& out, const std::vector<Block>& blocks, int gap) {
  size_t height = 0;
  for (const Block& block : blocks) height = std::max(height, block.lines.size());
  for (size_t y = 0; y < height; ++y) {
    std::string line = "  ";
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (i > 0) line.append(static_cast<size_t>(gap), ' ');
      line += y < blocks[i].lines.size() ? blocks[i].lines[y] : std::string(static_cast<size_t>(blocks[i].width), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << "\n";
  }
}

}  // namespace tidepool::cli
