#include "tidepool/io/io_error.h"

#include <cerrno>
#include <cstring>

namespace tidepool::inline v0_1::io {

IoError io_error(const std::string& action, const std::string& path) {
  const int code = errno;
  return IoError("cannot " + action + " " + path + ": " + std::strerror(code));
}

}  // namespace tidepool::inline v0_1::io
