"""The version namespace of the sources, the name of the shared libraries and the version of their symbols follow the version of the project."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# "using namespace tidepool" opens nothing. The comment at the end of a namespace repeats its name, and is checked like its beginning.
NAMESPACE = re.compile(r"(?<!using )\bnamespace\s+tidepool\b(?:::inline (?P<version>\w+))?")


def numbers(root):
    return re.search(r"^project\(tidepool VERSION (\d+)\.(\d+)\.\d+ ", (root / "CMakeLists.txt").read_text(), re.M).groups()


def sources(root):
    return sorted(file for folder in ("include", "src") for file in (root / folder).rglob("*") if file.suffix in (".h", ".cc"))


def wrong_namespaces(root):
    """Lines such as "src/core/dtype.cc: namespace tidepool"."""
    wanted = "v{}_{}".format(*numbers(root))
    return [
        f"{file.relative_to(root)}: {match.group()}"
        for file in sources(root)
        for match in NAMESPACE.finditer(file.read_text(encoding="utf-8"))
        if match["version"] != wanted
    ]


def expanded(root, file, pattern):
    """What CMake makes of the text that the pattern finds."""
    text = re.search(pattern, (root / file).read_text()).group(1)
    for name, number in zip(("PROJECT_VERSION_MAJOR", "PROJECT_VERSION_MINOR"), numbers(root)):
        text = text.replace(f"${{{name}}}", number).replace(f"@{name}@", number)
    return text


class Version(unittest.TestCase):
    def test_every_namespace_carries_it(self):
        self.assertGreater(len(sources(ROOT)), 200)
        self.assertEqual(wrong_namespaces(ROOT), [])

    def test_shared_libraries_and_their_symbols_carry_it(self):
        wanted = ".".join(numbers(ROOT))
        self.assertEqual(expanded(ROOT, "cmake/TidepoolTargets.cmake", r"\bSOVERSION (\S+)"), wanted)
        self.assertEqual(expanded(ROOT, "cmake/exports.map.in", r"\nTIDEPOOL_(\S+) \{"), wanted)


class Copy(unittest.TestCase):
    """Changes a copy of what carries the version."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ("include", "src", "scripts", "tests/install"):
            shutil.copytree(ROOT / name, self.root / name)
        (self.root / "docs").mkdir()
        for name in ("CMakeLists.txt", "docs/building.md"):
            shutil.copy(ROOT / name, self.root / name)

    def set_version(self, version):
        return subprocess.run([sys.executable, "-B", self.root / "scripts/set_version.py", version], capture_output=True, text=True, timeout=50)

    def text(self):
        return "".join(file.read_text(encoding="utf-8") for file in sorted(self.root.rglob("*")) if file.is_file() and file.suffix != ".py")

    def test_a_namespace_without_version_or_with_another_is_found(self):
        file = self.root / "src" / "core" / "new.cc"
        for line, found in [
            ("namespace tidepool {", "namespace tidepool"),
            ("namespace tidepool::detail {", "namespace tidepool"),
            ("namespace tidepool::inline v9_9::io {", "namespace tidepool::inline v9_9"),
            ("}  // namespace tidepool", "namespace tidepool"),
        ]:
            file.write_text(line)
            self.assertEqual(wrong_namespaces(self.root), [f"src/core/new.cc: {found}"])
        file.write_text("using namespace tidepool;\nnamespace tp = tidepool;\n")
        self.assertEqual(wrong_namespaces(self.root), [])

    def test_a_minor_version_is_set_everywhere(self):
        old = "v{}_{}".format(*numbers(self.root))
        before = self.text()
        self.assertEqual(self.set_version("7.31.0").stderr, "")
        self.assertEqual(numbers(self.root), ("7", "31"))
        self.assertEqual(wrong_namespaces(self.root), [])
        after = self.text()
        self.assertNotIn(old, after)
        self.assertEqual(after.count("v7_31"), before.count(old))
        asked = re.findall(r"find_package\(tidepool ([\d.]+)", after)
        self.assertEqual(asked, ["7.31"] * 4)  # docs/building.md, and the projects of tests/install

    def test_a_patch_changes_one_line(self):
        major, minor = numbers(self.root)
        before = self.text().splitlines()
        self.set_version(f"{major}.{minor}.99")
        changed = [(a, b) for a, b in zip(before, self.text().splitlines()) if a != b]
        self.assertEqual(len(changed), 1)
        self.assertIn(f"project(tidepool VERSION {major}.{minor}.99 ", changed[0][1])

    def test_other_numbers_are_refused(self):
        before = self.text()
        for version in ("0.2", "1.2.3.4", "1.2.x", ""):
            result = self.set_version(version)
            self.assertEqual(result.stderr, "usage: set_version.py MAJOR.MINOR.PATCH\n")
            self.assertNotEqual(result.returncode, 0)
        self.assertEqual(self.text(), before)


if __name__ == "__main__":
    unittest.main()
