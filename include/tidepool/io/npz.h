// NumPy's .npz files: zip archives of .npy files, compressed or not, up to 4 GiB.
#pragma once

#include <string>

#include "tidepool/export.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/io/input_file.h"
#include "tidepool/io/named_tensors.h"

namespace tidepool::inline v0_1::io {

// Sizes and offsets are checked before memory is allocated for them, and contents against their checksums. Throws Error(parse) or IoError.
TIDEPOOL_API NamedTensors read_npz(const std::string& path);
TIDEPOOL_API NamedTensors read_npz(const InputFile& file);

// The names of the arrays, and one array alone. Throws Error(invalid_argument) with the names if there is none of that name.
TIDEPOOL_API std::vector<std::string> npz_names(const InputFile& file);
TIDEPOOL_API Tensor read_npz(const InputFile& file, const std::string& name);

// Writes without compression and with a fixed date, so that the same arrays always give the same bytes. Throws Error(unsupported) for bf16,
// which NumPy does not have.
TIDEPOOL_API void write_npz(Sink& sink, const NamedTensors& arrays);

}  // namespace tidepool::inline v0_1::io
