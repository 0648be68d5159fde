// Two charts of a training run as SVG text. They contain no scripts and adapt to light and dark pages.
#pragma once

#include <string>
#include <vector>

#include "tidepool/export.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::plot {

struct Series {
  std::string name;
  std::vector<double> x, y;  // of equal length; points that are not finite are skipped
};

struct Chart {
  std::string title, x, y;
  bool log_y = false;  // logarithmic y axis; points at or below zero are skipped
};

// One line per series, with a legend. Throws Error if x and y of a series differ in length.
TIDEPOOL_API std::string line_chart(const Chart& chart, const std::vector<Series>& series);

// `counts` is a square array of i64: the row is the true class, the column the predicted one. Correct predictions are green, mistakes red.
TIDEPOOL_API std::string confusion_matrix(const std::string& title, const Tensor& counts, const std::vector<std::string>& classes);

}  // namespace tidepool::inline v0_1::plot
