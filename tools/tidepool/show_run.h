// Runs one pooling layer on a small array, and takes its windows and the gradient apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "one_layer.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

struct ShowOptions {
  double norm_type = 2;             // lp
  CountPad count_include_pad = {};  // avg
  uint64_t seed = 0;                // fractional windows
  Tensor gradient = {};             // with respect to the output; unset: ones
};

// The window of one output.
struct ShownWindow {
  Dims output;
  std::vector<int64_t> cells;  // those inside the input, as numbers in its plane, row by row
  std::vector<double> values;  // of these cells
  double result = 0;
  int64_t winner = -1;        // max, min: the cell that the value comes from
  std::vector<int64_t> ties;  // and the others of the same value
  double divisor = 0;         // avg
  double padded = 0;          // how many taps of the window are not inside the input
};

struct Shown {
  OneLayer layer;
  Op op = Op::max;
  double norm_type = 2;
  // All have the spatial dims alone. Indices are empty unless the layer is a maximum or minimum.
  Tensor input, output, indices, output_gradient, gradient;
  std::vector<ShownWindow> windows;
};

// `x` has the spatial dims alone and is f32 or f64. Throws Error if the layer does not pool, or accepts neither `x` nor the options.
Shown show_layer(const Tensor& x, const std::string& layer, const ShowOptions& options);

// The position of a cell of a plane of this shape: "1,0".
std::string place_text(const Dims& shape, int64_t cell);

}  // namespace tidepool::cli
