// Arrays from files, read with the shape N, C, spatial… or C, spatial….
#pragma once

#include <string>

#include "file_name.h"
#include "tidepool/io/png.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

using io::PngImage;

// An array from a file, and what is needed to write the result in the same form.
struct ArrayFile {
  FileKind kind = FileKind::npy;
  Tensor array;                // N, C, spatial… or C, spatial…
  bool spatial_only = false;   // the file had no channel dimension; one was added
  int channel_dim = 0;         // the position of C in `array`
  bool channels_last = false;  // C is the last dimension in files other than .png
  PngImage picture;            // colour information, if the file was a .png
};

// The contents decide about the format, whatever the extension says. An array has `rank` dimensions (spatial only), rank + 1 (with
// channels) or rank + 2 (with batch and channels). Of a file with several arrays, the name must say which.
ArrayFile read_array(const FileName& name, int rank, bool channels_last);

// `array`, whose dimensions are in the order of read_array, with the dimensions in the order of the file `like`.
Tensor in_file_order(const Tensor& array, const ArrayFile& like);

}  // namespace tidepool::cli
