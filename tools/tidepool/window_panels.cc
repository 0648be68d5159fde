#include "window_panels.h"

#include <algorithm>

namespace tidepool::cli {

namespace {

using analyze::WindowAxis;

// A padding of thousands of cells is not shown, unless windows reach into it.
constexpr int64_t shown_padding = 3;

// A stretch of the axis; empty if `low` is larger than `high`.
struct Stretch {
  int64_t low = 1, high = 0;

  Stretch with(const analyze::WindowTaps& taps) const {
    if (taps.taps == 0) return *this;
    if (is_empty()) return {taps.first, taps.last()};
    return {std::min(low, taps.first), std::max(high, taps.last())};
  }
  bool is_empty() const { return low > high; }
};

class Panels {
 public:
  Panels(const OneLayer& layer, const WindowAxis& axis, const PanelOptions& options) : layer_(layer), axis_(axis), options_(options) {}

  std::vector<WindowPanel> take() { return std::move(panels_); }

  void add(int64_t output) {
    const WindowRow row{output, analyze::window_taps(layer_.network, OneLayer::node, axis_.dim, output)};
    const bool follows = !panels_.empty() && !panels_.back().is_list && panels_.back().rows.back().output + 1 == output;
    Stretch stretch;
    if (follows) stretch = Stretch{panels_.back().low, panels_.back().high}.with(row.taps);
    if (!follows || !fits(stretch)) {
      begin(output);
      stretch = Stretch().with(row.taps);
    }
    WindowPanel& panel = panels_.back();
    panel.rows.push_back(row);
    panel.low = stretch.low;
    panel.high = stretch.high;
    panel.is_list = !fits(stretch);
  }

  // Shows the cells that windows leave out next to those that they read, if there is room.
  void reach_further() {
    for (size_t i = 0; i < panels_.size(); ++i) {
      WindowPanel& panel = panels_[i];
      if (panel.is_list) continue;
      if (panel.low > panel.high) panel.low = panel.high = 0;            // nothing is read at all
      const bool has_padding = axis_.kind == WindowAxis::Kind::regular;  // that of other layers is not beside the input
      const int64_t before = has_padding ? std::min(axis_.padding.before, shown_padding) : 0;
      const int64_t after = has_padding ? std::min(axis_.padding.after, shown_padding) : 0;
      if (panel.rows.front().output == 0) reach(panel, -before, 0);
      if (panel.rows.back().output + 1 == axis_.output) reach(panel, panel.low, axis_.input - 1 + after);
      if (i + 1 < panels_.size() && panels_[i + 1].skipped == 0) reach(panel, panel.low, panels_[i + 1].low - 1);
    }
  }

 private:
  bool fits(const Stretch& stretch) const { return stretch.is_empty() || options_.fits(stretch.low, stretch.high); }

  void begin(int64_t output) {
    const int64_t shown = panels_.empty() ? 0 : panels_.back().rows.back().output + 1;
    panels_.push_back({.skipped = options_.only ? 0 : output - shown, .rows = {}});
  }

  void reach(WindowPanel& panel, int64_t low, int64_t high) const {
    low = std::min(low, panel.low);
    high = std::max(high, panel.high);
    if (options_.fits(low, high)) panel.low = low, panel.high = high;
  }

  const OneLayer& layer_;
  const WindowAxis& axis_;
  const PanelOptions& options_;
  std::vector<WindowPanel> panels_;
};

}  // namespace

std::vector<WindowPanel> window_panels(const OneLayer& layer, const WindowAxis& axis, const PanelOptions& options) {
  Panels panels(layer, axis, options);
  if (options.only) {
    panels.add(*options.only);
  } else {
    const bool shortened = axis.output > options.most_outputs;
    for (int64_t o = 0; o < axis.output; ++o) {
      if (shortened && o == options.kept_at_ends) o = axis.output - options.kept_at_ends;
      panels.add(o);
    }
  }
  panels.reach_further();
  return panels.take();
}

bool is_unread(const WindowAxis& axis, int64_t cell) {
  return std::ranges::any_of(axis.unread, [&](const analyze::Unread& unread) { return unread.cells.contains(cell); });
}

}  // namespace tidepool::cli
