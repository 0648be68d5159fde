# try_debian.sh program|headers [VERSION], inside a fresh system whose working folder holds the packages and programs in C++ and C.
set -eux
. ./try_programs.sh

if [ "$1" = program ]; then
  apt-get update -q
  apt-get install -yq --no-install-recommends ./libtidepool[0-9]*.deb ./tidepool_*.deb
  absent cc
  tidepool --version
  ls /usr/share/bash-completion/completions/tidepool /usr/share/zsh/vendor-completions/_tidepool /usr/share/doc/libtidepool[0-9]*/copyright
  tidepool plan "max2d fwd f32 nchw 1x1x4x4 k2" | grep -q 1x1x2x2
  exit
fi

apt-get install -yq --no-install-recommends ./libtidepool-dev_*.deb g++ cmake make pkg-config
ls /usr/share/doc/libtidepool-dev/copyright
try_programs "$2"
apt-get remove -yq libtidepool-dev tidepool 'libtidepool[0-9]*'
left=$(find /usr -name '*tidepool*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
