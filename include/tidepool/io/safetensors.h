// .safetensors files: a JSON header followed by the elements of all arrays. All element types are supported. The files are interchangeable
// with those of the safetensors package for PyTorch.
#pragma once

#include <map>
#include <string>

#include "tidepool/export.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/io/input_file.h"
#include "tidepool/io/named_tensors.h"

namespace tidepool::inline v0_1::io {

struct Safetensors {
  NamedTensors tensors;  // in the order of the header
  std::map<std::string, std::string> metadata;
};

// The file is not trusted: arrays must lie inside it, must not overlap and must have the size that their shape needs. Throws Error(parse)
// or IoError.
TIDEPOOL_API Safetensors read_safetensors(const std::string& path);
TIDEPOOL_API Safetensors read_safetensors(const InputFile& file);

// The names of the arrays, and one array alone. Throws Error(invalid_argument) with the names if there is none of that name.
TIDEPOOL_API std::vector<std::string> safetensors_names(const InputFile& file);
TIDEPOOL_API Tensor read_safetensors(const InputFile& file, const std::string& name);

// The same arrays and metadata always give the same bytes. Throws Error if two arrays have the same name.
TIDEPOOL_API void write_safetensors(Sink& sink, const Safetensors& content);

}  // namespace tidepool::inline v0_1::io
