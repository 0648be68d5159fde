# try_wheel.sh PYTHON, inside a fresh system without network: installs the wheel with the NumPys in the folder numpy, and runs it.
set -eu
for compiler in cc gcc c++ clang; do
  ! command -v $compiler || { echo "$compiler is installed"; exit 1; }
done
for numpy in numpy/*; do
  rm -rf env
  "$1" -m venv env
  env/bin/python -m pip install -q --disable-pip-version-check --no-index --only-binary :all: --find-links wheels --find-links "$numpy" tidepool
  env/bin/python try_wheel.py
done
