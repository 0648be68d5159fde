// A file that cannot be opened, read or written; the message names it. What stands in a file and is wrong is a plain Error(parse).
#pragma once

#include <string>
#include <utility>

#include "tidepool/error.h"

namespace tidepool::io {

class IoError : public Error {
 public:
  explicit IoError(std::string message) : Error(ErrorCode::io, std::move(message)) {}
};

// "cannot open in.npy: No such file or directory", from errno.
IoError io_error(const std::string& action, const std::string& path);

}  // namespace tidepool::io
