# Fresh Debian systems, made with debootstrap from the mirror that apt on this machine uses. Needs root.

# Prints the address of the mirror.
mirror() { apt-get indextargets --format '$(SITE) $(LABEL)' 'Created-By: Packages' | awk '$2 == "Debian" { print $1; exit }'; }

debootstrapped() {  # debootstrapped SUITE
  local site
  site=$(mirror)
  [[ -n $site ]] || { echo "apt on this machine knows no mirror of Debian"; return 1; }
  unshare --mount debootstrap --variant=minbase "$1" "$partial/base-$1" "$site"
}

fresh_root() {  # fresh_root SUITE NAME: makes build/package/root-NAME. The system that it copies is kept.
  if [[ ! -d $out/base-$1 ]]; then
    step "make a fresh Debian $1" "base-$1" debootstrapped "$1"
    finish "base-$1"
  fi
  rm -rf --one-file-system "$out/root-$2"
  step "copy it to root-$2" "root-$2" cp -a "$out/base-$1" "$out/root-$2"
  cp -L /etc/resolv.conf "$out/root-$2/etc/resolv.conf"
  mkdir "$out/root-$2/try" "$out/root-$2/ccache"
}

# Runs a command in the folder /try of a root. What is mounted there is seen by the command alone, and gone when it ends. The compiler cache of this machine is lent; it
# knows files only if LANG is the same too.
in_root() {  # in_root NAME [--no-network] COMMAND…
  local name=$1 isolate=(--mount)
  shift
  [[ $1 != --no-network ]] || { isolate+=(--net); shift; }
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive JOBS="$jobs" \
    CCACHE_DIR=/ccache CCACHE_BASEDIR=/try CCACHE_NOHASHDIR=1 \
    unshare "${isolate[@]}" sh -euc 'mount -t proc proc "$1/proc"; [ -z "$2" ] || mount --bind "$2" "$1/ccache"; root=$1; shift 2; exec chroot "$root" env -C /try "$@"' \
    - "$out/root-$name" "$(ccache -k cache_dir 2>/dev/null)" "$@"
}
