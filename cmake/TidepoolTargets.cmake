# Settings of all targets: language standard, warnings, sanitizers.
set(TIDEPOOL_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND TIDEPOOL_WARNINGS -Wno-restrict)  # false positives of GCC 12 in std::string's operator+ (GCC bug 105651)
endif()
if(TIDEPOOL_WARNINGS_AS_ERRORS)
  list(APPEND TIDEPOOL_WARNINGS -Werror)
endif()

function(tidepool_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  # Without contraction to fused multiply-add, sums have the same bits on all targets, and in the reference implementation and the tests.
  target_compile_options(${target} PRIVATE ${TIDEPOOL_WARNINGS} -ffp-contract=off)
  if(TIDEPOOL_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${TIDEPOOL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${TIDEPOOL_SANITIZE})
  endif()
endfunction()

# Sets `out` to the files that match. It may be empty: CMake warns about targets without sources, so callers must skip the target then.
function(tidepool_glob out)
  file(GLOB found CONFIGURE_DEPENDS ${ARGN})
  set(${out} ${found} PARENT_SCOPE)
endfunction()
