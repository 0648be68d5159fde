# clang with LLVM's standard library. GoogleTest is built from Debian's sources, because its packages use GCC's library; oneTBB, zlib, libpng
# and Highway have interfaces that do not depend on the standard library.
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_FLAGS_INIT "-stdlib=libc++")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-stdlib=libc++")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-stdlib=libc++")
set(TIDEPOOL_GTEST_SOURCE_DIR /usr/src/googletest)
