#include "tidepool/nn/prove.h"

#include "nn/input_cells.h"
#include "nn/run_layer.h"
#include "tidepool/analyze/dependence.h"
#include "tidepool/autograd.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"
#include "tidepool/nn/run_network.h"

namespace tidepool::inline v0_1::nn {
namespace {

using analyze::Box;
using analyze::Network;

constexpr size_t most_listed = 16;

void list(std::vector<std::vector<int64_t>>& into, const detail::InputCells& cells, int64_t element) {
  if (into.size() < most_listed) into.push_back(cells.position(element));
}

InputProof compare(int input, const Dims& shape, const Tensor& gradient, const std::vector<Box>& boxes, Proof& proof) {
  const detail::InputCells cells(shape);
  InputProof result;
  result.input = input;
  result.cells = cells.cells;
  result.has_gradient.resize(static_cast<size_t>(cells.cell_count));
  std::vector<bool> computed(static_cast<size_t>(cells.cell_count));
  const Tensor expected = detail::indicator(shape, boxes);
  const Tensor measured = gradient.defined() ? contiguous(gradient) : zeros(shape);
  for (int64_t i = 0; i < cells.element_count; ++i) {
    const bool is_measured = measured.data<float>()[i] != 0, is_computed = expected.data<float>()[i] != 0;
    const auto cell = static_cast<size_t>(cells.cell_of(i));
    if (is_measured) result.has_gradient[cell] = true;
    if (is_computed) computed[cell] = true;
    if (is_measured == is_computed) continue;
    proof.equal = false;
    if (is_measured) proof.contained = false;
    list(is_measured ? result.gradient_only : result.computed_only, cells, i);
  }
  for (size_t cell = 0; cell < computed.size(); ++cell) {
    result.with_gradient += result.has_gradient[cell] ? 1 : 0;
    result.computed += computed[cell] ? 1 : 0;
  }
  return result;
}

}  // namespace

Proof prove(const Network& network, int node, const std::vector<int64_t>& cell) {
  const EnableGrad enable;
  const Box box = analyze::one_cell(network.node(node).shape, cell);
  const std::vector<analyze::Dependence> computed = analyze::dependence(network, node, box);
  detail::check_can_run(network, node);
  std::vector<Tensor> inputs;
  for (const int input : network.inputs()) inputs.push_back(ones(network.node(input).shape).set_requires_grad());
  const Tensor y = run_network(network, node, inputs, {.structural = true});
  const std::vector<Tensor> gradients = detail::gradients_of(y, box, inputs);
  Proof proof;
  proof.node = node;
  proof.cell = cell;
  for (const analyze::Dependence& on : computed) proof.exact = proof.exact && on.exact;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const int input = network.inputs()[i];
    std::vector<Box> boxes;
    for (const analyze::Dependence& on : computed)
      if (on.input == input) boxes = on.boxes;
    proof.inputs.push_back(compare(input, inputs[i].shape(), gradients[i], boxes, proof));
  }
  return proof;
}

}  // namespace tidepool::inline v0_1::nn
