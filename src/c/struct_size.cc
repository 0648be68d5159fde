#include "c/struct_size.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "tidepool/error.h"

namespace tidepool::inline v0_1::c {

void read_struct(const char* function, const StructVersion& version, const void* given, void* known) {
  // More than any version will have. A struct_size that was never set must not make the library read far behind the struct.
  constexpr size_t most = 4096;
  size_t size;
  std::memcpy(&size, given, sizeof size);
  if (size < version.first || size > most)
    throw Error(ErrorCode::invalid_argument,
                std::string(function) + ": struct_size must be sizeof(" + version.name + "), got " + std::to_string(size));
  const auto* bytes = static_cast<const unsigned char*>(given);
  for (size_t i = version.known; i < size; ++i)
    if (bytes[i] != 0)
      throw Error(ErrorCode::unsupported, std::string(function) + ": " + version.name +
                                              " sets a member that this version of tidepool does not have, at byte " + std::to_string(i));
  std::memcpy(known, given, std::min(size, version.known));
}

}  // namespace tidepool::inline v0_1::c
