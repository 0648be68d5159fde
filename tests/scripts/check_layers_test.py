#!/usr/bin/env python3
"""Feeds small trees to scripts/check_layers.py: what must pass, and every rule with an include that breaks it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "check_layers.py"

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
    "include/tidepool/functional/pooling.h": '#include "tidepool/ops/max_pool.h"\n',
    "include/tidepool/nn/module.h": '#include "tidepool/autograd.h"\n',
    "include/tidepool/nn.h": '#include "tidepool/nn/module.h"\n#include "tidepool/tidepool.h"\n',
    "src/functional/linear.h": '#include "tidepool/autograd.h"\n',
    "src/autograd/node.h": '#include "tidepool/autograd.h"\n',
    "src/nn/onednn.cc": '#include <dnnl.hpp>\n#include "tidepool/executor.h"\n#include "tidepool/nn/module.h"\n',
    "src/ops/max_pool.cc": '#include "tidepool/ops/max_pool.h"\n#include "tidepool/plan.h"\n',
    "include/tidepool/io/png.h": '#include "tidepool/tensor.h"\n',
    "src/io/png_read.cc": '#include <png.h>\n#include "tidepool/io/png.h"\n',
    "src/io/inflate.cc": "#include <zlib.h>\n",
    "tests/oracle/oracle.h": '#include "tidepool/ops/max_pool.h"\n',
    "tests/oracle/oracle.cc": '#include "oracle/oracle.h"\n#include "tidepool/tensor.h"\n',
    "tests/kernels/max_pool_test.cc": '#include <gtest/gtest.h>\n#include "kernels/kernel.h"\n#include "oracle/oracle.h"\n',
    "tools/tidepool/run.cc": '#include <CLI/CLI.hpp>\n#include <nlohmann/json.hpp>\n#include "oracle/oracle.h"\n',
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
    ("src/ops/bad.cc", '#include "tidepool/functional/pooling.h"', "not functional"),
    ("src/functional/bad.cc", '#include "tidepool/nn/module.h"', "not nn"),
    ("src/autograd/bad.cc", "#include <dnnl.hpp>", "oneDNN belongs to src/nn/"),
    ("src/c/bad.cc", "#include <nanobind/nanobind.h>", "the Python binding library belongs to bindings/python/ alone"),
    ("src/parallel/bad.cc", '#include "tidepool/plan.h"', "not plan"),
    ("src/plan/bad.cc", '#include "tidepool/tidepool.h"', "not umbrella"),
    ("src/extra/bad.cc", '#include "tidepool/tensor.h"', "has no layer yet"),
    ("include/tidepool/fresh.h", '#include "tidepool/tensor.h"', "has no layer yet"),
    ("include/tidepool/half.h", '#include "core/checked.h"', "public headers alone"),
    ("include/tidepool/axis.h", '#include "tidepool/plan.h"', "not plan"),
    ("src/plan/bad.cc", "#include <hwy/highway.h>", "Highway belongs to src/kernels/, src/runtime/ alone"),
    ("tests/kernels/bad.cc", "#  include <hwy/targets.h>", "Highway belongs"),
    ("src/parallel/serial.cc", "#include <tbb/task_arena.h>", "oneTBB belongs to src/parallel/tbb.cc alone"),
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
    ("tests/oracle/bad.cc", '#include "core/checked.h"', "the oracle shares no code with src/"),
    ("tests/oracle/bad.cc", '#include "tidepool/plan.h"', "the oracle shares no code with src/"),
    ("tools/tidepool/bad.cc", '#include "kernels/kernel.h"', "tools lives on the public headers"),
    ("examples/bad.cc", '#include "core/checked.h"', "examples lives on the public headers"),
    ("src/geometry/bad.cc", '#include "../core/checked.h"', "never climbs"),
]


def run(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", SCRIPT, folder], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


class CheckLayers(unittest.TestCase):
    def test_clean_tree_passes(self):
        status, output = run(CLEAN)
        self.assertEqual(status, 0, output)

    def test_every_rule_refuses(self):
        for name, line, complaint in REFUSED:
            with self.subTest(file=name, line=line):
                status, output = run(CLEAN | {name: f"// a comment\n{line}\n"})
                self.assertEqual(status, 1, output)
                self.assertTrue(output.startswith(f"{name}:2: "), output)
                self.assertIn(complaint, output)
                self.assertEqual(output.count("\n"), 1, output)

    def test_all_offences_are_listed(self):
        bad = {"src/core/bad.cc": '#include "tidepool/plan.h"\n#include <hwy/base.h>\n', "examples/bad.cc": "#include <png.h>\n"}
        status, output = run(CLEAN | bad)
        self.assertEqual(status, 1, output)
        self.assertEqual(output.count("\n"), 3, output)

    def test_comments_are_not_includes(self):
        status, output = run(CLEAN | {"src/core/good.cc": '// #include <hwy/base.h>\nconst char* s = "#include <png.h>";\n'})
        self.assertEqual(status, 0, output)


if __name__ == "__main__":
    unittest.main()
