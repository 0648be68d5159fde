# Sourced inside a fresh system in which tidepool is installed: compiles the programs in the working folder, and compares what they print.

files=$PWD

absent() {  # absent COMMAND
  ! command -v "$1" || { echo "$1 is installed"; exit 1; }
}

expect() {  # expect PROGRAM TEXT
  [ "$("$1")" = "$2" ] || { echo "$1 does not print $2"; exit 1; }
  echo "OK $1"
}

check() {  # check FOLDER VERSION
  expect "$1/consumer" "tidepool $2: 4 2 8 4"
  expect "$1/consumer_analyze" "112 4"
  expect "$1/consumer_nn" "$(printf 'Linear(in_features=4, out_features=2, bias=True)\nio')"
  expect "$1/consumer_data" 3x1x28x28
  expect "$1/consumer_c" "$(cat "$files/example.out")"
}

try_programs() {  # try_programs VERSION [OPTIONS OF PKG-CONFIG…]
  version=$1
  shift
  built=$(mktemp -d)
  cmake -S consumer -B "$built"/by-cmake -DNN=ON
  cmake --build "$built"/by-cmake
  cmake -S consumer_c -B "$built"/c-by-cmake -DEXAMPLE="$files"/example.c
  cmake --build "$built"/c-by-cmake
  cp "$built"/c-by-cmake/consumer_c "$built"/by-cmake
  check "$built"/by-cmake "$version"

  mkdir "$built"/by-pkg-config
  cd "$built"/by-pkg-config
  g++ -std=c++20 "$files"/consumer/main.cc -o consumer $(pkg-config "$@" --cflags --libs tidepool)
  g++ -std=c++20 "$files"/consumer/analyze.cc -o consumer_analyze $(pkg-config "$@" --cflags --libs tidepool-analyze)
  g++ -std=c++20 "$files"/consumer/nn.cc -o consumer_nn $(pkg-config "$@" --cflags --libs tidepool-nn)
  g++ -std=c++20 "$files"/consumer/data.cc -o consumer_data $(pkg-config "$@" --cflags --libs tidepool-data)
  gcc -std=c99 "$files"/example.c -o consumer_c $(pkg-config "$@" --cflags --libs tidepool-c)
  cd "$files"
  check "$built"/by-pkg-config "$version"
}
