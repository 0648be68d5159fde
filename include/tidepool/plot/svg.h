// Two drawings of a training run as SVG text, small, without scripts, readable on light and dark pages.
#pragma once

#include <string>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::plot {

struct Series {
  std::string name;
  std::vector<double> x, y;  // of equal length; points that are no numbers are left out
};

struct Chart {
  std::string title, x, y;
  bool log_y = false;  // points at or below zero are then left out
};

// Lines over common axes, with a legend: loss against step. Throws Error when a series has more x than y, or the other way round.
std::string line_chart(const Chart& chart, const std::vector<Series>& series);

// `counts` is square, of i64: row is the true class, column the predicted one. The diagonal is right, everything else stands out.
std::string confusion_matrix(const std::string& title, const Tensor& counts, const std::vector<std::string>& classes);

}  // namespace tidepool::plot
