// The functions that compute layers with weights, with oneDNN. f32 only. Differentiable to any order, unless stated otherwise.
#pragma once

#include <cstdint>

#include "tidepool/export.h"
#include "tidepool/options.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::nn {

TIDEPOOL_API Tensor matmul(const Tensor& a, const Tensor& b);                                // both must have two dims
TIDEPOOL_API Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});  // x weightᵀ + bias; x has shape …, in_features

template <int N>
struct ConvOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> kernel_size = {};  // for modules only: functions take it from the shape of the weight
  Extent<N> stride = 1;
  Padding<N> padding = 0;  // with zeros; `same` requires stride 1
  Extent<N> dilation = 1;
  Size groups = 1;
  Flag bias = true;  // for modules only
};

struct ConvTransposeOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<2> kernel_size = {};
  Extent<2> stride = 1;
  Padding<2> padding = 0;
  Extent<2> output_padding = 0;
  Size groups = 1;
  Flag bias = true;
  Extent<2> dilation = 1;
};

// x has shape N, C, spatial… or C, spatial…; the weight has shape out_channels, C / groups, kernel…. If x is channels-last, so is the
// result.
TIDEPOOL_API Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const ConvOptions<1>& options = {});
TIDEPOOL_API Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const ConvOptions<2>& options = {});
TIDEPOOL_API Tensor conv3d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const ConvOptions<3>& options = {});
// Transposed convolution: the gradient of conv2d with respect to its input. The weight has shape C, out_channels / groups, kernel….
TIDEPOOL_API Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const Tensor& bias = {},
                                     const ConvTransposeOptions& options = {});

struct BatchNormOptions {
  NamedOnly named_only = NamedOnly::fields();
  Flag training = false;
  double momentum = 0.1;
  double eps = 1e-5;
};

// Normalises every channel of an N, C, … tensor. In training, uses the mean and variance of the batch and updates running_mean and
// running_var; otherwise uses running_mean and running_var. Differentiable twice.
TIDEPOOL_API Tensor batch_norm(const Tensor& x, Tensor running_mean, Tensor running_var, const Tensor& weight, const Tensor& bias,
                               const BatchNormOptions& options = {});

// Sets each element to 0 with probability p and divides the others by 1 - p. Returns x unchanged when not training. Uses the generator of
// random.h.
TIDEPOOL_API Tensor dropout(const Tensor& x, double p = 0.5, Flag training = true);

}  // namespace tidepool::inline v0_1::nn
