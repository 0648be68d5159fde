// Weights over the plane of an input as a heat map.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tidepool::inline v0_1::analyze {

// Paths that cover rows x cols cells. The largest weight is drawn solid and a weight of zero not at all. Grids of many cells are averaged.
// Throws Error if the weights do not fit the grid, are negative or not finite.
std::string heat_map(const std::vector<float>& weights, int64_t grid_rows, int64_t grid_cols, int64_t rows, int64_t cols);

}  // namespace tidepool::inline v0_1::analyze
