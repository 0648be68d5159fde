// The arrays of one problem, filled with random numbers, and the memory limit measured on the very same bytes.
#pragma once

#include <cstdint>

#include "tidepool/executor.h"
#include "tidepool/plan.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

// Everything that is read lies in one block and everything that is written in another.
struct RunData {
  Tensor read_block;
  Tensor write_block;
  Tensor starts;  // of fractional windows
  RunArrays arrays;
  int64_t read_bytes = 0;
  int64_t write_bytes = 0;
};

// Normally distributed, integers over their whole range. Random numbers cost more than pooling them: large dense arrays repeat, with a
// prime period, so that no two cells of a window are alike.
void fill_random(TensorSpan span, uint64_t seed, bool dense);

// Backward passes get indices that a forward pass over random input wrote. Throws Error when the machine has not enough memory.
RunData make_run_data(const Problem& problem, uint64_t seed, Executor& executor);

// Streams over the bytes of `data` once, split as many ways as the executor has threads. Overwrites what the problem writes.
void stream_limit(RunData& data, Executor& executor);

}  // namespace tidepool::cli
