// The functions behind the layers that need oneDNN: f32, differentiable to any order but where said.
#pragma once

#include <cstdint>

#include "tidepool/options.h"
#include "tidepool/tensor.h"

namespace tidepool::nn {

Tensor matmul(const Tensor& a, const Tensor& b);                                // of two dims each
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});  // x weightᵀ + bias; x is …, in

template <int N>
struct ConvOptions {
  NamedOnly named_only = NamedOnly::fields();
  Extent<N> kernel_size = {};  // of the modules; the functions read it off the weight
  Extent<N> stride = 1;
  Padding<N> padding = 0;  // of zeros; `same` needs stride 1
  Extent<N> dilation = 1;
  Size groups = 1;
  Flag bias = true;  // of the modules
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

// x is N, C, spatial… or C, spatial…; weight is out, C / groups, window…. The result keeps channels-last if x has it.
Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const ConvOptions<1>& options = {});
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const ConvOptions<2>& options = {});
Tensor conv3d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const ConvOptions<3>& options = {});
// The gradient of conv2d's input, as a layer: weight is C, out / groups, window….
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const ConvTransposeOptions& options = {});

struct BatchNormOptions {
  NamedOnly named_only = NamedOnly::fields();
  Flag training = false;
  double momentum = 0.1;
  double eps = 1e-5;
};

// Normalises every channel of N, C, …. Training: by its own mean and variance, which move the running ones; else by the running ones.
// Differentiable twice.
Tensor batch_norm(const Tensor& x, Tensor running_mean, Tensor running_var, const Tensor& weight, const Tensor& bias,
                  const BatchNormOptions& options = {});

// Zero with probability p, else divided by 1 - p; x itself when not training. Draws from the generator of random.h.
Tensor dropout(const Tensor& x, double p = 0.5, Flag training = true);

}  // namespace tidepool::nn
