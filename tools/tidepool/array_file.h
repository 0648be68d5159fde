// Arrays in .npy and .png files, read with the shape N, C, spatial… or C, spatial….
#pragma once

#include <string>

#include "tidepool/io/atomic_file.h"
#include "tidepool/io/png.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

using io::AtomicFile;
using io::PngImage;

enum class FileKind { npy, png };

// Decided by the extension. Throws Error for any other than .npy and .png.
FileKind file_kind(const std::string& path);

// An array from a file, and what is needed to write the result in the same form.
struct ArrayFile {
  Tensor array;                // N, C, spatial… or C, spatial…
  bool spatial_only = false;   // the file had no channel dimension; one was added
  int channel_dim = 0;         // the position of C in `array`
  bool channels_last = false;  // C is the last dimension in .npy files
  PngImage picture;            // colour information, if the file was a .png
};

// An .npy array has `rank` dimensions (spatial only), rank + 1 (with channels) or rank + 2 (with batch and channels).
ArrayFile read_array(const std::string& path, int rank, bool channels_last);

// Writes `array`, whose dimensions are in the order of read_array, with the dimensions in the order of the file `like`.
void write_array(AtomicFile& file, FileKind kind, const Tensor& array, const ArrayFile& like);

}  // namespace tidepool::cli
