include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tidepool)
install(TARGETS tidepool EXPORT tidepool-targets)
if(TIDEPOOL_FILES)
  install(TARGETS tidepool_io tidepool_data EXPORT tidepool-targets)
endif()
install(DIRECTORY include/tidepool DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT tidepool-targets NAMESPACE tidepool:: DESTINATION ${package_dir})
if(TIDEPOOL_BUILD_TOOLS)
  install(TARGETS tidepool_cli)
endif()

configure_package_config_file(cmake/tidepool-config.cmake.in tidepool-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(tidepool-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tidepool-config.cmake ${PROJECT_BINARY_DIR}/tidepool-config-version.cmake cmake/TidepoolHighway.cmake
        DESTINATION ${package_dir})

# A shared library carries its needs itself; a static one hands them to whoever links.
set(pc_requires "libhwy >= 1.0.3")
if(TIDEPOOL_TBB)
  string(APPEND pc_requires ", tbb")
endif()
set(pc_requires_field "Requires")
if(BUILD_SHARED_LIBS)
  set(pc_requires_field "Requires.private")
endif()
# Found relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH pc_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH pc_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/tidepool.pc.in tidepool.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tidepool.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
