// The names of the arrays in one file: no name twice, and the error for a name that is not there.
#pragma once

#include <set>
#include <string>
#include <vector>

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

// "w.npz: there is no array 'c' (there are 'a' 'b')", with at most 20 of the names.
inline Error no_such_array(const std::string& file, const std::string& name, const std::vector<std::string>& names) {
  std::string list;
  for (size_t i = 0; i < names.size() && i < 20; ++i) list.append(i == 0 ? "'" : " '").append(printable(names[i])).append("'");
  if (names.size() > 20) list.append(" and ").append(std::to_string(names.size() - 20)).append(" more");
  return {ErrorCode::invalid_argument,
          file + ": there is no array '" + printable(name) + "'" + (names.empty() ? ", the file is empty" : " (there are " + list + ")")};
}

}  // namespace tidepool::inline v0_1::io
