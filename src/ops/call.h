// Shared by all ops: error messages, checks of arrays, allocation of results, and running a plan.
#pragma once

#include <string>

#include "tidepool/plan.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::detail {

// Throws Error. `function` is the public function that the user called; the message begins with its name.
[[noreturn]] void fail(const char* function, ErrorCode code, const std::string& text);

template <class Enum>
void check_enum(const char* function, const char* name, Enum value, Enum last) {
  if (value > last)
    fail(function, ErrorCode::invalid_argument,
         std::string(name) + " must be one of its named values, got " + std::to_string(static_cast<int>(value)));
}

// Checks that the array is that of a defined tensor, that the dtype is known and that there is one stride per dim. All other checks rely on
// it.
void check_view(const char* function, const char* name, const TensorView& t);
void check_gradient_dtype(const char* function, const TensorView& grad);
void check_shape(const char* function, const char* name, const TensorView& t, const Dims& shape);

// A new tensor of that shape: channels-last if `like` is, otherwise row-major.
Tensor allocate_like(const TensorView& like, const Dims& shape, DType dtype, const Geometry& g);

// Sets the layout of the problem from the strides of the arrays, and runs its cached plan.
void run(const char* function, Problem&& problem, const RunArrays& arrays);

}  // namespace tidepool::inline v0_1::detail
