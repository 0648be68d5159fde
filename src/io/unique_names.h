// Refuses a second array with the same name in one file.
#pragma once

#include <set>
#include <string>

#include "io/printable.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::io {

class UniqueNames {
 public:
  UniqueNames(std::string file, ErrorCode code) : file_(std::move(file)), code_(code) {}
  void add(const std::string& name) {
    if (!seen_.insert(name).second) throw Error(code_, file_ + ": names must differ, got '" + printable(name) + "' twice");
  }

 private:
  std::string file_;
  ErrorCode code_;
  std::set<std::string> seen_;
};

}  // namespace tidepool::inline v0_1::io
