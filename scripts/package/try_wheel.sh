# try_wheel.sh PYTHON, inside a fresh system without network: installs the wheel with the NumPys in /work/numpy, and runs it.
set -eu
for compiler in cc gcc c++ clang; do
  ! command -v $compiler || { echo "$compiler is installed"; exit 1; }
done
for numpy in /work/numpy/*; do
  rm -rf /work/env
  "$1" -m venv /work/env
  /work/env/bin/python -m pip install -q --disable-pip-version-check --no-index --only-binary :all: --find-links /work/wheels --find-links "$numpy" tidepool
  cd /
  /work/env/bin/python /work/try_wheel.py
done
