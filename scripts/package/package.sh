#!/usr/bin/env bash
# Makes the packages in build/package, and tests them in fresh Debian systems. `./dev package` runs it and gives what it needs.
#
#   package.sh [source|debian|wheels|test]…   (default: all, in this order)
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd -- "$here/../.." && pwd -P)
out=$root/build/package
partial=$out/partial  # what is not finished; it is moved to its place in the end
version=$(sed -n 's/^project(tidepool VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
source_name=tidepool-$version
jobs=${TIDEPOOL_JOBS:-$(nproc)}

. "$here/steps.sh"
. "$here/source.sh"
. "$here/debian.sh"
. "$here/wheels.sh"
. "$here/clean_root.sh"
. "$here/test_libraries.sh"
. "$here/test_wheels.sh"

steps=("$@")
[[ $# -gt 0 ]] || steps=(source debian wheels test)
for part in "${steps[@]}"; do
  [[ $part =~ ^(source|debian|wheels|test)$ ]] || die "no such step: $part"
done
[[ ! ${steps[*]} =~ test || $EUID -eq 0 ]] || die "the tests run in systems made with debootstrap, which needs root"

begin_steps
for part in "${steps[@]}"; do
  case $part in
    source) make_source ;;
    debian) make_debian ;;
    wheels) make_wheels ;;
    test)
      test_debian
      test_source
      test_wheels
      ;;
  esac
done
say "packages: done in $SECONDS s"
