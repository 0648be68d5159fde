// Small drawings in SVG, with colours for light and dark pages. Coordinates are pixels.
#pragma once

#include <string>
#include <string_view>

namespace tidepool::cli {

// Classes of the style: .b bold, .s small and grey, .z faint, .l and .e text that begins or ends at x; .cell, .pad, .lost, .won and .w0 to
// .w5 are rectangles: cells, padding, cells that nothing reads, chosen cells, outlines of windows.
class SvgPage {
 public:
  void text(double x, double y, std::string_view classes, std::string_view text);
  void rect(double x, double y, double width, double height, std::string_view classes);
  // Makes the drawing at least this large.
  void reach(double x, double y);

  double width() const noexcept { return width_; }
  double height() const noexcept { return height_; }

  // The whole file. `description` is what a screen reader says.
  std::string finish(std::string_view title, std::string_view description) const;

 private:
  std::string body_;
  double width_ = 0, height_ = 0;
};

inline constexpr int svg_colours = 6;  // of window outlines

// Writes the file completely or not at all. Throws IoError.
void write_svg(const std::string& path, const std::string& svg);

}  // namespace tidepool::cli
