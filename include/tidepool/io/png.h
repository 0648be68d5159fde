// PNG pictures as arrays C, H, W whose memory is H, W, C: grey, grey and alpha, RGB or RGBA, with every value as it stands in the file.
#pragma once

#include <optional>
#include <string>

#include "tidepool/io/atomic_file.h"
#include "tidepool/tensor.h"

namespace tidepool::io {

struct PngImage {
  Tensor pixels;                  // 8 bits a sample: u8; 16 bits: i32, 0 to 65535
  std::optional<int> srgb;        // rendering intent, if the file states one
  std::optional<int> file_gamma;  // times 100000, if stated
};

// Palettes become RGB, fewer than 8 bits become 8, a transparent colour becomes alpha. Throws Error(parse) or IoError.
PngImage read_png(const std::string& path);

// Any strides. u8 gives 8 bits a sample, i32 in 0…65535 gives 16. Throws Error when the array is no picture.
void write_png(AtomicFile& file, const PngImage& image);

}  // namespace tidepool::io
