# 32-bit x86, with Debian's g++-i686-linux-gnu. The processor and the kernel of an x86-64 machine run its programs without emulation.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(tidepool_architecture i386)
set(tidepool_multiarch i386-linux-gnu)
set(tidepool_triplet i686-linux-gnu)
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
# The x87 unit computes with 80 bits, so its results have other bits than the definition. File sizes have 64 bits.
set(CMAKE_CXX_FLAGS_INIT "-msse2 -mfpmath=sse -D_FILE_OFFSET_BITS=64")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--dynamic-linker=/usr/i686-linux-gnu/lib/ld-linux.so.2")
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
