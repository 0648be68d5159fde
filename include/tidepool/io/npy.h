// NumPy's .npy files: versions 1.0, 2.0 and 3.0, little and big endian, C and Fortran order.
#pragma once

#include <string>

#include "tidepool/export.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/io/input_file.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::io {

// An array in Fortran order is not copied: its strides describe that order. Big-endian elements are converted. Throws Error(parse) or
// IoError.
TIDEPOOL_API Tensor read_npy(const std::string& path);
TIDEPOOL_API Tensor read_npy(const InputFile& file);

// Writes version 1.0 in C order; the array can have any strides. Throws Error(unsupported) for bf16, which NumPy does not have.
TIDEPOOL_API void write_npy(Sink& sink, const TensorArg& array);

}  // namespace tidepool::inline v0_1::io
