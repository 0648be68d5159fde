# 64-bit ARM, with Debian's g++-aarch64-linux-gnu. Programs run under qemu-user.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(tidepool_architecture arm64)
set(tidepool_multiarch aarch64-linux-gnu)
set(tidepool_triplet aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
