// The arrays that one run of a plan reads and writes.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

// input has the shape source_shape(problem), output the shape result_shape(problem):
//   forward                input -> output [, indices written]; unpool reads indices
//   backward               input = gradient of the output -> output = gradient of the input
//   double backward        input = gradient of the input's gradient -> output = gradient of the output's gradient
//   double backward input  the same input, saved and grad -> output = gradient of the forward pass's input
struct RunArrays {
  TensorView input = {};
  TensorSpan output = {};
  TensorSpan indices_out = {};  // max and min, forward
  TensorView indices_in = {};   // where the problem reads indices
  TensorView saved = {};        // lp's backward passes: the input of the forward pass
  TensorView grad = {};         // double backward input: the gradient of the output
  // Fractional windows: where each window starts. i64, shape N, C, S (or C, S), contiguous: for every plane the starts along the first
  // spatial axis, then along the next; S is the sum of the output sizes.
  TensorView starts = {};
};

}  // namespace tidepool::inline v0_1
