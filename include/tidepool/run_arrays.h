// The data of one problem: what a run reads and writes.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool {

// source_shape() and result_shape() of the problem say how large input and output are:
//   forward                input -> output [, indices written]; unpool reads indices
//   backward               input = gradient of the output -> output = gradient of the input
//   double backward        input = gradient of the input's gradient -> output = gradient of the output's gradient
//   double backward input  the same input, and the gradient of the output -> output = gradient of the forward pass's input
struct RunArrays {
  TensorView input = {};
  TensorSpan output = {};
  TensorSpan indices_out = {};  // max and min, forward
  TensorView indices_in = {};   // where the problem reads indices
  TensorView saved = {};        // lp's backward passes: the input of the forward pass
  TensorView grad = {};         // double backward input
  TensorView starts = {};       // fractional windows: i64, N, C, and then the starts along each axis, one axis after the other
};

}  // namespace tidepool
