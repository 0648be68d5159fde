#include "nn/input_cells.h"

#include "tidepool/autograd.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"

namespace tidepool::inline v0_1::nn::detail {

InputCells::InputCells(const Dims& shape) : elements(shape) {
  for (int dim = shape.rank > 2 ? 2 : 0; dim < shape.rank; ++dim) cells.push_back(shape[dim]);
  for (const int64_t size : elements) element_count *= size;
  for (const int64_t size : cells) cell_count *= size;
}

std::vector<int64_t> InputCells::position(int64_t element) const {
  std::vector<int64_t> found(elements.size());
  for (int dim = elements.rank - 1; dim >= 0; --dim) {
    found[static_cast<size_t>(dim)] = element % elements[dim];
    element /= elements[dim];
  }
  return found;
}

Tensor indicator(const Dims& shape, const std::vector<analyze::Box>& boxes) {
  Tensor flags = zeros(shape);
  float* const data = flags.data<float>();
  const Dims strides = contiguous_strides(shape);
  const auto fill = [&](auto& self, const analyze::Box& box, int dim, int64_t offset) -> void {
    if (dim == shape.rank) {
      data[offset] = 1;
      return;
    }
    for (const Range& range : box.dims[static_cast<size_t>(dim)].ranges())
      for (int64_t at = range.begin; at < range.end; ++at) self(self, box, dim + 1, offset + at * strides[dim]);
  };
  for (const analyze::Box& box : boxes) fill(fill, box, 0, 0);
  return flags;
}

std::vector<Tensor> gradients_of(const Tensor& y, const analyze::Box& cell, const std::vector<Tensor>& inputs) {
  if (!y.requires_grad()) return std::vector<Tensor>(inputs.size());
  return grad(y, inputs, {.gradient = indicator(y.shape(), {cell})});
}

}  // namespace tidepool::inline v0_1::nn::detail
