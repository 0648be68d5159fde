# try_wheel.sh PYTHON FOLDER, inside a fresh system: installs the wheel with the oldest and the newest NumPy in FOLDER, and runs it.
set -eu
! command -v cc
! command -v gcc
for numpy in oldest newest; do
  rm -rf /work/env
  "$1" -m venv /work/env
  /work/env/bin/python -m pip install -q --disable-pip-version-check --no-index --only-binary :all: --find-links /work/wheels --find-links "$2/$numpy" \
    tidepool
  cd /
  /work/env/bin/python /work/try_wheel.py
done
