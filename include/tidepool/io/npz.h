// NumPy's .npz files: zip archives of .npy files, compressed or not, up to 4 GiB.
#pragma once

#include <string>

#include "tidepool/export.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/io/named_tensors.h"

namespace tidepool::inline v0_1::io {

// Sizes and offsets are checked before memory is allocated for them, and contents against their checksums. Throws Error(parse) or IoError.
TIDEPOOL_API NamedTensors read_npz(const std::string& path);

// Writes without compression and with a fixed date, so that the same arrays always give the same bytes. Throws Error(unsupported) for bf16,
// which NumPy does not have.
TIDEPOOL_API void write_npz(AtomicFile& file, const NamedTensors& arrays);

}  // namespace tidepool::inline v0_1::io
