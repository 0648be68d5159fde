// Convolution, matrix product and batch normalisation by oneDNN, on f32 arrays of any strides. The only file that knows oneDNN is
// onednn.cc; it compiles against its interfaces 2 and 3. Primitives are made once per shape and thread.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::nn::onednn {

// One entry per spatial axis; dilation 1 is none.
struct ConvParams {
  Dims stride, dilation, before, after;
  int64_t groups = 1;
};

// x: N, C, …; w: K, C / groups, …; y: N, K, ….
void conv_forward(TensorSpan y, TensorView x, TensorView w, const TensorView* bias, const ConvParams& params);
void conv_backward_data(TensorSpan gx, TensorView gy, TensorView w, const ConvParams& params);
void conv_backward_weights(TensorSpan gw, TensorView x, TensorView gy, const ConvParams& params);

// c = a b (+ bias along the rows), all with two dims.
void matmul(TensorSpan c, TensorView a, TensorView b, const TensorView* bias);

struct BatchNormArrays {
  TensorView x, weight, bias;
  TensorSpan mean, variance;
};
// Computes mean and (biased) variance per channel and normalises by them.
void batch_norm_train(TensorSpan y, const BatchNormArrays& arrays, double eps);
// Normalises by the ones given.
void batch_norm_infer(TensorSpan y, const BatchNormArrays& arrays, double eps);
void batch_norm_backward(TensorSpan gx, TensorSpan gweight, TensorSpan gbias, TensorView gy, const BatchNormArrays& t, double eps);

}  // namespace tidepool::nn::onednn
