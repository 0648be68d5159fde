#include "analyze/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "analyze/markup.h"
#include "core/checked.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr int64_t most_cells = 96;  // along one axis
constexpr int levels = 12;          // of opacity

[[noreturn]] void fail(const std::string& message) { detail::throw_error({ErrorCode::invalid_argument, "field_svg: " + message}); }

void check(const std::vector<float>& weights, int64_t rows, int64_t cols) {
  int64_t count = 0;
  if (rows < 1 || cols < 1 || !detail::checked_mul(rows, cols, &count) || count != static_cast<int64_t>(weights.size()))
    fail("effective must have effective_rows * effective_cols weights, got " + std::to_string(weights.size()) + " for " +
         std::to_string(rows) + "x" + std::to_string(cols));
  for (size_t i = 0; i < weights.size(); ++i)
    if (!(weights[i] >= 0) || !std::isfinite(weights[i]))
      fail("effective must be finite and not negative, got " + std::to_string(weights[i]) + " at " + std::to_string(i));
}

struct Grid {
  int64_t rows = 0, cols = 0;
  std::vector<double> values;
  double at(int64_t row, int64_t col) const { return values[static_cast<size_t>(row * cols + col)]; }
};

// Means of neighbouring weights, where there are more than can be told apart.
Grid averaged(const std::vector<float>& weights, int64_t rows, int64_t cols) {
  Grid grid{std::min(rows, most_cells), std::min(cols, most_cells), {}};
  grid.values.resize(static_cast<size_t>(grid.rows * grid.cols));
  std::vector<double> counts(grid.values.size());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t col = 0; col < cols; ++col) {
      const auto to = static_cast<size_t>(row * grid.rows / rows * grid.cols + col * grid.cols / cols);
      grid.values[to] += weights[static_cast<size_t>(row * cols + col)];
      ++counts[to];
    }
  for (size_t i = 0; i < counts.size(); ++i) grid.values[i] /= counts[i];
  return grid;
}

std::string coordinate(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

std::string heat_map(const std::vector<float>& weights, int64_t grid_rows, int64_t grid_cols, int64_t rows, int64_t cols) {
  check(weights, grid_rows, grid_cols);
  const Grid grid = averaged(weights, grid_rows, grid_cols);
  const double largest = *std::max_element(grid.values.begin(), grid.values.end());
  if (!(largest > 0)) return "";
  const double height = static_cast<double>(rows) / static_cast<double>(grid.rows);
  const double width = static_cast<double>(cols) / static_cast<double>(grid.cols);
  const auto level = [&](int64_t row, int64_t col) { return static_cast<int>(std::ceil(grid.at(row, col) / largest * levels)); };
  std::array<std::string, levels + 1> paths;
  for (int64_t row = 0; row < grid.rows; ++row)
    for (int64_t col = 0, end = 0; col < grid.cols; col = end) {
      const int mine = level(row, col);
      for (end = col + 1; end < grid.cols && level(row, end) == mine; ++end) {
      }
      const std::string run = coordinate(width * static_cast<double>(end - col));
      paths[static_cast<size_t>(mine)] += "M" + coordinate(width * static_cast<double>(col)) + " " +
                                          coordinate(height * static_cast<double>(row)) + "h" + run + "v" + coordinate(height) + "h-" +
                                          run + "z";
    }
  std::string svg = "<g class=\"tp-heat\" shape-rendering=\"crispEdges\">";
  for (size_t i = 1; i < paths.size(); ++i)
    if (!paths[i].empty())
      svg += "<path" + attribute("fill-opacity", coordinate(static_cast<double>(i) / levels).substr(0, 5)) + " d=\"" + paths[i] + "\"/>";
  return svg + "</g>";
}

}  // namespace tidepool::inline v0_1::analyze
