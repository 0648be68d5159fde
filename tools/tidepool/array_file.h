// Arrays in files, by extension: .npy and .png, seen as N, C, spatial… or C, spatial….
#pragma once

#include <string>

#include "tidepool/io/atomic_file.h"
#include "tidepool/io/png.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

using io::AtomicFile;
using io::PngImage;

enum class FileKind { npy, png };

// Throws Error for any other extension.
FileKind file_kind(const std::string& path);

// What must be remembered of the input to write the output in its likeness.
struct ArrayFile {
  Tensor array;                // N, C, spatial… or C, spatial…
  bool plain = false;          // the file had spatial dims alone; the channel was added
  int channel_dim = 0;         // where C stands in `array`
  bool channels_last = false;  // .npy files have C at the end
  PngImage picture;            // colour facts, when it was one
};

// `rank` spatial dims. An .npy array has rank dims (plain), rank + 1 (with channels) or rank + 2 (with batch and channels).
ArrayFile read_array(const std::string& path, int rank, bool channels_last);

// Writes `array`, shaped as read_array gave it, the way the file `like` was.
void write_array(AtomicFile& file, FileKind kind, const Tensor& array, const ArrayFile& like);

}  // namespace tidepool::cli
