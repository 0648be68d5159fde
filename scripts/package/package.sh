#!/usr/bin/env bash
# Makes the packages in build/package, and tests them in fresh Debian systems. `./dev package` runs it and gives what it needs.
#
#   package.sh [source|debian|wheels|test]…   (default: all, in this order)
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd -- "$here/../.." && pwd -P)
out=$root/build/package
version=$(sed -n 's/^project(tidepool VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
source_name=tidepool-$version
jobs=${TIDEPOOL_JOBS:-$(nproc)}

say() { printf '%s\n' "$*" >&2; }
die() { say "package: $*"; exit 1; }

# Runs a command with its output in a log, and says what it does and how long that took.
step() {  # step LABEL LOG COMMAND…
  local label=$1 log=$out/logs/$2.log begin=$SECONDS
  shift 2
  mkdir -p "$out/logs"
  say "$label …"
  "$@" >"$log" 2>&1 || { tail -n 25 "$log" >&2; die "$label failed, see build/package/logs/${log##*/}"; }
  say "$label: $((SECONDS - begin)) s"
}

. "$here/source.sh"
. "$here/debian.sh"
. "$here/wheels.sh"
. "$here/clean_root.sh"

steps=("$@")
[[ $# -gt 0 ]] || steps=(source debian wheels test)
mkdir -p "$out"
for part in "${steps[@]}"; do
  case $part in
    source) make_source ;;
    debian) make_debian ;;
    wheels) make_wheels ;;
    test) test_packages ;;
    *) die "no such step: $part" ;;
  esac
done
