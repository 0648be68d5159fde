#include "show_text.h"

#include <algorithm>
#include <ostream>

#include "console_width.h"
#include "grid.h"
#include "show_words.h"
#include "words.h"

namespace tidepool::cli {

namespace {

constexpr size_t most_drawn_lines = 40;  // of windows that are drawn one by one
constexpr size_t most_listed = 16;       // windows in a list

using Texts = std::vector<std::vector<std::string>>;
// The marks of a slice by the number of the cell in the whole array.
using CellMarks = std::function<Mark(int64_t cell)>;

Block titled(const std::string& title, const Block& grid) {
  Block block = grid;
  block.width = std::max(grid.width, static_cast<int>(title.size()));
  for (std::string& line : block.lines) line.append(static_cast<size_t>(block.width - grid.width), ' ');
  block.lines.insert(block.lines.begin(), title + std::string(static_cast<size_t>(block.width) - title.size(), ' '));
  return block;
}

// Every slice of an array as a block, or as several if its rows are wider than the text may be.
std::vector<Block> blocks_of(const std::string& title, const Tensor& array, const CellMarks& marks, const ShowTextOptions& options) {
  std::vector<Block> blocks;
  for (int64_t slice = 0; slice < slices_of(array); ++slice) {
    const Texts rows = slice_texts(array, slice);
    size_t digits = 1;
    for (const auto& row : rows)
      for (const std::string& cell : row) digits = std::max(digits, cell.size());
    const auto columns = static_cast<int64_t>(rows[0].size()), first = slice * static_cast<int64_t>(rows.size()) * columns;
    const int64_t fit = std::max<int64_t>(1, (options.width - 2) / static_cast<int64_t>(digits + 2));
    for (int64_t from = 0; from < columns; from += fit) {
      Texts part;
      for (const auto& row : rows) part.emplace_back(row.begin() + from, row.begin() + std::min(columns, from + fit));
      const auto mark = [&](int64_t r, int64_t c) { return marks(first + r * columns + from + c); };
      std::string name = title;
      if (array.rank() == 3) name += " " + std::to_string(slice);
      if (columns > fit) name += ", from column " + std::to_string(from);
      const auto room = static_cast<size_t>(options.width - 2);
      blocks.push_back(titled(name.size() > room ? name.substr(0, room) : name, draw_cells(part, mark, options.colour)));
    }
  }
  return blocks;
}

// As many blocks beside each other as fit.
void print_folded(std::ostream& out, const std::vector<Block>& blocks, int width) {
  constexpr int gap = 3;
  std::vector<Block> line;
  int filled = 2;
  for (const Block& block : blocks) {
    if (!line.empty() && filled + gap + block.width > width) {
      print_beside(out, line, gap);
      out << "\n";
      line.clear();
      filled = 2;
    }
    filled += block.width + (line.empty() ? 0 : gap);
    line.push_back(block);
  }
  print_beside(out, line, gap);
}

Mark no_mark(int64_t) { return Mark::none; }

bool has_winners(const Shown& shown) { return shown.indices.defined(); }

CellMarks input_marks(const Shown& shown, const std::vector<bool>& read) {
  std::vector<bool> wins(read.size());
  for (const ShownWindow& window : shown.windows)
    if (window.winner >= 0) wins[static_cast<size_t>(window.winner)] = true;
  return [read, wins](int64_t cell) {
    const auto at = static_cast<size_t>(cell);
    return !read[at] ? Mark::dropped : wins[at] ? Mark::window : Mark::none;
  };
}

std::string place(const Dims& output) {
  std::string text;
  for (const int64_t at : output) join(text, std::to_string(at), ",");
  return text;
}

// The input with the window picked out, beside the computation and the output so far.
void print_drawn(const Shown& shown, const ShowTextOptions& options, std::ostream& out) {
  for (size_t number = 0; number < shown.windows.size(); ++number) {
    const ShownWindow& window = shown.windows[number];
    const auto in_window = [&](int64_t cell) {
      return std::ranges::find(window.cells, cell) != window.cells.end() ? Mark::window : Mark::none;
    };
    const auto so_far = [&](int64_t cell) {
      return cell > static_cast<int64_t>(number) ? Mark::unknown : cell == static_cast<int64_t>(number) ? Mark::window : Mark::none;
    };
    std::vector<Block> blocks = blocks_of("", shown.input, in_window, options);
    for (Block& block : blocks) block.lines.erase(block.lines.begin());
    for (Block& block : blocks_of("", shown.output, so_far, options)) {
      block.lines.erase(block.lines.begin());
      blocks.push_back(block);
    }
    if (number > 0) out << "\n";
    out << wrapped("  out " + place(window.output) + "  ", computation(shown, window) + remark(shown, window), options.width);
    print_folded(out, blocks, options.width);
  }
}

void print_list(const Shown& shown, const ShowTextOptions& options, std::ostream& out) {
  const size_t count = shown.windows.size(), kept = most_listed / 2;
  size_t widest = 0;
  for (const ShownWindow& window : shown.windows) widest = std::max(widest, place(window.output).size());
  for (size_t i = 0; i < count; ++i) {
    if (!options.all && count > most_listed && i == kept) {
      out << wrapped("  ", "... " + std::to_string(count - 2 * kept) + " more windows, --all shows them ...", options.width);
      i = count - kept;
    }
    const ShownWindow& window = shown.windows[i];
    const std::string output = place(window.output);
    out << wrapped("  out " + output + std::string(widest - output.size() + 2, ' '), computation(shown, window) + remark(shown, window),
                   options.width);
  }
}

void print_windows(const Shown& shown, const ShowTextOptions& options, std::ostream& out) {
  out << "\nwindows\n";
  const auto lines = static_cast<size_t>(shown.input.rank() == 1 ? 1 : shown.input.size(-2)) + 2;
  if (shown.input.rank() < 3 && lines * shown.windows.size() <= most_drawn_lines)
    print_drawn(shown, options, out);
  else
    print_list(shown, options, out);
}

void print_gradient(const Shown& shown, const std::vector<bool>& read, const ShowTextOptions& options, std::ostream& out) {
  bool is_ones = true;
  const Tensor given = shown.output_gradient.reshape({-1});
  for (int64_t i = 0; i < given.numel(); ++i) is_ones = is_ones && given.item({i}) == 1;
  out << "\n" << wrapped("", is_ones ? "gradient of the sum of all outputs" : "gradient", options.width);
  std::vector<Block> blocks = blocks_of("of the output", shown.output_gradient, no_mark, options);
  const Tensor flat = shown.gradient.reshape({-1});
  const auto marks = [&](int64_t cell) {
    if (!read[static_cast<size_t>(cell)]) return Mark::dropped;
    return has_winners(shown) && flat.item({cell}) != 0 ? Mark::window : Mark::none;
  };
  for (Block& block : blocks_of("of the input", shown.gradient, marks, options)) blocks.push_back(std::move(block));
  print_folded(out, blocks, options.width);
}

std::string legend(const Shown& shown, const std::vector<bool>& read) {
  std::string text;
  if (has_winners(shown)) text = "[ ] is the cell that an output comes from";
  if (std::ranges::find(read, false) != read.end()) join(text, "( ) is a cell that no window reads", ", ");
  return text;
}

}  // namespace

void print_show(const Shown& shown, const ShowTextOptions& options, std::ostream& out) {
  const std::vector<bool> read = read_cells(shown);
  out << wrapped("", to_string(shown.layer.layer()) + ": " + to_string(shown.input.shape()) + " -> " + to_string(shown.output.shape()),
                 options.width)
      << "\n";
  std::vector<Block> blocks = blocks_of("input", shown.input, input_marks(shown, read), options);
  for (Block& block : blocks_of("output", shown.output, no_mark, options)) blocks.push_back(std::move(block));
  if (has_winners(shown))
    for (Block& block : blocks_of("indices", shown.indices, no_mark, options)) blocks.push_back(std::move(block));
  print_folded(out, blocks, options.width);
  if (const std::string signs = legend(shown, read); !signs.empty()) out << wrapped("  ", signs, options.width);
  print_windows(shown, options, out);
  print_gradient(shown, read, options, out);
}

}  // namespace tidepool::cli
