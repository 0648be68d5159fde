// Convolution, pooling and their inverses.
#include <string>

#include "analyze/placement.h"
#include "core/checked.h"

namespace tidepool::inline v0_1::analyze {

namespace {

std::string numbered(std::string_view function, int rank) { return std::string(function) + std::to_string(rank) + "d"; }

Result<int> spatial_rank(const Dims& input) {
  if (input.rank < 3 || input.rank > 2 + max_spatial)
    return Error(ErrorCode::shape_mismatch, "the input must have 3 to 5 dimensions (N, C, and 1 to 3 spatial), got " + to_string(input));
  return input.rank - 2;
}

// Batch and channels of `input`, with the windows of `geometry` along the other dimensions.
Placement windowed(const Dims& input, const Geometry& geometry) {
  Placement placed = unchanged(input);
  for (int i = 0; i < geometry.rank(); ++i) {
    const Axis& axis = geometry.axis(3 - geometry.rank() + i);
    placed.shape[2 + i] = axis.output();
    placed.reads[0][static_cast<size_t>(2 + i)] = {AxisMap(axis), 2 + i, axis.is_fractional()};
    placed.window_dims.push_back(2 + i);
  }
  return placed;
}

Result<Placement> windowed(const Dims& input, const Result<Geometry>& geometry) {
  if (!geometry) return geometry.error();
  return windowed(input, *geometry);
}

// Channels, parameters and multiply-adds of a convolution with `taps` weights between each pair of channels. `places` is how often each
// weight is used.
Status count_weights(Placement& placed, const Dims& input, int64_t out_channels, int64_t groups, int64_t taps, int64_t places, bool bias,
                     bool shared_by_inputs) {
  const int64_t in_channels = input[1];
  if (out_channels < 1) return invalid("channels must be at least 1, got " + std::to_string(out_channels));
  if (groups < 1 || in_channels % groups != 0 || out_channels % groups != 0)
    return invalid("groups must divide the channels, got " + std::to_string(groups) + " for " + std::to_string(in_channels) + " and " +
                   std::to_string(out_channels));
  placed.shape[1] = out_channels;
  if (groups == 1)
    placed.reads[0][1] = {AxisMap::whole(in_channels), -1};
  else
    placed.reads[0][1] = {AxisMap(in_channels, out_channels, GroupReads{groups}), 1};
  const Result<int64_t> weights = checked_product({out_channels, in_channels / groups, taps});
  if (!weights) return weights.error();
  const Result<int64_t> uses = checked_product({*weights, shared_by_inputs ? input[0] : placed.shape[0], places});
  if (!uses) return uses.error();
  placed.parameters = *weights;
  if (bias && !detail::checked_add(placed.parameters, out_channels, &placed.parameters))
    return Error(ErrorCode::overflow, "sizes overflow 64 bits");
  placed.multiply_adds = *uses;
  return Ok{};
}

int64_t plane(const Dims& shape) {
  int64_t product = 1;
  for (int dim = 2; dim < shape.rank; ++dim)
    if (!detail::checked_mul(product, shape[dim], &product)) return INT64_MAX;
  return product;
}

}  // namespace

Result<Placement> place_conv(const Conv& conv, const Dims& input) {
  const Result<int> rank = spatial_rank(input);
  if (!rank) return rank.error();
  // Padding of a convolution has no limit, as that of ONNX's poolings.
  const Result<Geometry> geometry = Geometry::windowed(
      numbered("conv", *rank), *rank, input,
      {.kernel_size = conv.kernel_size, .stride = conv.stride, .padding = conv.padding, .dilation = conv.dilation, .preset = Preset::onnx});
  Result<Placement> placed = windowed(input, geometry);
  if (!placed) return placed;
  const Status counted =
      count_weights(*placed, input, conv.out_channels, conv.groups, geometry->window_taps(), plane(placed->shape), conv.bias, false);
  if (!counted) return counted.error();
  return placed;
}

Result<Placement> place_conv_transpose(const ConvTranspose& conv, const Dims& input) {
  const Result<int> rank = spatial_rank(input);
  if (!rank) return rank.error();
  const std::string function = numbered("conv_transpose", *rank);
  if (conv.padding.mode != PaddingMode::explicit_sides) return invalid(function + ": padding must be numbers");
  for (const Sizes* sizes : {&conv.kernel_size, &conv.stride, &conv.dilation, &conv.output_padding})
    if (sizes->count != 1 && sizes->count != *rank)
      return invalid(function + ": options must have 1 or " + std::to_string(*rank) + " values");
  Placement placed = unchanged(input);
  int64_t taps = 1;
  for (int i = 0; i < *rank; ++i) {
    const int64_t kernel = conv.kernel_size[i], stride = conv.stride[i], dilation = conv.dilation[i], extra = conv.output_padding[i];
    const Sides padding = conv.padding[i];
    const std::string axis = " (axis " + std::string(axis_name(*rank, i)) + ")";
    for (const int64_t number : {kernel, stride, dilation})
      if (number < 1 || number > largest_size)
        return invalid(function + ": kernel_size, stride and dilation must be between 1 and " + std::to_string(largest_size) + ", got " +
                       std::to_string(number) + axis);
    for (const int64_t number : {padding.before, padding.after, extra})
      if (number < 0 || number > largest_size)
        return invalid(function + ": padding must not be negative, got " + std::to_string(number) + axis);
    // At most 2^31 each: no sum of two products overflows.
    const int64_t output = (input[2 + i] - 1) * stride - padding.before - padding.after + dilation * (kernel - 1) + extra + 1;
    if (output < 1 || output > largest_size)
      return invalid(function + ": output size must be at least 1, got " + std::to_string(output) + axis);
    placed.shape[2 + i] = output;
    placed.reads[0][static_cast<size_t>(2 + i)] = {
        AxisMap(input[2 + i], output, TransposedReads{.kernel = kernel, .stride = stride, .dilation = dilation, .padding = padding.before}),
        2 + i};
    placed.window_dims.push_back(2 + i);
    if (!detail::checked_mul(taps, kernel, &taps)) return Error(ErrorCode::overflow, function + ": kernel_size overflows 64 bits");
  }
  // Every weight is used once for every cell of the input.
  const Status counted = count_weights(placed, input, conv.out_channels, conv.groups, taps, plane(input), conv.bias, true);
  if (!counted) return counted.error();
  return placed;
}

Result<Placement> place_pool(const Pool& pool, const Dims& input) {
  const Result<int> rank = spatial_rank(input);
  if (!rank) return rank.error();
  return windowed(input, Geometry::windowed(function_name(pool.op, *rank), *rank, input, pool.windows));
}

Result<Placement> place_adaptive_pool(const AdaptivePool& pool, const Dims& input) {
  const Result<int> rank = spatial_rank(input);
  if (!rank) return rank.error();
  const Result<Geometry> geometry = Geometry::adaptive("adaptive_" + function_name(pool.op, *rank), *rank, input, pool.output_size);
  if (!geometry) return geometry.error();
  for (int dim = 2; dim < geometry->output_shape().rank; ++dim)
    if (geometry->output_shape()[dim] < 1) return invalid("output_size must be at least 1, got 0");
  Placement placed = windowed(input, *geometry);
  for (const int dim : placed.window_dims)  // one bin is the whole axis
    if (placed.shape[dim] == 1) placed.reads[0][static_cast<size_t>(dim)] = {AxisMap::whole(input[dim]), -1};
  return placed;
}

Result<Placement> place_fractional_pool(const FractionalPool& pool, const Dims& input) {
  const Result<int> rank = spatial_rank(input);
  if (!rank) return rank.error();
  return windowed(input, Geometry::fractional(numbered("fractional_max_pool", *rank), *rank, input, pool.kernel_size, pool.output_size));
}

Result<Placement> place_unpool(const Unpool& unpool, const Dims& input) {
  const Result<int> rank = spatial_rank(input);
  if (!rank) return rank.error();
  const Result<Geometry> geometry = Geometry::unpooled(numbered("max_unpool", *rank), *rank, input, unpool.windows, unpool.output_size);
  if (!geometry) return geometry.error();
  Placement placed = unchanged(input);
  for (int i = 0; i < *rank; ++i) {
    const Axis& axis = geometry->axis(3 - *rank + i);
    placed.shape[2 + i] = axis.input();
    placed.reads[0][static_cast<size_t>(2 + i)] = {
        AxisMap(
            axis.output(), axis.input(),
            TransposedReads{.kernel = axis.kernel(), .stride = axis.stride(), .dilation = axis.dilation(), .padding = axis.pad_before()}),
        2 + i};
    placed.window_dims.push_back(2 + i);
  }
  return placed;
}

}  // namespace tidepool::inline v0_1::analyze
