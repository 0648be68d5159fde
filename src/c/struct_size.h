// Structs that grow: a program and the library may have been compiled with different versions of c.h.
#pragma once

#include <cstddef>

namespace tidepool::inline v0_1::c {

// What the library knows of one struct whose first member is `size_t struct_size`.
struct StructVersion {
  const char* name;
  size_t first;  // bytes of the first version that was published
  size_t known;  // bytes of the version that the library was compiled with
};

// Copies a struct of the caller onto `known`, which holds the defaults: members that an older caller's struct does not have keep them.
// A newer caller's struct is accepted if the members that the library does not know are zero. Throws Error otherwise.
void read_struct(const char* function, const StructVersion& version, const void* given, void* known);

}  // namespace tidepool::inline v0_1::c
