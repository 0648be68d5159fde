# Fresh Debian systems, made with debootstrap from the mirror that apt on this machine uses. Needs root.

base=$out/base
suite=bookworm

# Prints the address of the mirror.
mirror() {
  apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' | awk -v suite=$suite '$2 == suite { print $1; exit }'
}

make_base() {
  local site
  [[ -f $base/.ready ]] && return
  site=$(mirror)
  [[ -n $site ]] || { echo "apt on this machine knows no mirror of $suite"; return 1; }
  rm -rf "$base"
  debootstrap --variant=minbase "$suite" "$base" "$site" || return 1
  touch "$base/.ready"
}

fresh_root() {  # fresh_root NAME: makes build/package/root-NAME from the base
  rm -rf "$out/root-$1"
  cp -a "$base" "$out/root-$1"
  cp -L /etc/resolv.conf "$out/root-$1/etc/resolv.conf"
  mkdir -p "$out/root-$1/work"
}

in_root() {  # in_root NAME COMMAND…
  local name=$1
  shift
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$out/root-$name" "$@"
}

test_packages() {
  [[ $EUID -eq 0 ]] || die "the tests run in systems made with debootstrap, which needs root"
  step "make a fresh $suite" base make_base
  test_debian
  test_wheels
}

test_debian() {
  ls "$out"/debian/*.deb >/dev/null 2>&1 || die "no Debian packages yet: ./dev package debian"
  fresh_root debian
  cp "$out"/debian/*.deb "$root"/tests/install/consumer/*.cc "$root"/tests/c/example.* "$here/try_debian.sh" "$out/root-debian/work"
  cp -r "$root/tests/install/consumer" "$root/tests/install/consumer_c" "$out/root-debian/work"
  step "install the program in a fresh system" debian-program in_root debian sh /work/try_debian.sh program
  step "install the headers, compile programs in C++ and C" debian-headers in_root debian sh /work/try_debian.sh headers "$version"
  say "Debian packages: the program runs; C++ and C programs compile and run, by find_package and pkg-config"
  rm -rf "$out/root-debian"
}

# Copies an interpreter to the same place in the root, without packages and tests.
copy_interpreter() {  # copy_interpreter NAME PYTHON
  local prefix
  prefix=$("$2" -c 'import sys; print(sys.base_prefix)')
  [[ $prefix != /usr ]] || return 0
  mkdir -p "$out/root-$1$prefix"
  tar -C "$prefix" --exclude=test --exclude=site-packages --exclude=__pycache__ --exclude='*.a' -cf - bin lib | tar -C "$out/root-$1$prefix" -xf -
}

# Wheels of the oldest and the newest NumPy for an interpreter, in different folders.
fetch_numpy() {  # fetch_numpy PYTHON FOLDER
  local get=("$1" -m pip download -q --disable-pip-version-check --only-binary :all: --no-deps) old
  "${get[@]}" -d "$2/newest" numpy
  for old in 1.22.4 1.23.5 1.24.4 1.25.2 1.26.4 2.0.2 2.1.3 2.2.6; do
    "${get[@]}" -d "$2/oldest" "numpy==$old" 2>/dev/null && return
  done
  cp -r "$2/newest" "$2/oldest"
}

# No network and no compiler in this system: pip installs the wheel and NumPy from files.
test_wheels() {
  local python name tried=()
  ls "$out"/wheels/*.whl >/dev/null 2>&1 || die "no wheels yet: ./dev package wheels"
  fresh_root wheels
  step "install what interpreters need" wheels-system in_root wheels sh -c \
    'apt-get update -q && apt-get install -yq --no-install-recommends libssl3 libffi8 zlib1g libbz2-1.0 liblzma5 libsqlite3-0 libreadline8 libncursesw6'
  : >"$out/root-wheels/etc/resolv.conf"
  mkdir -p "$out/root-wheels/work/wheels"
  cp "$out"/wheels/*.whl "$out/root-wheels/work/wheels"
  cp "$here/try_wheel.py" "$here/try_wheel.sh" "$out/root-wheels/work"
  for python in $(interpreters); do
    name=${python##*/}
    [[ $python != /usr/bin/* ]] || { say "$name: left out, only the system's interpreter is there"; continue; }
    copy_interpreter wheels "$python"
    rm -rf "$out/numpy-$name"
    step "fetch NumPy for $name" "numpy-$name" fetch_numpy "$python" "$out/numpy-$name"
    cp -r "$out/numpy-$name" "$out/root-wheels/work/$name"
    step "install and run the wheel with $name" "try-$name" in_root wheels sh /work/try_wheel.sh "$python" "/work/$name"
    grep '^OK' "$out/logs/try-$name.log" >&2
    tried+=("${name#python}")
  done
  [[ ${#tried[@]} -gt 0 ]] || die "no interpreter to try the wheels with"
  say "wheels: tried with Python ${tried[*]}; other versions are not on this machine"
  rm -rf "$out/root-wheels"
}
