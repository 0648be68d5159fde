#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plot/svg_text.h"
#include "tidepool/error.h"
#include "tidepool/plot/svg.h"

namespace tidepool::inline v0_1::plot {

namespace {

constexpr int width = 640, height = 360, left = 64, right = 20, top = 62, bottom = 46;
constexpr size_t max_points = 400;  // more points would be closer together than a pixel

// Line colours on light and on dark pages.
constexpr std::array colours = {std::pair("#0969da", "#58a6ff"), std::pair("#cf222e", "#ff7b72"), std::pair("#1a7f37", "#56d364"),
                                std::pair("#8250df", "#d2a8ff"), std::pair("#bc4c00", "#ffa657"), std::pair("#0a7ea4", "#76e3ea")};

struct Range {
  bool log = false;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double v) { low = std::min(low, v), high = std::max(high, v); }
  // Gives an empty range, or one of a single value, a width.
  void widen_if_empty() {
    if (!(low <= high)) low = log ? 1 : 0, high = log ? 10 : 1;
    if (low == high) low = log ? low / 2 : low - 0.5, high = log ? high * 2 : high + 0.5;
  }
  bool shows(double v) const { return std::isfinite(v) && (!log || v > 0); }
  double part(double v) const { return log ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low); }
};

double x_of(const Range& r, double v) { return left + r.part(v) * (width - left - right); }
double y_of(const Range& r, double v) { return height - bottom - r.part(v) * (height - top - bottom); }

std::string style(size_t lines) {
  std::string light = ".p{fill:none;stroke-width:2;stroke-linejoin:round}.k{stroke-width:3}", dark;
  for (size_t i = 0; i < lines; ++i) {
    const auto& [day, night] = colours[i % colours.size()];
    light += ".c" + std::to_string(i) + "{stroke:" + day + "}";
    dark += ".c" + std::to_string(i) + "{stroke:" + night + "}";
  }
  return light + "@media(prefers-color-scheme:dark){" + dark + "}";
}

std::string grid(const Range& xs, const Range& ys) {
  std::string svg;
  for (const double tick : ys.log ? log_ticks(ys.low, ys.high) : ticks(ys.low, ys.high, 5)) {
    const std::string y = pixel(y_of(ys, tick));
    svg += "<path class=\"g\" d=\"M" + std::to_string(left) + " " + y + "H" + std::to_string(width - right) +
           "\"/><text class=\"s e\" x=\"" + std::to_string(left - 8) + "\" y=\"" + pixel(y_of(ys, tick) + 4) + "\">" + number(tick) +
           "</text>\n";
  }
  for (const double tick : ticks(xs.low, xs.high, 6))
    svg += "<text class=\"s\" x=\"" + pixel(x_of(xs, tick)) + "\" y=\"" + std::to_string(height - bottom + 18) + "\">" + number(tick) +
           "</text>\n";
  return svg;
}

// Replaces groups of neighbouring points by their mean, so that noise does not hide the curve.
Series thinned(const Series& full, const Range& ys) {
  Series kept{full.name, {}, {}};
  const size_t group = (full.x.size() + max_points - 1) / max_points;
  for (size_t begin = 0; begin < full.x.size(); begin += group) {
    double x = 0, y = 0, count = 0;
    for (size_t i = begin; i < std::min(begin + group, full.x.size()); ++i)
      if (std::isfinite(full.x[i]) && ys.shows(full.y[i])) x += full.x[i], y += full.y[i], ++count;
    if (count == 0) continue;
    kept.x.push_back(x / count);
    kept.y.push_back(y / count);
  }
  return kept;
}

}  // namespace

std::string line_chart(const Chart& chart, const std::vector<Series>& series) {
  Range xs, ys;
  ys.log = chart.log_y;
  std::vector<Series> lines;
  for (const Series& line : series) {
    if (line.x.size() != line.y.size())
      throw Error(ErrorCode::invalid_argument, "line_chart: '" + line.name + "' must have as many x as y, got " +
                                                   std::to_string(line.x.size()) + " and " + std::to_string(line.y.size()));
    lines.push_back(thinned(line, ys));
    for (const double x : line.x)
      if (std::isfinite(x)) xs.include(x);
    for (const double y : lines.back().y) ys.include(y);
  }
  xs.widen_if_empty(), ys.widen_if_empty();
  std::string svg = svg_header(width, height, chart.title, chart.y + " against " + chart.x, style(lines.size())) + grid(xs, ys);
  svg += "<text class=\"s\" x=\"" + std::to_string((left + width - right) / 2) + "\" y=\"" + std::to_string(height - 10) + "\">" +
         escaped(chart.x) + "</text>\n";
  svg += "<text class=\"s l\" x=\"20\" y=\"" + std::to_string(top - 12) + "\">" + escaped(chart.y) + "</text>\n";
  int legend = width - right;
  for (size_t i = lines.size(); i-- > 0;) {
    const std::string colour = "c" + std::to_string(i);
    std::string path;
    for (size_t p = 0; p < lines[i].x.size(); ++p)
      path += (p == 0 ? "M" : "L") + pixel(x_of(xs, lines[i].x[p])) + " " + pixel(y_of(ys, lines[i].y[p]));
    if (!path.empty()) svg += "<path class=\"p " + colour + "\" d=\"" + path + "\"/>\n";
    svg += "<text class=\"s e\" x=\"" + std::to_string(legend) + "\" y=\"28\">" + escaped(lines[i].name) + "</text>";
    legend -= static_cast<int>(lines[i].name.size()) * 7 + 8;
    svg += "<path class=\"k " + colour + "\" d=\"M" + std::to_string(legend - 14) + " 24h14\"/>\n";
    legend -= 32;
  }
  return svg + "</svg>\n";
}

}  // namespace tidepool::inline v0_1::plot
