// The cells of an input, counted one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "tidepool/analyze/dependence.h"
#include "tidepool/analyze/network.h"
#include "tidepool/dims.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::nn::detail {

// An array of elements, of which those that differ in the first dimensions alone belong to one cell.
struct InputCells {
  explicit InputCells(const Dims& shape);

  Dims elements, cells;
  int64_t element_count = 1, cell_count = 1;

  // Cells have the last dimensions, so they repeat.
  int64_t cell_of(int64_t element) const { return element % cell_count; }
  std::vector<int64_t> position(int64_t element) const;
};

// 1 for every element of the box, else 0.
Tensor indicator(const Dims& shape, const std::vector<analyze::Box>& boxes);

// The gradients of the sum of one cell of the node's output with respect to every input; undefined where it does not depend on one. `y` is
// the output of the node, computed from `inputs`.
std::vector<Tensor> gradients_of(const Tensor& y, const analyze::Box& cell, const std::vector<Tensor>& inputs);

}  // namespace tidepool::inline v0_1::nn::detail
