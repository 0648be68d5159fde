// A file that cannot be opened, read or written; the message names it. What stands in a file and is wrong is a plain Error(parse).
#pragma once

#include <stdexcept>
#include <string>

namespace tidepool::io {

class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "cannot open in.npy: No such file or directory", from errno.
IoError io_error(const std::string& action, const std::string& path);

}  // namespace tidepool::io
