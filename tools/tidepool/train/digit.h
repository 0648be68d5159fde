// A picture of one thing, made to look like the pictures a network was trained on.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::cli {

// `pixels` is C, H, W of u8, or of i32 up to 65535; the answer is channels, height, width of u8. A picture of that size stays as it is.
// Another becomes grey for one channel, bright on dark, is cut to what is drawn on it, and put into the middle, as MNIST's were. Throws
// Error.
Tensor fit_picture(const Tensor& pixels, int64_t channels, int64_t height, int64_t width);

}  // namespace tidepool::cli
