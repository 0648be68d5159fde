#include "analyze/placement.h"

#include <algorithm>
#include <string>

#include "analyze/overloaded.h"
#include "core/checked.h"

namespace tidepool::inline v0_1::analyze {

namespace {

size_t inputs_of(const Layer& layer, size_t given) {
  if (std::holds_alternative<Merge>(layer) || std::holds_alternative<Concat>(layer)) return std::max<size_t>(given, 1);
  if (std::holds_alternative<Constant>(layer) || std::holds_alternative<Input>(layer)) return 0;
  return std::holds_alternative<MatMul>(layer) ? 2 : 1;
}

Result<Placement> place_elementwise(const Elementwise& e, const Dims& input) {
  Placement placed = unchanged(input);
  if (e.parameters_per_channel > 0 && input.rank < 2) return invalid("the input must have at least 2 dimensions, got " + to_string(input));
  if (e.parameters_per_channel > 0) placed.parameters = e.parameters_per_channel * input[1];
  return placed;
}

Result<Placement> place_statistics(const StatisticsNorm& norm, const Dims& input) {
  Placement placed = unchanged(input);
  placed.parameters = norm.parameters;
  return placed;
}

Result<Placement> place_softmax(const Softmax& softmax, const Dims& input) {
  Result<int> dim = checked_dim(softmax.dim, input.rank);
  if (!dim) return dim.error();
  Placement placed = unchanged(input);
  placed.reads[0][static_cast<size_t>(*dim)] = {AxisMap::whole(input[*dim]), -1};
  return placed;
}

Result<Placement> place_known(const Layer& layer, const std::vector<Dims>& in) {
  return std::visit(Overloaded{
                        [&](const Input&) -> Result<Placement> { return invalid("an input is added with Network::input"); },
                        [&](const Constant&) -> Result<Placement> { return invalid("a constant needs a shape"); },
                        [&](const Unknown& u) -> Result<Placement> { return invalid("the layer " + u.function + " is not known"); },
                        [&](const Conv& l) { return place_conv(l, in[0]); },
                        [&](const ConvTranspose& l) { return place_conv_transpose(l, in[0]); },
                        [&](const Pool& l) { return place_pool(l, in[0]); },
                        [&](const AdaptivePool& l) { return place_adaptive_pool(l, in[0]); },
                        [&](const FractionalPool& l) { return place_fractional_pool(l, in[0]); },
                        [&](const Unpool& l) { return place_unpool(l, in[0]); },
                        [&](const Resize& l) { return place_resize(l, in[0]); },
                        [&](const Linear& l) { return place_linear(l, in[0]); },
                        [&](const Elementwise& l) { return place_elementwise(l, in[0]); },
                        [&](const StatisticsNorm& l) { return place_statistics(l, in[0]); },
                        [&](const Softmax& l) { return place_softmax(l, in[0]); },
                        [&](const Merge&) { return place_merge(in); },
                        [&](const Concat& l) { return place_concat(l, in); },
                        [&](const Flatten& l) { return place_flatten(l, in[0]); },
                        [&](const Reshape& l) { return place_reshape(l.shape, in[0]); },
                        [&](const Transpose& l) { return place_transpose(l, in[0]); },
                        [&](const Slice& l) { return place_slice(l, in[0]); },
                        [&](const Pad& l) { return place_pad(l, in[0]); },
                        [&](const Reduce& l) { return place_reduce(l, in[0]); },
                        [&](const MatMul&) { return place_matmul(in[0], in[1]); },
                    },
                    layer);
}

}  // namespace

Error invalid(std::string message) { return {ErrorCode::invalid_argument, std::move(message)}; }

Result<int> checked_dim(int dim, int rank) {
  const int counted = dim < 0 ? dim + rank : dim;
  if (counted < 0 || counted >= rank)
    return invalid("dimension " + std::to_string(dim) + " is out of range for an input of " + std::to_string(rank) + " dimensions");
  return counted;
}

Result<int64_t> checked_product(std::initializer_list<int64_t> factors) {
  int64_t product = 1;
  for (const int64_t factor : factors)
    if (!detail::checked_mul(product, factor, &product)) return Error(ErrorCode::overflow, "sizes overflow 64 bits");
  return product;
}

Placement unchanged(const Dims& input) {
  Placement placed;
  placed.shape = input;
  placed.reads.emplace_back();
  for (int dim = 0; dim < input.rank; ++dim) placed.reads[0].push_back({AxisMap::same(input[dim]), dim});
  return placed;
}

Result<Placement> place(const Layer& layer, const std::vector<Dims>& inputs) {
  const size_t wanted = inputs_of(layer, inputs.size());
  if (inputs.size() != wanted)
    return invalid("takes " + std::to_string(wanted) + (wanted == 1 ? " input" : " inputs") + ", got " + std::to_string(inputs.size()));
  Result<Placement> placed = place_known(layer, inputs);
  if (!placed) return placed;
  for (const int64_t size : placed->shape)
    if (size < 1 || size > largest_size)
      return invalid("sizes must be between 1 and " + std::to_string(largest_size) + ", the output is " + to_string(placed->shape));
  if (Result<int64_t> numel = checked_numel(placed->shape); !numel) return numel.error();
  return placed;
}

Placement placement_of(const Network& network, const Node& node) {
  std::vector<Dims> shapes;
  shapes.reserve(node.inputs.size());
  for (const int input : node.inputs) shapes.push_back(network.node(input).shape);
  return place(node.layer, shapes).value();
}

}  // namespace tidepool::inline v0_1::analyze
