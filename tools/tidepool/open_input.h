// Opens a file, a pipe or standard input for reading.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "file_name.h"

namespace tidepool::cli {

// What a pipe or standard input holds is read into memory; it ends early, with an Error, if the first bytes are of no known format. Throws
// IoError if it cannot be read.
std::unique_ptr<io::InputFile> open_input(const FileName& name);

// All bytes of a file, a pipe, or with - standard input, whatever they are. Throws Error if they are more than `most`, unless that is 0.
// The verb is for messages.
std::string read_contents(const std::string& verb, const std::string& name, int64_t most = 0);

}  // namespace tidepool::cli
