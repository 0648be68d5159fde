// How a plane is drawn: the size of the picture, and its shapes.
#include <algorithm>
#include <string>

#include "analyze/field_planes.h"
#include "analyze/markup.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr int64_t most_lines = 48;              // of the grid, along one axis
constexpr double longest = 340, shortest = 28;  // sides of the drawing

}  // namespace

bool Plane::reaches_out() const { return reach.x < 0 || reach.y < 0 || reach.x + reach.width > cols || reach.y + reach.height > rows; }

bool Plane::shows_reach() const {
  return reach.x >= view.x && reach.y >= view.y && reach.x + reach.width <= view.x + view.width &&
         reach.y + reach.height <= view.y + view.height;
}

double Plane::drawn_width() const {
  const auto w = static_cast<double>(view.width), h = static_cast<double>(view.height);
  return rows == 1 ? longest : std::clamp(longest * std::min(1.0, w / h), shortest, longest);
}

double Plane::drawn_height() const {
  const auto w = static_cast<double>(view.width), h = static_cast<double>(view.height);
  return rows == 1 ? shortest : std::clamp(longest * std::min(1.0, h / w), shortest, longest);
}

std::string grid_path(int64_t rows, int64_t cols) {
  if (rows > most_lines || cols > most_lines) return "";
  std::string path;
  for (int64_t x = 1; x < cols; ++x) path += "M" + std::to_string(x) + " 0v" + std::to_string(rows);
  for (int64_t y = 1; y < rows; ++y) path += "M0 " + std::to_string(y) + "h" + std::to_string(cols);
  return path;
}

std::string plane_drawing(const Plane& plane, const std::string& picture_href, const std::string& id, const std::string& between) {
  const std::string size = " width=\"" + std::to_string(plane.cols) + "\" height=\"" + std::to_string(plane.rows) + "\"";
  std::string svg = "<rect class=\"tp-plane\"" + size + "/>";
  if (!picture_href.empty()) svg += "<image" + size + " preserveAspectRatio=\"none\" href=\"" + escaped(picture_href) + "\"/>";
  if (const std::string grid = grid_path(plane.rows, plane.cols); !grid.empty()) svg += "<path class=\"tp-grid\" d=\"" + grid + "\"/>";
  svg += between + "\n<g class=\"tp-field tp-over\">";
  for (size_t i = 0; i < plane.field.size(); ++i) {
    const Shape& shape = plane.field[i];
    const std::string clip = id + "-" + std::to_string(i);
    if (!shape.clip.empty()) svg += "<clipPath id=\"" + clip + "\"><path d=\"" + shape.clip + "\"/></clipPath>";
    svg += "<path d=\"" + shape.path + "\"" + (shape.clip.empty() ? "" : " clip-path=\"url(#" + clip + ")\"") + "/>";
  }
  const Rectangle& r = plane.reach;
  return svg + "</g>\n<rect class=\"tp-reach\" x=\"" + std::to_string(r.x) + "\" y=\"" + std::to_string(r.y) + "\" width=\"" +
         std::to_string(r.width) + "\" height=\"" + std::to_string(r.height) + "\"/>\n";
}

}  // namespace tidepool::inline v0_1::analyze
