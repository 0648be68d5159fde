// NumPy's .npz: a zip archive of .npy files, stored or deflated, up to 4 GiB.
#pragma once

#include <string>

#include "tidepool/io/atomic_file.h"
#include "tidepool/io/named_tensors.h"

namespace tidepool::io {

// Checksums, sizes and places are checked before anything is allocated for them. Throws Error(parse) or IoError.
NamedTensors read_npz(const std::string& path);

// Stored, without dates: the same arrays give the same bytes. NumPy has no bf16: Error(unsupported).
void write_npz(AtomicFile& file, const NamedTensors& arrays);

}  // namespace tidepool::io
