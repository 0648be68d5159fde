#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "nn/input_cells.h"
#include "nn/run_layer.h"
#include "tidepool/autograd.h"
#include "tidepool/creation.h"
#include "tidepool/error.h"
#include "tidepool/functional.h"
#include "tidepool/nn/prove.h"
#include "tidepool/nn/run_network.h"

namespace tidepool::inline v0_1::nn {
namespace {

using analyze::Network;

constexpr double most_of_it = 0.95;

void add_magnitudes(EffectiveField& field, const detail::InputCells& cells, const Tensor& gradient) {
  if (!gradient.defined()) return;
  const Tensor dense = contiguous(gradient);
  for (int64_t i = 0; i < cells.element_count; ++i)
    field.shares[static_cast<size_t>(cells.cell_of(i))] += std::fabs(static_cast<double>(dense.data<float>()[i]));
}

void divide_by_sum(std::vector<double>& shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!std::isfinite(sum)) throw Error(ErrorCode::unsupported, "effective_field: gradients must be finite, got some that are not");
  if (sum == 0) return;
  for (double& share : shares) share /= sum;
}

int64_t cells_of_most(std::vector<double> shares) {
  std::sort(shares.begin(), shares.end(), std::greater<>());
  double sum = 0;
  for (size_t count = 0; count < shares.size(); ++count) {
    if (sum >= most_of_it || shares[count] == 0) return static_cast<int64_t>(count);
    sum += shares[count];
  }
  return static_cast<int64_t>(shares.size());
}

void measure_spread(EffectiveField& field) {
  const detail::InputCells cells(field.cells);  // positions along the dimensions of cells
  std::vector<double> first(field.cells.size()), second(field.cells.size());
  for (size_t cell = 0; cell < field.shares.size(); ++cell) {
    const std::vector<int64_t> at = cells.position(static_cast<int64_t>(cell));
    for (size_t dim = 0; dim < at.size(); ++dim) {
      const auto position = static_cast<double>(at[dim]);
      first[dim] += field.shares[cell] * position;
      second[dim] += field.shares[cell] * position * position;
    }
  }
  field.centre = first;
  for (size_t dim = 0; dim < first.size(); ++dim)
    field.deviation.push_back(std::sqrt(std::max(0.0, second[dim] - first[dim] * first[dim])));
}

}  // namespace

std::vector<EffectiveField> effective_field(const Network& network, int node, const std::vector<int64_t>& cell,
                                            const EffectiveFieldOptions& options) {
  if (options.runs < 1 || options.runs > 1000)
    throw Error(ErrorCode::invalid_argument, "effective_field: runs must be between 1 and 1000, got " + std::to_string(options.runs));
  const EnableGrad enable;
  const analyze::Box box = analyze::one_cell(network.node(node).shape, cell);
  detail::check_can_run(network, node);
  std::vector<EffectiveField> fields;
  std::vector<detail::InputCells> cells;
  for (const int input : network.inputs()) {
    cells.emplace_back(network.node(input).shape);
    EffectiveField field;
    field.input = input;
    field.cells = cells.back().cells;
    field.shares.resize(static_cast<size_t>(cells.back().cell_count));
    fields.push_back(std::move(field));
  }
  for (int64_t run = 0; run < options.runs; ++run) {
    const uint64_t seed = options.seed + static_cast<uint64_t>(run);
    std::vector<Tensor> inputs;
    inputs.reserve(fields.size());
    for (size_t i = 0; i < fields.size(); ++i) inputs.push_back(randn(cells[i].elements, seed * 1000003 + i).set_requires_grad());
    const Tensor y = run_network(network, node, inputs, {.seed = seed});
    const std::vector<Tensor> gradients = detail::gradients_of(y, box, inputs);
    for (size_t i = 0; i < fields.size(); ++i) add_magnitudes(fields[i], cells[i], gradients[i]);
  }
  for (EffectiveField& field : fields) {
    divide_by_sum(field.shares);
    field.most = cells_of_most(field.shares);
    measure_spread(field);
  }
  return fields;
}

}  // namespace tidepool::inline v0_1::nn
