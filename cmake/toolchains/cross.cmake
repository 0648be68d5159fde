# Shared by the toolchains: packages are found in the folder that scripts/platforms_sysroot.sh fills. The C and C++ libraries are those of
# Debian's cross compilers in /usr/TRIPLET. Programs look for all of them there at run time too.
set(tidepool_sysroot ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot/${tidepool_architecture})
cmake_path(NORMAL_PATH tidepool_sysroot)
set(tidepool_libraries ${tidepool_sysroot}/usr/lib/${tidepool_multiarch})
set(tidepool_rpath ${tidepool_libraries}:${tidepool_sysroot}/lib/${tidepool_multiarch})

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_FIND_ROOT_PATH ${tidepool_sysroot})
set(CMAKE_LIBRARY_ARCHITECTURE ${tidepool_multiarch})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${tidepool_libraries}/pkgconfig:${tidepool_sysroot}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${tidepool_sysroot})
string(APPEND CMAKE_CXX_FLAGS_INIT " -idirafter ${tidepool_sysroot}/usr/include")
foreach(kind EXE SHARED)
  string(APPEND CMAKE_${kind}_LINKER_FLAGS_INIT
         " -L${tidepool_libraries} -Wl,-rpath-link,${tidepool_rpath} -Wl,-rpath,${tidepool_rpath}:/usr/${tidepool_triplet}/lib")
endforeach()
