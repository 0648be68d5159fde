// The drawing of a layer's windows along one axis: the cells in one line, and below them the window of every output.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "why_text.h"
#include "window_panels.h"

namespace tidepool::cli {

class PanelText {
 public:
  PanelText(const OneLayer& layer, const analyze::WindowAxis& axis, const WhyOptions& options);

  void print(std::ostream& out) const;
  // What the signs of the drawing mean that are not numbers: "p is padding, - lies behind it".
  std::string legend() const;

 private:
  bool notes_differ() const;
  std::string label(const std::string& text) const;
  std::string label(int64_t output) const;
  std::string note(const analyze::WindowTaps& taps) const;
  size_t digits(int64_t low, int64_t high) const;
  std::string position_text(int64_t at) const;
  std::string window(const analyze::WindowTaps& taps, size_t width) const;
  void print_rows(const WindowPanel& panel, std::ostream& out) const;
  void print_list(const WindowPanel& panel, std::ostream& out) const;

  const OneLayer& layer_;
  const analyze::WindowAxis& axis_;
  const WhyOptions& options_;
  size_t label_;
  std::vector<WindowPanel> panels_;
  bool has_notes_ = false;  // behind the rows: divisors or coordinates
};

}  // namespace tidepool::cli
