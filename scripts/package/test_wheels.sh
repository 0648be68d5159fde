# Tests of the wheels, in systems without network and compiler: the interpreters of this machine and of Debian 12 in a fresh Debian 12, and those of
# Debian's next version, which has the newest ones, in a fresh system of that.

# The first NumPy for each version of Python, as far as there are several.
numpy_versions=(1.22.0 1.23.2 1.26.0 2.1.0 2.3.2)

test_wheels() {
  local python minor
  [[ -d $out/wheels ]] || die "no wheels yet: ./dev package wheels"
  tried=() left_out=() runs=0
  wheel_root bookworm python3-venv libssl3 libffi8 zlib1g libbz2-1.0 liblzma5 libsqlite3-0 libreadline8 libncursesw6
  for python in $(interpreters); do
    [[ $python != /usr/* ]] || continue
    step "copy ${python##*/}" "copy-${python##*/}" copy_interpreter "$python"
    try_wheel bookworm "$python"
  done
  try_wheel bookworm /usr/bin/python3.11
  rm -rf --one-file-system "$out/root-bookworm"

  wheel_root testing '^python3\.[0-9]+-venv$'
  for python in $(cd "$out/root-testing" && ls usr/bin/python3.* | grep -E '/python3\.[0-9]+$' | sort -V); do
    try_wheel testing "/$python"
  done
  rm -rf --one-file-system "$out/root-testing"
  for minor in $(seq $oldest_minor "${python##*python3.}"); do
    [[ " ${tried[*]} ${left_out[*]} " =~ " 3.$minor " ]] || { say "Python 3.$minor: NOT TESTED, there is no such interpreter"; left_out+=("3.$minor"); }
  done
  [[ $runs -gt 0 ]] || die "no wheel was run"
  say "wheels: $runs runs, with Python $(printf '%s\n' "${tried[@]}" | sort -Vu | paste -sd' '); not tested: ${left_out[*]:-none}"
}

wheel_root() {  # wheel_root SUITE PACKAGES…
  local suite=$1
  shift
  fresh_root "$suite" "$suite"
  # Where the mirror's lists are too old for apt, those that debootstrap has fetched and verified are used.
  step "install interpreters in it" "wheels-$suite" in_root "$suite" sh -euc 'apt-get update -q || echo "no new lists"; apt-get install -yq --no-install-recommends "$@"' - "$@"
  mkdir "$out/root-$suite/try/wheels"
  cp "$out"/wheels/*.whl "$out/root-$suite/try/wheels"
  cp "$here/try_wheel.py" "$here/try_wheel.sh" "$out/root-$suite/try"
}

# Copies an interpreter to the same place in the root, without packages and tests.
copy_interpreter() {  # copy_interpreter PYTHON
  local prefix
  prefix=$("$1" -c 'import sys; print(sys.base_prefix)')
  mkdir -p "$out/root-bookworm$prefix"
  tar -C "$prefix" --exclude=test --exclude=site-packages --exclude=__pycache__ --exclude='*.a' -cf - bin lib | tar -C "$out/root-bookworm$prefix" -xf -
}

try_wheel() {  # try_wheel SUITE PYTHON
  local suite=$1 version=${2##*/python} log
  log=try-$suite-$version
  [[ $2 != /usr/* ]] || log=$log-debian
  mkdir -p "$partial/numpy"
  if [[ ! -d $partial/numpy/$version ]]; then
    step "fetch NumPy for Python $version" "numpy-$version" fetch_numpy "$version" "$partial/numpy/$version"
  fi
  if [[ ! -d $partial/numpy/$version/newest ]]; then  # fetch_numpy removes empty folders
    say "Python $version: NOT TESTED, the package index has no NumPy for it"
    left_out+=("$version")
    return
  fi
  if ! can_install "$version"; then
    say "Python $version: NOT TESTED, no wheel was built for it"
    left_out+=("$version")
    return
  fi
  rm -rf "$out/root-$suite/try/numpy"
  cp -r "$partial/numpy/$version" "$out/root-$suite/try/numpy"
  step "install and run the wheel with $2 of $suite" "$log" in_root "$suite" --no-network sh try_wheel.sh "$2"
  grep '^OK' "$out/logs/$log.log" >&2 || die "the wheel did not run, see build/package/logs/$log.log"
  runs=$((runs + $(grep -c '^OK' "$out/logs/$log.log")))
  tried+=("$version")
}

can_install() {  # can_install VERSION
  if [[ ${1#3.} -ge $stable_minor ]]; then
    compgen -G "$out/wheels/*-cp3$stable_minor-abi3-*.whl" >/dev/null
  else
    compgen -G "$out/wheels/*-cp${1/./}-*.whl" >/dev/null
  fi
}

# Wheels of the newest NumPy for a version of Python, and of the oldest that tidepool allows and the package index has. For a new version of Python that
# may be one and the same.
fetch_numpy() {  # fetch_numpy VERSION FOLDER
  local old get=("$out/auditwheel/bin/python" -m pip download -q --disable-pip-version-check --only-binary :all: --no-deps --implementation cp
    --python-version "$1" --abi "cp${1/./}" --platform manylinux2014_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux_2_27_x86_64
    --platform manylinux_2_28_x86_64)
  mkdir "$2"
  if "${get[@]}" -d "$2/newest" numpy; then
    for old in "${numpy_versions[@]}"; do
      ! "${get[@]}" -d "$2/oldest" "numpy==$old" || return 0
    done
  fi
  find "$2" -mindepth 1 -type d -empty -delete  # pip makes a folder also if it finds nothing
}
