// What the computations of all ops share: names in errors, checks of arrays, allocation like the input, and running a plan.
#pragma once

#include <string>

#include "tidepool/plan.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::detail {

// `function` is the name of the public function that the user called: every message begins with it.
[[noreturn]] void fail(const char* function, ErrorCode code, const std::string& text);

template <class Enum>
void check_enum(const char* function, const char* name, Enum value, Enum last) {
  if (value > last)
    fail(function, ErrorCode::invalid_argument,
         std::string(name) + " must be one of its named values, got " + std::to_string(static_cast<int>(value)));
}

// Must hold before anything else can be said of an array: a known dtype, and one stride per dim.
void check_view(const char* function, const char* name, const TensorView& t);
void check_gradient_dtype(const char* function, const TensorView& grad);
void check_shape(const char* function, const char* name, const TensorView& t, const Dims& shape);

// New memory of that shape, channels last if `like` is.
Tensor allocate_like(const TensorView& like, const Dims& shape, DType dtype, const Geometry& g);

// Derives the layout from the arrays' strides, and runs the cached plan of the problem.
void run(const char* function, Problem problem, const RunArrays& arrays);

}  // namespace tidepool::detail
