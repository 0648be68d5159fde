// Which windows of a layer are drawn, and which stretches of the axis fit beside each other.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "one_layer.h"
#include "tidepool/analyze/windows.h"

namespace tidepool::cli {

struct WindowRow {
  int64_t output = 0;
  analyze::WindowTaps taps;
};

// Windows of successive outputs, drawn over the same cells.
struct WindowPanel {
  int64_t skipped = 0;  // outputs between the panel before and this one that are not shown
  std::vector<WindowRow> rows;
  int64_t low = 1, high = 0;  // the first and the last position; low > high if the windows read nothing
  bool is_list = false;       // a single window that is too wide to be drawn
};

struct PanelOptions {
  std::function<bool(int64_t low, int64_t high)> fits;  // whether these positions fit beside each other
  int64_t most_outputs = 12;                            // more are shortened
  int64_t kept_at_ends = 4;                             // to this many at both ends
  std::optional<int64_t> only;                          // this output alone
};

std::vector<WindowPanel> window_panels(const OneLayer& layer, const analyze::WindowAxis& axis, const PanelOptions& options);

// Whether no output reads this cell. `axis.unread` may not know all.
bool is_unread(const analyze::WindowAxis& axis, int64_t cell);

}  // namespace tidepool::cli
