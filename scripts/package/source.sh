# The source archive, and its contents in build/package/source. The other packages are built from there, without git.

make_source() {
  git -C "$root" diff --quiet HEAD || say "the archive holds the last commit, without the changes in the working tree"
  step "make the source archive" source archive_sources
  finish "$source_name.tar.gz"
  finish source
  say "source archive: $(size "$out/$source_name.tar.gz") $source_name.tar.gz, $(tar -tzf "$out/$source_name.tar.gz" | grep -vc '/$') files"
}

archive_sources() {
  git -C "$root" archive --format=tar.gz --prefix="$source_name/" -o "$partial/$source_name.tar.gz" HEAD
  mkdir "$partial/source"
  tar -C "$partial/source" -xzf "$partial/$source_name.tar.gz"
}

# Runs a command as on a machine without git.
without_git() {
  local bin=$partial/no-git
  mkdir -p "$bin"
  printf '#!/bin/sh\necho "git: not found" >&2\nexit 127\n' >"$bin/git"
  chmod +x "$bin/git"
  GIT_DIR=/nonexistent PATH=$bin:$PATH "$@"
}
