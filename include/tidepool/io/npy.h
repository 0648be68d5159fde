// NumPy's .npy files: versions 1.0, 2.0 and 3.0, little endian, C and Fortran order.
#pragma once

#include <string>

#include "tidepool/io/atomic_file.h"
#include "tidepool/tensor.h"

namespace tidepool::io {

// Fortran-ordered arrays come back as they lie in memory, with strides that say so. Throws Error(parse) or IoError.
Tensor read_npy(const std::string& path);

// Writes version 1.0, C order, whatever the strides of the array. NumPy has no bf16: Error(unsupported).
void write_npy(AtomicFile& file, TensorView array);

}  // namespace tidepool::io
