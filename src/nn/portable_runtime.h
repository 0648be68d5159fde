// What the runtimes of compilers tell about a program, each piece with a portable branch as in core/portable.h.
#pragma once

#include <string>

namespace tidepool::inline v0_1::nn {

// A class as the source names it, from the name() of its type_info. MSVC's name() has a keyword in front. Other compilers encode the name;
// the portable branch does not decode it.
std::string class_name(const char* type_info_name);

// Whether the process certainly has one thread. False where that is not known.
bool has_one_thread() noexcept;

}  // namespace tidepool::inline v0_1::nn
