#include "why_svg.h"

#include <algorithm>

#include "svg_page.h"
#include "window_panels.h"

namespace tidepool::cli {

namespace {

using analyze::WindowAxis;

constexpr double left = 20, labels = 84, row = 30;

class Drawing {
 public:
  Drawing(const OneLayer& layer, const WhyOptions& options) : layer_(layer), options_(options) {}

  std::string draw(const std::vector<WindowAxis>& axes) {
    const std::string title = to_string(layer_.layer()) + ": " + to_string(layer_.input()) + " → " + to_string(layer_.output());
    page_.text(left, 28, "b l", title);
    y_ = 44;
    std::string description;
    for (const auto& group : alike(axes, options_)) {
      draw_axes(group);
      description += title_of(group) + ". ";
      for (const analyze::Unread& unread : group[0].unread)
        description += "Not read: " + to_string(unread.cells, 8) + ", because " + unread.reason + ". ";
    }
    // About 7 pixels a letter.
    page_.reach(left + 7.5 * static_cast<double>(widest_) + 20, y_ + 8);
    page_.reach(left + 8 * static_cast<double>(title.size()), y_ + 8);
    page_.reach(page_.width() + 20, y_ + 8);
    return page_.finish(title, description);
  }

 private:
  void line(const std::string& classes, const std::string& text) {
    y_ += 20;
    page_.text(left, y_, classes, text);
    widest_ = std::max(widest_, text.size());
  }

  void draw_axes(const std::vector<WindowAxis>& group) {
    const WindowAxis& axis = group[0];
    line("b l", title_of(group));
    const std::string windows = windows_text(axis);
    if (!windows.empty()) line("s l", windows);
    if (axis.kind == WindowAxis::Kind::fractional) return line("s l", "windows begin at random places");
    constexpr int64_t most_cells = 24;
    PanelOptions shape{.fits = [](int64_t low, int64_t high) { return high - low < most_cells; }, .only = chosen_output(axis, options_)};
    if (options_.all) shape.most_outputs = INT64_MAX;
    const double cell = std::max(row, 12 + 8 * static_cast<double>(std::to_string(axis.input - 1).size()));
    for (const WindowPanel& panel : window_panels(layer_, axis, shape)) {
      if (panel.skipped > 0) line("z l", "… " + std::to_string(panel.skipped) + " more outputs …");
      panel.is_list ? draw_list(panel) : draw_panel(axis, panel, cell);
    }
    if (!options_.output) {
      line("s l", "size " + axis.size);
      for (const analyze::Unread& unread : axis.unread) line("s l", "not read: " + to_string(unread.cells, 8) + ": " + unread.reason);
    }
    y_ += 12;
  }

  void draw_list(const WindowPanel& panel) {
    for (const WindowRow& r : panel.rows)
      line("l",
           "output " + std::to_string(r.output) + " reads " + std::to_string(r.taps.count) + " cells from " + std::to_string(r.taps.begin));
  }

  void draw_panel(const WindowAxis& axis, const WindowPanel& panel, double cell) {
    y_ += 12;
    const auto x = [&](int64_t at) { return left + labels + static_cast<double>(at - panel.low) * cell; };
    for (int64_t at = panel.low; at <= panel.high; ++at) {
      const bool inside = at >= 0 && at < axis.input;
      page_.rect(x(at), y_, cell, row, !inside ? "pad" : is_unread(axis, at) ? "lost" : "cell");
      if (inside) page_.text(x(at) + cell / 2, y_ + 20, is_unread(axis, at) ? "z" : "", std::to_string(at));
    }
    y_ += row + 8;
    for (const WindowRow& r : panel.rows) {
      page_.text(left + labels - 8, y_ + 15, "s e", "output " + std::to_string(r.output));
      if (r.taps.taps == 0) page_.text(left + labels, y_ + 15, "s l", "reads no cell");
      for (int64_t tap = 0; tap < r.taps.taps; ++tap) {
        const int64_t at = r.taps.first + tap * r.taps.step;
        const bool inside = at >= 0 && at < axis.input;
        page_.rect(x(at) + 3, y_ + 2, cell - 6, 16, inside ? "won" : "pad");
      }
      if (r.taps.taps > 0)
        page_.rect(x(r.taps.first) + 1, y_, static_cast<double>(r.taps.last() - r.taps.first + 1) * cell - 2, 20,
                   "w" + std::to_string(r.output % svg_colours));
      y_ += 26;
    }
  }

  const OneLayer& layer_;
  const WhyOptions& options_;
  SvgPage page_;
  double y_ = 0;
  size_t widest_ = 0;
};

}  // namespace

std::string why_svg(const OneLayer& layer, const std::vector<WindowAxis>& axes, const WhyOptions& options) {
  return Drawing(layer, options).draw(axes);
}

}  // namespace tidepool::cli
