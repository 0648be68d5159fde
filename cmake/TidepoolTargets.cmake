# What every target of ours shares: language level, warnings, sanitizers.
set(TIDEPOOL_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND TIDEPOOL_WARNINGS -Wno-restrict)  # GCC 12 sees overlaps inside std::string's + that are not there (its bug 105651)
endif()
if(TIDEPOOL_WARNINGS_AS_ERRORS)
  list(APPEND TIDEPOOL_WARNINGS -Werror)
endif()

function(tidepool_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  # Sums must give the same bits on targets with and without fused multiply-add; the reference implementation and the tests compute under the same rule.
  target_compile_options(${target} PRIVATE ${TIDEPOOL_WARNINGS} -ffp-contract=off)
  if(TIDEPOOL_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${TIDEPOOL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${TIDEPOOL_SANITIZE})
  endif()
endfunction()

# CMake warns about a target without sources before the first file of a folder exists; callers skip the target instead.
function(tidepool_glob out)
  file(GLOB found CONFIGURE_DEPENDS ${ARGN})
  set(${out} ${found} PARENT_SCOPE)
endfunction()
