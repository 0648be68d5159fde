// The arrays of one problem, filled with random numbers, and the memory limit measured on the same bytes.
#pragma once

#include <cstdint>

#include "tidepool/executor.h"
#include "tidepool/plan.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

// Arrays that are read lie in one block of memory, arrays that are written in another.
struct RunData {
  Tensor read_block;
  Tensor write_block;
  Tensor starts;  // of fractional windows
  RunArrays arrays;
  int64_t read_bytes = 0;
  int64_t write_bytes = 0;
};

// Normally distributed floating values, integers over their whole range. Making random numbers takes longer than pooling them, so large
// dense arrays repeat with a prime period, which keeps the rows of a window different.
void fill_random(TensorSpan span, uint64_t seed, bool dense);

// Backward passes get indices that a forward pass over random input wrote. Throws Error when the machine has not enough memory.
RunData make_run_data(const Problem& problem, uint64_t seed, Executor& executor);

// Reads and writes the bytes of `data` once, with one piece per thread of the executor. Overwrites the results of the problem.
void stream_limit(RunData& data, Executor& executor);

}  // namespace tidepool::cli
