# try_source.sh NAME VERSION, inside a fresh system whose working folder holds the source archive and programs in C++ and C.
set -eux
. ./try_programs.sh
apt-get update -q
apt-get install -yq --no-install-recommends g++ cmake make ninja-build pkg-config ccache \
  libhwy-dev libtbb-dev zlib1g-dev libpng-dev libdnnl-dev libcli11-dev nlohmann-json3-dev libdlpack-dev
absent git
tar -xzf "$1.tar.gz"
# With Ninja, whose commands the compiler cache knows from the other builds.
cmake -S "$1" -B "$1/build/root" -G Ninja -DTIDEPOOL_BUILD_TESTS=OFF -DTIDEPOOL_BUILD_EXAMPLES=OFF -DTIDEPOOL_BUILD_BENCH=OFF
cmake --build "$1/build/root" -j "$JOBS"
cmake --install "$1/build/root" --prefix /opt/tidepool
rm -rf "$1"

# The archive makes static libraries, which are found in a place of the user's choice.
export CMAKE_PREFIX_PATH=/opt/tidepool PKG_CONFIG_PATH=/opt/tidepool/lib/pkgconfig
try_programs "$2" --static
/opt/tidepool/bin/tidepool plan "max2d fwd f32 nchw 1x1x4x4 k2" | grep -q 1x1x2x2
