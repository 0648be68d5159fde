# Tests of the Debian packages and of the source archive: each in a fresh system, by programs in C++ and C that are compiled there.

test_debian() {
  [[ -d $out/debian ]] || die "no Debian packages yet: ./dev package debian"
  library_root debian
  cp "$out"/debian/*.deb "$out/root-debian/try"
  step "install the program in a fresh system" debian-program in_root debian sh try_debian.sh program
  step "install the headers, compile programs in C++ and C" debian-headers in_root debian sh try_debian.sh headers "$version"
  counted "Debian packages: the program runs" debian-headers
  rm -rf --one-file-system "$out/root-debian"
}

test_source() {
  [[ -f $out/$source_name.tar.gz ]] || die "no source archive yet: ./dev package source"
  library_root source
  cp "$out/$source_name.tar.gz" "$out/root-source/try"
  step "build the source archive in a fresh system, compile programs in C++ and C" source-root in_root source sh try_source.sh "$source_name" "$version"
  counted "source archive: it builds without git" source-root
  rm -rf --one-file-system "$out/root-source"
}

library_root() {  # library_root NAME
  fresh_root bookworm "$1"
  cp "$here"/try_*.sh "$out/root-$1/try"
  cp -r "$root/tests/install/consumer" "$root/tests/install/consumer_c" "$root"/tests/c/example.* "$out/root-$1/try"
}

counted() {  # counted WHAT LOG: the programs say OK when they have printed what they should
  local programs
  programs=$(grep -c '^OK ' "$out/logs/$2.log") || die "no program ran, see build/package/logs/$2.log"
  say "$1; $programs programs in C++ and C compile and run, by find_package and pkg-config"
}
