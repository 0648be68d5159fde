// Values in the notation of Python, as PyTorch prints them.
#pragma once

#include <string>

#include "tidepool/extent.h"

namespace tidepool::inline v0_1::nn::detail {

std::string repr(double value);  // 0.1, 2.0, 1e-05
inline std::string repr(bool value) { return value ? "True" : "False"; }
std::string repr_tuple(const Sizes& sizes, int rank);  // (3, 3), (3,)
std::string repr_given(const Sizes& sizes, int rank);  // 3 if one number was given, else a tuple; None stands for keep_size
std::string repr_tuple(const Pads& padding, int rank);
std::string repr_given(const Pads& padding, int rank);

}  // namespace tidepool::inline v0_1::nn::detail
