# The source archive, and its contents in build/package/source. The other packages are built from there, without git.

make_source() {
  git -C "$root" diff --quiet HEAD || say "the archive holds the last commit, without the changes in the working tree"
  git -C "$root" archive --format=tar.gz --prefix="$source_name/" -o "$out/$source_name.tar.gz" HEAD
  rm -rf "$out/source"
  mkdir -p "$out/source"
  tar -C "$out/source" -xzf "$out/$source_name.tar.gz"
  say "source archive: $(du -h "$out/$source_name.tar.gz" | cut -f1) build/package/$source_name.tar.gz"
}

# Runs a command as on a machine without git.
without_git() {
  local bin=$out/no-git
  mkdir -p "$bin"
  printf '#!/bin/sh\necho "git: not found" >&2\nexit 127\n' >"$bin/git"
  chmod +x "$bin/git"
  GIT_DIR=/nonexistent PATH=$bin:$PATH "$@"
}
