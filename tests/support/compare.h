// Comparisons as GoogleTest assertions.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/arrays.h"
#include "tidepool/tensor.h"

namespace tidepool::test {

// Equal shapes, dtypes and bits, whatever the strides. The failure names the first cell that differs and both values.
::testing::AssertionResult same_bits(const TensorArg& expected, const TensorArg& actual);

// As same_bits, but a cell may differ by its cell of `tolerance`, and NaNs are equal. An empty tolerance means the same bits.
::testing::AssertionResult close_enough(const TensorArg& expected, const TensorArg& tolerance, const TensorArg& actual);

// Runs the plan with guarded scratch. Checks values and indices, and that neither the inputs nor the bytes between and around the outputs
// changed. A failure prints the problem's text, the kernel, the target and the seed.
::testing::AssertionResult runs_right(const Plan& plan, const Job& job, Executor& executor, uint64_t seed);

// "1.5 (0x3fc00000)"
std::string cell_text(const TensorArg& array, const Dims& at);

}  // namespace tidepool::test
