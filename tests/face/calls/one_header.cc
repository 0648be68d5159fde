// The functions that CMake makes of one_header.cc.in, one per header.
#include "check.h"
#include "programs.h"

namespace face {

#define FACE_ONE_HEADER(function) bool one_header_##function();
#include "one_header.inc"
#undef FACE_ONE_HEADER

void one_header() {
#define FACE_ONE_HEADER(function) check(one_header_##function(), "with one header, " #function " is recorded");
#include "one_header.inc"
#undef FACE_ONE_HEADER
}

}  // namespace face
