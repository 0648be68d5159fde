# Settings of all targets: language standard, warnings, sanitizers.
set(TIDEPOOL_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND TIDEPOOL_WARNINGS -Wno-restrict)  # false positives of GCC 12 in std::string's operator+ (GCC bug 105651)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # std::stable_sort of libstdc++ 12 calls a function that libstdc++ 12 calls deprecated, and clang 19 says so. GCC warns of ours.
  list(APPEND TIDEPOOL_WARNINGS -Wno-deprecated-declarations)
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

# Where the loader looks for our own shared libraries: beside the library, or relative to the program, so that an installed tree can be moved.
set(TIDEPOOL_ORIGIN $ORIGIN)
if(APPLE)
  set(TIDEPOOL_ORIGIN @loader_path)
endif()

# The settings of a library that users link: its version, and that a shared library exports the public API alone (docs/adr/0015-symbols.md).
# Without a macro of their own, the objects of shared and static libraries are equal, and the compiler cache serves both.
function(tidepool_library target)
  tidepool_defaults(${target})
  set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} DEFINE_SYMBOL ""
                                             CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON WINDOWS_EXPORT_ALL_SYMBOLS ON)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH ${TIDEPOOL_ORIGIN})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND UNIX AND NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,--version-script=${PROJECT_BINARY_DIR}/exports.map)
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${PROJECT_BINARY_DIR}/exports.map)
  endif()
endfunction()
configure_file(cmake/exports.map.in exports.map @ONLY)

# Sets `out` to the files that match. It may be empty: CMake warns about targets without sources, so callers must skip the target then.
function(tidepool_glob out)
  file(GLOB found CONFIGURE_DEPENDS ${ARGN})
  set(${out} ${found} PARENT_SCOPE)
endfunction()
