// The text of `tidepool why`: the windows of a layer along its axes, and what they leave out.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "one_layer.h"
#include "tidepool/analyze/windows.h"

namespace tidepool::cli {

struct WhyOptions {
  int width = 80;
  bool colour = false;
  bool all = false;
  std::optional<std::vector<int64_t>> output;  // one position per spatial dim: only this cell
};

// `axes` are those to show.
void print_why(const OneLayer& layer, const std::vector<analyze::WindowAxis>& axes, const WhyOptions& options, std::ostream& out);

// "kernel 3, stride 2, padding 1:1".
std::string windows_text(const analyze::WindowAxis& axis);
// The position of the chosen cell along the axis, if one is chosen.
std::optional<int64_t> chosen_output(const analyze::WindowAxis& axis, const WhyOptions& options);
// Whether the layer is an average.
bool divides(const OneLayer& layer);
// What an average along this axis is divided by: "3", or "3 or 2" with and without the padding.
std::string divisor_text(const analyze::WindowTaps& taps);
// Axes whose windows, sizes and chosen outputs are the same, in groups.
std::vector<std::vector<analyze::WindowAxis>> alike(const std::vector<analyze::WindowAxis>& axes, const WhyOptions& options);
// "axes h and w: 7 cells to 3".
std::string title_of(const std::vector<analyze::WindowAxis>& group);

}  // namespace tidepool::cli
