// Comparison by bits, with failures that can be read and pasted back.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/arrays.h"
#include "tidepool/tensor.h"

namespace tidepool::test {

// Equal shapes, dtypes and bits, whatever the strides. The failure names the first cell that differs and both values.
::testing::AssertionResult same_bits(TensorView expected, TensorView actual);

// As same_bits, but a cell may lie as far off as its cell of `tolerance` says; NaN is NaN.
::testing::AssertionResult close_enough(TensorView expected, TensorView tolerance, TensorView actual);

// Runs the plan and checks values, indices, and that nothing else was touched: neither gaps and margins nor the inputs.
::testing::AssertionResult runs_right(const Plan& plan, const Job& job, Executor& executor, uint64_t seed);

// "1.5 (0x3fc00000)"
std::string cell_text(TensorView array, const Dims& at);

}  // namespace tidepool::test
