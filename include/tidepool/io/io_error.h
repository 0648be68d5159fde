// The error for a file that cannot be opened, read or written; its message contains the path. Invalid contents are an Error(parse).
#pragma once

#include <string>
#include <utility>

#include "tidepool/error.h"
#include "tidepool/export.h"

namespace tidepool::inline v0_1::io {

class TIDEPOOL_API IoError : public Error {
 public:
  explicit IoError(std::string message) : Error(ErrorCode::io, std::move(message)) {}
};

// Describes errno: "cannot open in.npy: No such file or directory".
TIDEPOOL_API IoError io_error(const std::string& action, const std::string& path);

}  // namespace tidepool::inline v0_1::io
