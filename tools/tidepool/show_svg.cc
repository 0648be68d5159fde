#include "show_svg.h"

#include <algorithm>

#include "show_words.h"
#include "svg_page.h"

namespace tidepool::cli {

namespace {

constexpr double left = 20, top = 72, gap = 48, row = 32;
constexpr double most_overlap = 2.5;  // windows over each cell; outlines of more could not be told apart

class Drawing {
 public:
  explicit Drawing(const Shown& shown) : shown_(shown), read_(read_cells(shown)) {}

  std::string draw() {
    const std::string title =
        to_string(shown_.layer.layer()) + ": " + to_string(shown_.input.shape()) + " → " + to_string(shown_.output.shape());
    page_.text(left, 28, "b l", title);
    std::vector<bool> wins(read_.size());
    for (const ShownWindow& window : shown_.windows)
      if (window.winner >= 0) wins[static_cast<size_t>(window.winner)] = true;
    const auto cell_class = [&](int64_t cell) {
      const auto at = static_cast<size_t>(cell);
      return !read_[at] ? "lost" : wins[at] ? "won" : "cell";
    };
    double x = left;
    const double input = x;
    const double input_cell = grid(x, "input", shown_.input, cell_class);
    x += gap;
    const double output = x;
    const double output_cell = grid(x, "output", shown_.output, [](int64_t) { return "cell"; });
    x += gap;
    grid(x, "gradient", shown_.gradient, cell_class);
    if (overlap() <= most_overlap) outline(input, input_cell, output, output_cell);
    page_.reach(std::max(x, left + 8 * static_cast<double>(title.size())) + left, page_.height() + left);
    return page_.finish(title, description());
  }

 private:
  // Draws the array, moves x behind it, and returns the width of its cells.
  template <class Class>
  double grid(double& x, const std::string& name, const Tensor& array, const Class& cell_class) {
    page_.text(x, top - 12, "s l", name);
    size_t digits = 1;
    for (int64_t slice = 0; slice < slices_of(array); ++slice)
      for (const auto& texts : slice_texts(array, slice))
        for (const std::string& text : texts) digits = std::max(digits, text.size());
    const double cell = std::max(row, 14 + 8 * static_cast<double>(digits));
    int64_t number = 0;
    for (int64_t slice = 0; slice < slices_of(array); ++slice)
      for (const auto& texts : slice_texts(array, slice)) {
        for (size_t c = 0; c < texts.size(); ++c) {
          const double cx = x + static_cast<double>(c) * cell, cy = y_of(array, number);
          page_.rect(cx, cy, cell, row, cell_class(number));
          page_.text(cx + cell / 2, cy + 21, "", texts[c]);
          ++number;
        }
      }
    x += cell * static_cast<double>(array.size(-1));
    return cell;
  }

  // Rows follow each other, with room between slices.
  static double y_of(const Tensor& array, int64_t number) {
    const int64_t line = number / array.size(-1), rows = array.rank() == 1 ? 1 : array.size(-2), slice = line / rows;
    return top + static_cast<double>(line) * row + static_cast<double>(slice) * row / 2;
  }

  // The same colour around a window and around its output. Neighbours overlap, so each is drawn a little smaller than the last.
  void outline(double input, double input_cell, double output, double output_cell) {
    for (size_t number = 0; number < shown_.windows.size(); ++number) {
      const ShownWindow& window = shown_.windows[number];
      const std::string colour = "w" + std::to_string(number % svg_colours);
      const double inset = 2 + 1.5 * static_cast<double>(number % 3);
      const auto o = static_cast<int64_t>(number);
      page_.rect(output + static_cast<double>(o % shown_.output.size(-1)) * output_cell + 2, y_of(shown_.output, o) + 2, output_cell - 4,
                 row - 4, colour);
      // One rectangle for each slice that the window reads.
      const int64_t plane = shown_.input.numel() / slices_of(shown_.input), columns = shown_.input.size(-1);
      for (auto from = window.cells.begin(); from != window.cells.end();) {
        const auto to = std::ranges::find_if(from, window.cells.end(), [&](int64_t cell) { return cell / plane != *from / plane; });
        const double x = input + static_cast<double>(*from % columns) * input_cell, y = y_of(shown_.input, *from);
        const double right = input + static_cast<double>(*(to - 1) % columns + 1) * input_cell,
                     bottom = y_of(shown_.input, *(to - 1)) + row;
        page_.rect(x + inset, y + inset, right - x - 2 * inset, bottom - y - 2 * inset, colour);
        from = to;
      }
    }
  }

  double overlap() const {
    size_t cells = 0;
    for (const ShownWindow& window : shown_.windows) cells += window.cells.size();
    return static_cast<double>(cells) / static_cast<double>(shown_.input.numel());
  }

  std::string description() const {
    std::string text;
    constexpr size_t most_described = 16;
    for (size_t i = 0; i < std::min(most_described, shown_.windows.size()); ++i) text += computation(shown_, shown_.windows[i]) + ". ";
    return text;
  }

  const Shown& shown_;
  std::vector<bool> read_;
  SvgPage page_;
};

}  // namespace

std::string show_svg(const Shown& shown) { return Drawing(shown).draw(); }

}  // namespace tidepool::cli
