// What the public functions of all ops share: names in errors, allocation like the input, and the way into a plan.
#pragma once

#include <string>

#include "tidepool/plan.h"
#include "tidepool/problem.h"
#include "tidepool/tensor.h"

namespace tidepool::detail {

// One call of a public function, named as the user called it: "max_pool2d_into".
struct Call {
  Op op;
  int rank;
  std::string function;

  Call(Op op_, int rank_, const char* suffix) : op(op_), rank(rank_), function(function_name(op_, rank_) + suffix) {}
  Call(Op op_, int rank_, std::string name) : op(op_), rank(rank_), function(std::move(name)) {}

  [[noreturn]] void fail(ErrorCode code, const std::string& text) const { throw Error(code, function + ": " + text); }
};

template <class Enum>
void check_enum(const Call& call, const char* name, Enum value, Enum last) {
  if (value > last)
    call.fail(ErrorCode::invalid_argument,
              std::string(name) + " must be one of its named values, got " + std::to_string(static_cast<int>(value)));
}

// The window part of an op's options.
template <class Options>
WindowOptions window_options(const Options& o) {
  return {.kernel_size = o.kernel_size,
          .stride = o.stride,
          .padding = o.padding,
          .dilation = o.dilation,
          .ceil_mode = o.ceil_mode,
          .preset = o.preset};
}

// What must hold before anything else can be said of an array.
void check_view(const Call& call, const char* name, const TensorView& t);
void check_gradient_dtype(const Call& call, const TensorView& grad);
void check_shape(const Call& call, const char* name, const TensorView& t, const Dims& shape);

// A tensor of that shape, channels last if `like` is.
Tensor allocate_like(const TensorView& like, const Dims& shape, DType dtype, const Geometry& g);

// Fills in the layout and runs. Errors carry the call's name.
void run(const Call& call, Problem problem, const RunArrays& arrays);

}  // namespace tidepool::detail
