// PNG pictures as arrays of shape C, H, W, stored channels last. The channels are grey, grey and alpha, RGB or RGBA. Sample values are not
// converted: no gamma correction, no scaling.
#pragma once

#include <optional>
#include <string>

#include "tidepool/export.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/io/input_file.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::io {

struct PngImage {
  Tensor pixels;                  // u8 for up to 8 bits per sample; i32 from 0 to 65535 for 16 bits
  std::optional<int> srgb;        // rendering intent, if the file has one
  std::optional<int> file_gamma;  // gamma times 100000, if the file has one
};

// Palettes are expanded to RGB, samples of fewer than 8 bits to 8 bits, and a transparent colour to an alpha channel. Throws Error(parse)
// or IoError.
TIDEPOOL_API PngImage read_png(const std::string& path);
TIDEPOOL_API PngImage read_png(const InputFile& file);

// Writes u8 as 8 bits per sample and i32 from 0 to 65535 as 16 bits. The array can have any strides. Throws Error if its shape, element
// type or values do not fit a PNG.
TIDEPOOL_API void write_png(Sink& sink, const PngImage& image);

}  // namespace tidepool::inline v0_1::io
