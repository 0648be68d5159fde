// NumPy's .npy files: versions 1.0, 2.0 and 3.0, little endian, C and Fortran order.
#pragma once

#include <string>

#include "tidepool/export.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::io {

// An array in Fortran order is not copied: its strides describe that order. Throws Error(parse) or IoError.
TIDEPOOL_API Tensor read_npy(const std::string& path);

// Writes version 1.0 in C order; the array can have any strides. Throws Error(unsupported) for bf16, which NumPy does not have.
TIDEPOOL_API void write_npy(AtomicFile& file, const TensorArg& array);

}  // namespace tidepool::inline v0_1::io
