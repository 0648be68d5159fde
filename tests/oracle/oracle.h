// The slow version: plain loops that are obviously right. It shares no code with src/ and knows nothing of windows but their definition.
#pragma once

#include "tidepool/problem.h"
#include "tidepool/run_arrays.h"
#include "tidepool/tensor.h"

namespace tidepool::oracle {

struct Expected {
  Tensor values;     // row-major
  Tensor indices;    // forward with indices: row-major, of index_dtype(); otherwise empty
  Tensor tolerance;  // f64, how far from a value a right answer may lie; empty: not a bit
};

// What the problem must give for the arrays that a run reads; any strides, any alignment.
Expected run(const Problem& problem, const RunArrays& arrays);

}  // namespace tidepool::oracle
