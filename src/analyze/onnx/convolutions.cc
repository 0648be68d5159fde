// Convolution and its transpose. Their weights decide channels and kernel.
#include <algorithm>

#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

constexpr int64_t largest = int64_t{1} << 30;  // of sizes in the analysis; products of two fit 64 bits

// The kernel: behind the first two dimensions of the weights, which the attribute repeats.
Sizes kernel_of(const Call& call, const Dims& weights, int axes) {
  if (weights.rank != axes + 2)
    call.fail("the weights must have " + std::to_string(axes + 2) + " dimensions, got " + to_string(weights), ErrorCode::shape_mismatch);
  const Sizes kernel = Sizes::from(weights.span().subspan(2));
  const Sizes said = call.sizes("kernel_shape", axes, 0);
  for (int i = 0; i < axes; ++i)
    if (call.has_attribute("kernel_shape") && said[i] != kernel[i])
      call.fail("kernel_shape must be that of the weights, " + to_string(weights) + ", got " + std::to_string(said[i]) + " (axis " +
                    std::to_string(i) + ")",
                ErrorCode::shape_mismatch);
  return kernel;
}

// Constants that are weights of a layer: their names, and whether the bias is one.
std::string weights_key(const Value& weights, const Value* bias) {
  return bias == nullptr ? weights.weights : weights.weights + "+" + bias->weights;
}

void check_bias(const Call& call, const Value* bias, int64_t channels) {
  if (bias != nullptr && count_of(bias->shape) != channels)
    call.fail("the bias must have " + std::to_string(channels) + " elements, got " + to_string(bias->shape), ErrorCode::shape_mismatch);
}

void conv(Call& call) {
  const Value* bias = call.has(2) ? &call.input(2) : nullptr;
  if (!call.input(1).is_constant() || (bias != nullptr && !bias->is_constant())) return call.unknown();  // weights that are computed
  call.give(convolution(call, call.input(0), call.input(1), bias));
}

// Padding along one axis when the output size is given, or auto_pad asks for input * stride.
struct TransposedPadding {
  Sides sides = {};
  int64_t output_padding = 0;
};

TransposedPadding padding_for(int64_t output, int64_t unpadded, int64_t output_padding, bool upper) {
  const int64_t total = unpadded + output_padding - output;
  if (total < 0) return {.output_padding = output_padding - total};
  const int64_t half = total / 2;
  return {.sides = upper ? Sides(half, total - half) : Sides(total - half, half), .output_padding = output_padding};
}

void conv_transpose(Call& call) {
  const Value* bias = call.has(2) ? &call.input(2) : nullptr;
  const Value& weights = call.input(1);
  if (!weights.is_constant() || (bias != nullptr && !bias->is_constant())) return call.unknown();
  const Dims shape = call.shape(0);
  const int axes = spatial_axes_of(call, shape);
  const Sizes kernel = kernel_of(call, weights.shape, axes);
  const int64_t groups = call.integer("group", 1);
  if (groups < 1 || groups > largest || weights.shape[1] > largest) call.fail("group must be at least 1, got " + std::to_string(groups));
  if (weights.shape[0] != shape[1])
    call.fail("the weights " + to_string(weights.shape) + " are not for " + std::to_string(shape[1]) + " channels",
              ErrorCode::shape_mismatch);
  ConvTranspose layer{.out_channels = weights.shape[1] * groups,
                      .kernel_size = kernel,
                      .stride = call.sizes("strides", axes, 1),
                      .padding = padding_of(call, axes),
                      .output_padding = call.sizes("output_padding", axes, 0),
                      .dilation = call.sizes("dilations", axes, 1),
                      .groups = groups,
                      .bias = bias != nullptr};
  check_bias(call, bias, layer.out_channels);
  // In some files output_shape has batch and channels too.
  auto output = call.integers("output_shape");
  if (output && static_cast<int>(output->size()) == axes + 2) output->erase(output->begin(), output->begin() + 2);
  if (output && static_cast<int>(output->size()) != axes)
    call.fail("attribute 'output_shape' must have " + std::to_string(axes) + " values, got " + std::to_string(output->size()));
  const PaddingMode mode = layer.padding.mode;
  const bool is_same = mode == PaddingMode::same_upper || mode == PaddingMode::same_lower;
  if (mode != PaddingMode::explicit_sides) layer.padding = Pads{.count = axes};
  if (output || is_same)
    for (int i = 0; i < axes; ++i) {
      for (const int64_t number :
           {layer.stride[i], layer.dilation[i], kernel[i], layer.output_padding[i], output ? (*output)[static_cast<size_t>(i)] : 1})
        if (number < 0 || number > largest) call.fail("sizes must be between 0 and 2^30, got " + std::to_string(number));
      const int64_t unpadded = (shape[2 + i] - 1) * layer.stride[i] + (kernel[i] - 1) * layer.dilation[i] + 1;
      const int64_t size = output ? (*output)[static_cast<size_t>(i)] : shape[2 + i] * layer.stride[i];
      const auto padding = padding_for(size, unpadded, layer.output_padding[i], mode == PaddingMode::same_upper);
      layer.padding.sides[static_cast<size_t>(i)] = padding.sides;
      layer.output_padding.values[static_cast<size_t>(i)] = padding.output_padding;
    }
  call.give(call.emit(layer, {call.input(0)}, weights_key(weights, bias)));
}

constexpr Operator operators[] = {{"Conv", conv}, {"ConvTranspose", conv_transpose}};

}  // namespace

Value convolution(Call& call, const Value& x, const Value& weights, const Value* bias) {
  const Dims shape = call.graph().shape_of(x);
  const int axes = spatial_axes_of(call, shape);
  const Sizes kernel = kernel_of(call, weights.shape, axes);
  const int64_t groups = call.integer("group", 1);
  if (groups < 1 || shape[1] % groups != 0 || weights.shape[1] != shape[1] / groups)
    call.fail("the weights " + to_string(weights.shape) + " are not for " + std::to_string(shape[1]) + " channels in " +
                  std::to_string(groups) + (groups == 1 ? " group" : " groups"),
              ErrorCode::shape_mismatch);
  check_bias(call, bias, weights.shape[0]);
  const Conv layer{.out_channels = weights.shape[0],
                   .kernel_size = kernel,
                   .stride = call.sizes("strides", axes, 1),
                   .padding = padding_of(call, axes),
                   .dilation = call.sizes("dilations", axes, 1),
                   .groups = groups,
                   .bias = bias != nullptr};
  return call.emit(layer, {x}, weights_key(weights, bias));
}

std::span<const Operator> convolution_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
