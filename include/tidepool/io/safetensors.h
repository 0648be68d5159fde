// .safetensors: a JSON header and the cells, all dtypes. PyTorch reads what this writes, and the other way round.
#pragma once

#include <map>
#include <string>

#include "tidepool/io/atomic_file.h"
#include "tidepool/io/named_tensors.h"

namespace tidepool::io {

struct Safetensors {
  NamedTensors tensors;  // in the order of the header
  std::map<std::string, std::string> metadata;
};

// Nothing in the file is trusted: cells must lie inside it, must not overlap, and must fit their shapes. Throws Error(parse) or IoError.
Safetensors read_safetensors(const std::string& path);

// The same arrays and metadata give the same bytes. Names must differ.
void write_safetensors(AtomicFile& file, const Safetensors& content);

}  // namespace tidepool::io
