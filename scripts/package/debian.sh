# Debian packages, from the source archive. System libraries need no search path, so it is left out.

make_debian() {
  local source=$out/source/$source_name build=$out/source/$source_name/build/debian package
  [[ -d $source ]] || die "no source archive yet: ./dev package source"
  step "configure" debian-configure without_git cmake -S "$source" -B "$build" -G Ninja -DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_PREFIX=/usr \
    -DCMAKE_SKIP_INSTALL_RPATH=ON -DTIDEPOOL_BUILD_TESTS=OFF -DTIDEPOOL_BUILD_EXAMPLES=OFF -DTIDEPOOL_BUILD_BENCH=OFF -DTIDEPOOL_DEBIAN_LAYOUT=ON
  step "build the libraries and the program" debian-build without_git ninja -C "$build" -j "$jobs"
  step "make Debian packages" debian-cpack cpack --config "$build/CPackConfig.cmake" -B "$partial/debian"
  rm -rf "$partial/debian/_CPack_Packages"
  finish debian
  for package in "$out"/debian/*.deb; do
    say "Debian package: $(size "$package") ${package##*/}, needs $(dpkg-deb -f "$package" Depends)"
  done
}
