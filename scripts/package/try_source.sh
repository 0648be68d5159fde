# try_source.sh NAME VERSION, inside a fresh system in which /work holds the source archive and programs in C++ and C.
set -eux
. /work/try_programs.sh
apt-get update -q
apt-get install -yq --no-install-recommends g++ cmake make ninja-build pkg-config ccache \
  libhwy-dev libtbb-dev zlib1g-dev libpng-dev libdnnl-dev libcli11-dev nlohmann-json3-dev libdlpack-dev
absent git
tar -C /work -xzf "/work/$1.tar.gz"
# With Ninja, whose commands the compiler cache knows from the other builds.
cmake -S "/work/$1" -B "/work/$1/build/root" -G Ninja -DTIDEPOOL_BUILD_TESTS=OFF -DTIDEPOOL_BUILD_EXAMPLES=OFF -DTIDEPOOL_BUILD_BENCH=OFF
cmake --build "/work/$1/build/root" -j "$JOBS"
cmake --install "/work/$1/build/root" --prefix /opt/tidepool
rm -rf "/work/$1"

# The archive makes static libraries, which are found in a place of the user's choice.
export CMAKE_PREFIX_PATH=/opt/tidepool PKG_CONFIG_PATH=/opt/tidepool/lib/pkgconfig
try_programs "$2" --static
/opt/tidepool/bin/tidepool plan "max2d fwd f32 nchw 1x1x4x4 k2" | grep -q 1x1x2x2
