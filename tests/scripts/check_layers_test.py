#!/usr/bin/env python3
"""Small trees for scripts/check_layers.py: one that must pass, and for every rule an include that breaks it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "check_layers.py"
sys.path.insert(0, str(SCRIPT.parent))
import check_layers  # noqa: E402

CLEAN = {
    "include/tidepool/tensor.h": '#pragma once\n#include <vector>\n#include "tidepool/dtype.h"\n',
    "include/tidepool/dtype.h": "#pragma once\n",
    "include/tidepool/dlpack.h": "#include <dlpack/dlpack.h>\n",
    "include/tidepool/geometry.h": '#include "tidepool/tensor.h"\n',
    "include/tidepool/executor.h": "#pragma once\n",
    "include/tidepool/runtime.h": "#pragma once\n",
    "include/tidepool/plan.h": '#include "tidepool/executor.h"\n#include "tidepool/geometry.h"\n',
    "include/tidepool/ops/max_pool.h": '#include "tidepool/geometry.h"\n',
    "include/tidepool/tidepool.h": '#include "tidepool/ops/max_pool.h"\n#include "tidepool/plan.h"\n',
    "src/core/checked.h": "#pragma once\n",
    "src/core/tensor.cc": '#include "tidepool/tensor.h"\n#include "core/checked.h"\n',
    "src/geometry/axis.cc": '#include "core/checked.h"\n#include "tidepool/geometry.h"\n',
    "src/kernels/kernel.h": '#include "tidepool/geometry.h"\n',
    "src/kernels/max_pool.cc": "#include <hwy/highway.h>\n",
    "src/parallel/tbb.cc": "#include <tbb/parallel_for.h>\n",
    "src/plan/plan.cc": '#include "kernels/kernel.h"\n#include "tidepool/plan.h"\n#include "tidepool/runtime.h"\n',
    "include/tidepool/c.h": "#include <stddef.h>\n",
    "src/c/plan.cc": '#include "tidepool/c.h"\n#include "tidepool/ops/max_pool.h"\n#include "tidepool/plan.h"\n',
    "include/tidepool/autograd.h": '#include "tidepool/tensor.h"\n',
    "include/tidepool/functional.h": '#include "tidepool/ops/max_pool.h"\n',
    "include/tidepool/nn/module.h": '#include "tidepool/autograd.h"\n',
    "include/tidepool/nn.h": '#include "tidepool/nn/module.h"\n#include "tidepool/tidepool.h"\n',
    "src/functional/linear.h": '#include "tidepool/autograd.h"\n#include "tidepool/ops/max_pool.h"\n',
    "src/autograd/node.h": '#include "tidepool/autograd.h"\n',
    "src/nn/onednn.cc": '#include <dnnl.hpp>\n#include "tidepool/executor.h"\n#include "tidepool/nn/module.h"\n',
    "src/ops/max_pool.cc": '#include "tidepool/ops/max_pool.h"\n#include "tidepool/plan.h"\n',
    "include/tidepool/io/png.h": '#include "tidepool/tensor.h"\n',
    "src/io/png_read.cc": '#include <png.h>\n#include "tidepool/io/png.h"\n',
    "src/io/inflate.cc": "#include <zlib.h>\n",
    "reference/reference.h": '#include "tidepool/geometry.h"\n',
    "reference/max_pool.cc": '#include "reference/reference.h"\n#include "tidepool/tensor.h"\n',
    "tests/support/compare.h": '#include "reference/reference.h"\n',
    "tests/kernels/max_pool_test.cc": '#include <gtest/gtest.h>\n#include "kernels/kernel.h"\n#include "support/compare.h"\n',
    "tools/tidepool/app.h": "#pragma once\n",
    "tools/tidepool/run.cc": '#include <CLI/CLI.hpp>\n#include <nlohmann/json.hpp>\n#include "app.h"\n#include "reference/reference.h"\n',
}

# file, line, what the complaint must say
REFUSED = [
    ("src/core/bad.cc", '#include "tidepool/geometry.h"', "core may include core, not geometry"),
    ("src/geometry/bad.cc", '#include "kernels/kernel.h"', "not kernels (src/kernels/kernel.h)"),
    ("src/geometry/bad.cc", '#include "tidepool/executor.h"', "not parallel"),
    ("src/kernels/bad.cc", '#include "tidepool/plan.h"', "not plan"),
    ("src/kernels/bad.cc", '#include "tidepool/runtime.h"', "not runtime"),
    ("src/plan/bad.cc", '#include "tidepool/ops/max_pool.h"', "not ops"),
    ("src/ops/bad.cc", '#include "tidepool/c.h"', "not c (include/tidepool/c.h)"),
    ("src/core/bad.cc", '#include "tidepool/autograd.h"', "not autograd"),
    ("src/ops/bad.cc", '#include "tidepool/functional.h"', "not functional"),
    ("src/functional/bad.cc", '#include "tidepool/nn/module.h"', "not nn"),
    ("src/autograd/bad.cc", '#include "tidepool/functional.h"', "not functional"),
    ("src/autograd/bad.cc", '#include "functional/linear.h"', "not functional (src/functional/linear.h)"),
    ("src/autograd/bad.cc", '#include "tidepool/ops/max_pool.h"', "not ops"),
    ("include/tidepool/functional.h", '#include "tidepool/nn/module.h"', "not nn"),
    ("src/autograd/bad.cc", "#include <dnnl.hpp>", "oneDNN belongs to src/nn/"),
    ("src/c/bad.cc", "#include <nanobind/nanobind.h>", "the Python binding library belongs to bindings/python/ alone"),
    ("src/parallel/bad.cc", '#include "tidepool/plan.h"', "not plan"),
    ("src/plan/bad.cc", '#include "tidepool/tidepool.h"', "not umbrella"),
    ("src/extra/bad.cc", '#include "tidepool/tensor.h"', "has no folder yet"),
    ("include/tidepool/fresh.h", '#include "tidepool/tensor.h"', "has no folder yet"),
    ("include/tidepool/half.h", '#include "core/checked.h"', "public headers alone"),
    ("include/tidepool/axis.h", '#include "tidepool/plan.h"', "not plan"),
    ("src/plan/bad.cc", "#include <hwy/highway.h>", "Highway belongs to src/kernels/, src/runtime/, bench/rivals/face.cc, tests/lifetime/programs/fewer_targets.cc alone"),
    ("tests/kernels/bad.cc", "#  include <hwy/targets.h>", "Highway belongs"),
    ("src/parallel/serial.cc", "#include <tbb/task_arena.h>", "oneTBB belongs to src/parallel/tbb.cc, tests/lifetime/outer_tasks_test.cc alone"),
    ("src/ops/bad.cc", "#include <oneapi/tbb/parallel_for.h>", "oneTBB belongs"),
    ("src/ops/bad.cc", "#include <dnnl.hpp>", "oneDNN belongs"),
    ("src/core/bad.cc", "#include <CLI/CLI.hpp>", "CLI11 belongs to tools/ alone"),
    ("src/core/bad.cc", "#include <nlohmann/json.hpp>", "nlohmann-json belongs"),
    ("src/core/bad.cc", "#include <png.h>", "libpng belongs to src/io/ alone"),
    ("src/core/bad.cc", "#include <zlib.h>", "zlib belongs to src/io/ alone"),
    ("src/io/bad.cc", '#include "tidepool/plan.h"', "io may include core, io, not plan"),
    ("src/ops/bad.cc", '#include "tidepool/io/png.h"', "not io"),
    ("src/core/bad.cc", "#include <dlpack/dlpack.h>", "DLPack belongs to include/tidepool/dlpack.h alone"),
    ("src/core/bad.cc", "#include <gtest/gtest.h>", "GoogleTest belongs"),
    ("reference/bad.cc", '#include "core/checked.h"', "the reference implementation shares no code with src/"),
    ("reference/bad.cc", '#include "tidepool/plan.h"', "the reference implementation shares no code with src/"),
    ("reference/bad.cc", '#include "tidepool/ops/max_pool.h"', "the reference implementation shares no code with src/"),
    ("reference/bad.cc", '#include "support/compare.h"', "the reference implementation shares no code with src/"),
    ("src/plan/bad.cc", '#include "reference/reference.h"', "not reference (reference/reference.h)"),
    ("tools/tidepool/bad.cc", '#include "kernels/kernel.h"', "tools may include public headers, reference, not src/kernels/kernel.h"),
    ("tools/tidepool/bad.cc", '#include "support/compare.h"', "tools may include public headers, reference, not tests/support/compare.h"),
    ("examples/bad.cc", '#include "core/checked.h"', "examples may include public headers, not src/core/checked.h"),
    ("examples/bad.cc", '#include "reference/reference.h"', "examples may include public headers, not reference/reference.h"),
    ("bindings/python/bad.cc", '#include "support/compare.h"', "bindings may include public headers, not tests/support/compare.h"),
    ("src/geometry/bad.cc", '#include "../core/checked.h"', "never climbs"),
]


def make_tree(folder, files):
    for name, text in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def offences(files, uses=None):
    """The offences of a tree."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(check_layers, "USES", uses or check_layers.USES):
        make_tree(folder, files)
        return check_layers.check(Path(folder))


class Rules(unittest.TestCase):
    def test_clean_tree_passes(self):
        self.assertEqual(offences(CLEAN), [])

    def test_every_rule_refuses(self):
        for name, line, complaint in REFUSED:
            with self.subTest(file=name, line=line):
                found = offences(CLEAN | {name: f"// a comment\n{line}\n"})
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(f"{name}:2: "), found)
                self.assertIn(complaint, found[0])

    def test_all_offences_are_listed(self):
        bad = {"src/core/bad.cc": '#include "tidepool/plan.h"\n#include <hwy/base.h>\n', "examples/bad.cc": "#include <png.h>\n"}
        self.assertEqual(len(offences(CLEAN | bad)), 3)

    def test_comments_are_not_includes(self):
        self.assertEqual(offences(CLEAN | {"src/core/good.cc": '// #include <hwy/base.h>\nconst char* s = "#include <png.h>";\n'}), [])


class Cycles(unittest.TestCase):
    def test_a_mistake_in_the_table_does_not_hide_a_cycle(self):
        wrong = check_layers.USES | {"core": ["geometry"]}
        bad = {"src/core/bad.cc": '#include "tidepool/geometry.h"\n'}
        found = offences(CLEAN | bad, uses=wrong)
        self.assertEqual(len(found), 1, found)
        self.assertIn("folders include each other: core > geometry > core (src/core/bad.cc:1, ", found[0])
        self.assertEqual(offences(CLEAN, uses=wrong), [])

    def test_public_headers_count_as_their_folder(self):
        wrong = check_layers.USES | {"geometry": ["core", "plan"]}
        found = offences(CLEAN | {"include/tidepool/axis.h": '#include "tidepool/plan.h"\n'}, uses=wrong)
        self.assertEqual(len(found), 1, found)
        self.assertIn("geometry > plan > geometry", found[0])

    def test_long_cycles_are_found(self):
        self.assertIsNone(check_layers.cycle({"a": {"b": "1", "c": "2"}, "b": {"c": "3"}}))
        self.assertEqual(check_layers.cycle({"a": {"b": "1"}, "b": {"c": "2"}, "c": {"d": "3"}, "d": {"b": "4"}}), ["b", "c", "d", "b"])

    def test_the_table_itself_has_no_cycle(self):
        self.assertIsNone(check_layers.cycle({folder: dict.fromkeys(left, "") for folder, left in check_layers.USES.items()}))


class ThisRepository(unittest.TestCase):
    def test_the_tables_name_what_exists(self):
        self.assertEqual(set(check_layers.USES), {path.name for path in (ROOT / "src").iterdir() if path.is_dir()})
        for header in check_layers.HEADER_FOLDER:
            self.assertTrue((ROOT / "include" / "tidepool" / header).is_file(), header)
        for _, _, places in check_layers.LIBRARIES:
            for place in places:
                self.assertTrue((ROOT / place).exists(), place)
        for folder in check_layers.ROOTS:
            self.assertTrue((ROOT / folder).is_dir(), folder)


class Program(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as folder:
            make_tree(folder, files)
            return subprocess.run([sys.executable, "-B", SCRIPT, folder], stdout=subprocess.PIPE, text=True, check=False)

    def test_exit_code_and_output(self):
        good = self.run_on(CLEAN)
        self.assertEqual((good.returncode, good.stdout), (0, "layers: every include points the right way\n"))
        bad = self.run_on(CLEAN | {"examples/bad.cc": "#include <png.h>\n"})
        self.assertEqual((bad.returncode, bad.stdout), (1, "examples/bad.cc:1: libpng belongs to src/io/ alone\n"))


if __name__ == "__main__":
    unittest.main()
