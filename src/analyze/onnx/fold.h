// Computation of small constants, of which exported files make shapes, axes and scales.
#pragma once

#include "analyze/onnx/call.h"
#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

// Whether all inputs are constants whose elements are known.
bool has_numbers(const Call& call);

// Each false if the operator is not one of its family, or if the result is not known: then the result has a shape only.
bool fold_arithmetic(Call& call);  // element by element, with broadcasting, and reductions
bool fold_movement(Call& call);    // elements in other places

// The shape of several constants broadcast to each other; nothing if they do not, or if it has more than most_numbers elements.
std::optional<Dims> broadcast(const std::vector<Value>& values);

}  // namespace tidepool::inline v0_1::analyze::onnx
