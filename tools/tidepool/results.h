// Writes the arrays that a verb computed: to files, completely or not at all, or to standard output.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "array_file.h"

namespace tidepool::cli {

struct Result {
  FileName name;
  FileKind kind;
  Tensor array;                // in the order of read_array
  std::string default_member;  // the name in a file of several arrays, if the user gave none
};

// The format of a result: `format` if it is not empty, else the extension, else, for standard output, that of the input. Throws Error if
// there is none.
FileKind kind_of_result(const FileName& name, const std::string& format, FileKind input);

// Results for the same .npz or .safetensors file go into it together. An existing file is replaced; if the user named the array in it, only
// that array is replaced or added. Nothing is left behind if any of them cannot be written.
void write_results(const std::vector<Result>& results, const ArrayFile& like, std::ostream& out);

}  // namespace tidepool::cli
