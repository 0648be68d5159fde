// Two pictures beside each other: before and after a pooling.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::cli {

// Pictures of shape C, H, W with the same channels, u8 or i32. The smaller one is enlarged to the height of the other by repeating pixels,
// with its proportions kept. Between them are some white columns. Throws Error for other arrays, and if the result would be too large.
Tensor side_by_side(const Tensor& before, const Tensor& after);

}  // namespace tidepool::cli
