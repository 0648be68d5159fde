// The error for a file that cannot be opened, read or written; its message contains the path. Invalid contents are an Error(parse).
#pragma once

#include <string>
#include <utility>

#include "tidepool/error.h"

namespace tidepool::io {

class IoError : public Error {
 public:
  explicit IoError(std::string message) : Error(ErrorCode::io, std::move(message)) {}
};

// Describes errno: "cannot open in.npy: No such file or directory".
IoError io_error(const std::string& action, const std::string& path);

}  // namespace tidepool::io
