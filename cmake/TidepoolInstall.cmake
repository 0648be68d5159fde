# Install components, which are also the Debian packages: runtime, development, program.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tidepool)
set(libraries tidepool tidepool_c tidepool_analyze)
set(headers_left_out)
if(TIDEPOOL_FILES)
  list(APPEND libraries tidepool_io tidepool_data)
else()
  list(APPEND headers_left_out REGEX "/tidepool/(io|data|plot)(/|$)" EXCLUDE)
endif()
if(TIDEPOOL_BUILD_NN)
  list(APPEND libraries tidepool_nn)
else()
  list(APPEND headers_left_out REGEX "/tidepool/nn(/|\\.h$|$)" EXCLUDE)
endif()
if(NOT TIDEPOOL_DLPACK_INCLUDE_DIR)
  list(APPEND headers_left_out REGEX "/tidepool/dlpack\\.h$" EXCLUDE)
endif()
install(
  TARGETS ${libraries}
  EXPORT tidepool-targets
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development
  RUNTIME COMPONENT runtime)
install(DIRECTORY include/tidepool DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h" ${headers_left_out})
install(EXPORT tidepool-targets NAMESPACE tidepool:: DESTINATION ${package_dir} COMPONENT development)
if(TIDEPOOL_BUILD_TOOLS)
  file(RELATIVE_PATH from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(tidepool_cli PROPERTIES INSTALL_RPATH ${TIDEPOOL_ORIGIN}/${from_program})
  install(TARGETS tidepool_cli RUNTIME COMPONENT program)
endif()

# Projects in C that link the static libraries need the C++ runtime.
set(cxx_runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(FILTER cxx_runtime INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$")
list(REMOVE_DUPLICATES cxx_runtime)

configure_package_config_file(cmake/tidepool-config.cmake.in tidepool-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(tidepool-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tidepool-config.cmake ${PROJECT_BINARY_DIR}/tidepool-config-version.cmake cmake/TidepoolHighway.cmake
              cmake/TidepoolOneDNN.cmake
        DESTINATION ${package_dir}
        COMPONENT development)
include(TidepoolPkgConfig)

# The pages keep their places relative to each other, so that links between them work.
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development FILES_MATCHING REGEX "\\.(md|svg|png|cc|out)$")
