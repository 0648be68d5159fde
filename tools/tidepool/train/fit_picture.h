// Converts a picture of a digit to the format of the training pictures.
#pragma once

#include "tidepool/tensor.h"

namespace tidepool::cli {

// `pixels` is a C, H, W array of u8, or of i32 up to 65535. The result is a channels, height, width array of u8. A picture that already has
// this shape is returned unchanged. Otherwise the picture is prepared as those of MNIST were: converted to grey, inverted if needed to
// bright on dark, cropped to what is drawn, scaled and centred. Throws Error if channels is not 1 or nothing is drawn.
Tensor fit_picture(const Tensor& pixels, int64_t channels, int64_t height, int64_t width);

}  // namespace tidepool::cli
