# ./dev test --platforms: the tests on each compiler, standard library and architecture. `dev` sources this file and provides need, build,
# say, die, and the counters passed, failed and skipped.

platforms_all=(gcc clang libcxx portable i386 arm64-neon arm64-sve)

packages_libcxx=(clang-19 libc++-19-dev libc++abi-19-dev googletest)
packages_i386=(g++-i686-linux-gnu)
packages_arm64=(g++-aarch64-linux-gnu qemu-user)
# Unpacked below build/sysroot for each architecture.
packages_sysroot=(libhwy-dev libhwy1 libtbb-dev libtbb12 libtbbmalloc2 libtbbbind-2-5 libdlpack-dev zlib1g-dev zlib1g libpng-dev libpng16-16
  libgtest-dev libgmock-dev libcli11-dev:all nlohmann-json3-dev:all)

left_out() { say "  left out: $1 ($2)"; }

sysroot() {  # sysroot ARCHITECTURE
  local log=$root/build/sysroot-$1.log
  mkdir -p "$root/build/sysroot"
  "$root/scripts/platforms_sysroot.sh" "$1" "$root/build/sysroot/$1" "${packages_sysroot[@]}" >"$log" 2>&1 ||
    { tail -n 5 "$log" >&2; die "the packages of $1 could not be fetched, see build/sysroot-$1.log"; }
}

# Runs the tests of the folders, all if none is named, and prints one line of counts.
platform_tests() {  # platform_tests NAME PRESET EXCLUDED [FOLDERS…]
  local name=$1 preset=$2 excluded=$3 dir=$root/build/$2 begin=$SECONDS folder targets=() labels=() ran ok bad skip
  shift 3
  for folder in "$@"; do targets+=("tidepool_${folder}_tests"); done
  [[ $# -eq 0 ]] || labels=(-L "^($(IFS='|'; printf '%s' "$*"))\$")
  if ! (build "$preset" "${targets[@]}"); then
    failed=$((failed + 1))
    printf '%s: not built\n' "$name"
    return
  fi
  rm -f "$dir/tests.xml"
  ctest --test-dir "$dir" -j "$jobs" --output-on-failure --no-label-summary --output-junit tests.xml "${labels[@]}" -E "$excluded" 2>&1 |
    follow "test $name" "$dir/test-$name.log" || true
  if [[ ! -f $dir/tests.xml ]]; then
    failed=$((failed + 1))
    printf '%s: ctest did not finish, see build/%s/test-%s.log\n' "$name" "$preset" "$name"
    return
  fi
  { read -r ran ok bad skip; sed 's/^/  /' >&2; } < <(python3 -B "$root/scripts/platforms_count.py" "$dir/tests.xml")
  [[ $ran -gt 0 ]] || bad=1
  passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
  printf '%s: %d run, %d passed, %d failed, %d skipped, %d s\n' "$name" "$ran" "$ok" "$bad" "$skip" $((SECONDS - begin))
}

platform() {  # platform NAME
  local consumers='^(install|face|scripts)/'  # tests of CMake files and scripts, which are the same on all platforms
  say "$1:"
  case $1 in
    gcc)
      left_out "install, face, scripts" "./dev test runs them"
      platform_tests gcc release "$consumers"
      ;;
    clang)
      left_out "install, face, scripts" "./dev test runs them"
      platform_tests clang clang "$consumers"
      ;;
    libcxx)
      need libcxx "${packages_libcxx[@]}"
      left_out "kernels for SSE4 and AVX-512" "gcc and clang run them, and without them the build takes half the time"
      left_out onnx "Debian's protobuf is built with the other standard library"
      left_out "install, face, scripts" "./dev test runs them"
      platform_tests libcxx libcxx "$consumers"
      ;;
    portable)
      left_out "kernels for SSE4 and AVX-512" "gcc and clang run them, and without them the build takes half the time"
      left_out "all but unit, kernels, golden, io, data, analyze, nn" "the other folders use the same code through them"
      left_out "fork" "portable code cannot tell that a process was forked"
      left_out "names of classes in messages of nn" "portable code has them as the compiler encodes them"
      left_out "the number of oneDNN's threads" "portable code cannot look for OpenMP's functions, so oneDNN chooses"
      local names='Module\.(Prints|LayersPrint|MovedFromIsRefused|LayersThatWereMovedFrom)|LoadStateDictChangesNothing'
      platform_tests portable portable "$consumers|Fork|$names|NnThreads\.(OneDnnGets|SmallProblems)" unit kernels golden io data analyze nn
      ;;
    i386)
      need i386 "${packages_i386[@]}"
      sysroot i386
      left_out nn "Debian has no oneDNN for i386"
      left_out onnx "it tests what golden tests, and needs protobuf for i386"
      left_out c/ctypes_test "the interpreter is a 64-bit program"
      left_out "install, face, scripts" "./dev test runs them"
      platform_tests i386 i386 "$consumers"
      ;;
    arm64-neon | arm64-sve)
      need arm64 "${packages_arm64[@]}"
      sysroot arm64
      left_out "all but unit, kernels, golden, hostile, analyze" "emulation is slow, and the other folders use the same code through them"
      # Without SVE the kernels for NEON run. With vectors of 32 bytes those for SVE run, which are compiled for that length only.
      local cpu=max,sve=off
      [[ $1 == arm64-neon ]] || cpu=max,sve-default-vector-length=32
      say "  a tenth of the random problems"
      TIDEPOOL_TEST_SHARE=10 QEMU_CPU=$cpu platform_tests "$1" arm64 "$consumers" unit kernels golden hostile analyze
      ;;
    *) die "no such platform: $1 (there are ${platforms_all[*]})" ;;
  esac
}

platforms() {  # platforms [NAMES…]: arm64 stands for arm64-neon and arm64-sve
  local name names=() begin=$SECONDS
  [[ $# -gt 0 ]] || set -- "${platforms_all[@]}"
  for name in "$@"; do
    case " ${platforms_all[*]} " in
      *" $name "*) names+=("$name") ;;
      *) [[ $name == arm64 ]] || die "no such platform: $name (there are ${platforms_all[*]})"; names+=(arm64-neon arm64-sve) ;;
    esac
  done
  for name in "${names[@]}"; do platform "$name"; done
  say "$((SECONDS - begin)) s in all"
  verdict
}
