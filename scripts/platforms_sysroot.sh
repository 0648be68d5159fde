#!/usr/bin/env bash
# Downloads Debian packages of another architecture and unpacks them into a folder, without installing anything:
#   platforms_sysroot.sh ARCHITECTURE FOLDER PACKAGES…
# apt gets package lists of its own, so the machine's architectures and lists stay as they are.
set -euo pipefail
architecture=$1 folder=$2
shift 2

[[ -f $folder/.ready && $(<"$folder/.ready") == "$*" ]] && exit 0
state=$(dirname -- "$folder")/apt-$architecture
rm -rf "$folder" "$state"
mkdir -p "$folder" "$state/lists/partial" "$state/packages"

apt=(-q -o "APT::Architectures::=$(dpkg --print-architecture)" -o "APT::Architectures::=$architecture" -o "Dir::State::lists=$state/lists"
  -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Acquire::Languages=none -o "APT::Sandbox::User=$(id -un)" -o Debug::NoLocking=1)
apt-get "${apt[@]}" update || true  # a list that cannot be fetched may not matter; if it does, the next step fails
names=()
for package in "$@"; do [[ $package == *:* ]] && names+=("$package") || names+=("$package:$architecture"); done
(cd "$state/packages" && apt-get "${apt[@]}" download "${names[@]}")
for package in "$state"/packages/*.deb; do dpkg -x "$package" "$folder"; done
# Links such as libz.so -> /lib/…/libz.so.1 must stay inside the folder.
find "$folder" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do ln -sfn "$folder$(readlink "$link")" "$link"; done
rm -rf "$state"
printf '%s' "$*" >"$folder/.ready"
