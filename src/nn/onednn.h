// Convolution, matrix product and batch normalisation by oneDNN, on dense f32 arrays. Only the onednn_* files include oneDNN. Primitives
// are created once per shape and thread.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::nn::onednn {

// One entry per spatial axis; a dilation of 1 means adjacent taps.
struct ConvParams {
  Dims stride, dilation, before, after;
  int64_t groups = 1;
};

// x: N, C, …; w: K, C / groups, …; y: N, K, ….
void conv_forward(TensorSpan y, TensorView x, TensorView w, const TensorView* bias, const ConvParams& params);
void conv_backward_data(TensorSpan gx, TensorView gy, TensorView w, const ConvParams& params);
void conv_backward_weights(TensorSpan gw, TensorView x, TensorView gy, const ConvParams& params);

// c = a b, plus bias added to every row if given. All matrices have two dimensions.
void matmul(TensorSpan c, TensorView a, TensorView b, const TensorView* bias);

struct BatchNormArrays {
  TensorView x, weight, bias;
  TensorSpan mean, variance;
};
// Computes the mean and the biased variance per channel and normalises by them.
void batch_norm_train(TensorSpan y, const BatchNormArrays& arrays, double eps);
// Normalises by the given mean and variance.
void batch_norm_infer(TensorSpan y, const BatchNormArrays& arrays, double eps);
void batch_norm_backward(TensorSpan gx, TensorSpan gweight, TensorSpan gbias, TensorView gy, const BatchNormArrays& t, double eps);

}  // namespace tidepool::inline v0_1::nn::onednn
