# Runs inside a fresh system, in which /work holds the packages and programs in C++ and C.
set -eux
cd /work

if [ "$1" = program ]; then
  apt-get update -q
  apt-get install -yq --no-install-recommends ./libtidepool[0-9]*.deb ./tidepool_*.deb
  ! command -v cc
  cd /
  tidepool --version
  tidepool plan "max2d fwd f32 nchw 1x1x4x4 k2" | grep -q 1x1x2x2
  exit
fi

version=$2
apt-get install -yq --no-install-recommends ./libtidepool-dev_*.deb g++ cmake make pkg-config
expect() { [ "$("$1")" = "$2" ] || { echo "$1 does not print $2"; exit 1; }; }
check() {  # check FOLDER: the programs in it print what they should
  expect "$1/consumer" "tidepool $version: 4 2 8 4"
  expect "$1/consumer_nn" "$(printf 'Linear(in_features=4, out_features=2, bias=True)\nio')"
  expect "$1/consumer_data" 3x1x28x28
}

cmake -S consumer -B by-cmake -DNN=ON && cmake --build by-cmake
check by-cmake
cmake -S consumer_c -B c-by-cmake -DEXAMPLE=/work/example.c && cmake --build c-by-cmake
expect c-by-cmake/consumer_c "$(cat example.out)"

mkdir by-pkg-config
g++ -std=c++20 main.cc -o by-pkg-config/consumer $(pkg-config --cflags --libs tidepool)
g++ -std=c++20 nn.cc -o by-pkg-config/consumer_nn $(pkg-config --cflags --libs tidepool-nn)
g++ -std=c++20 data.cc -o by-pkg-config/consumer_data $(pkg-config --cflags --libs tidepool-data)
check by-pkg-config
gcc -std=c99 example.c -o by-pkg-config/consumer_c $(pkg-config --cflags --libs tidepool-c)
expect by-pkg-config/consumer_c "$(cat example.out)"
