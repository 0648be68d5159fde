// The reference implementation: plain loops over every tap of every window, written from the definitions of the ops.
// Tests and `tidepool run --check` compare kernels with it. It takes the problem's numbers from the public types and shares no code with
// src/. It is slow on purpose: nothing is skipped, hoisted or reordered.
#pragma once

#include <atomic>
#include <cstdint>

#include "tidepool/problem.h"
#include "tidepool/run_arrays.h"
#include "tidepool/tensor.h"

namespace tidepool::reference {

struct Expected {
  Tensor values;     // contiguous
  Tensor indices;    // contiguous, of index_dtype(); empty unless the problem writes indices
  Tensor tolerance;  // f64: the largest allowed distance of each value; empty when the bits must be equal
};

// The results of `problem` for the arrays that a run reads, with any strides and any alignment. The arrays that a run writes are ignored.
// Another thread can read from `done` how many outputs have been visited.
Expected compute(const Problem& problem, const RunArrays& arrays, std::atomic<int64_t>* done = nullptr);

}  // namespace tidepool::reference
