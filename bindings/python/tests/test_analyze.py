"""tidepool.analyze of text and ONNX files, and its result."""

import html
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import tidepool
from tidepool.analysis import Finding, Loss

ROOT = Path(__file__).resolve().parents[3]
ONNX = Path("/usr/share/libonnx-testdata")

CHAIN = "conv 3x3 32 p1, relu, max 2, conv 3x3 16 p1, relu, up 2, conv 1x1 8"


class Result(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.net = tidepool.analyze(CHAIN, (3, 20, 31))

    def test_layers(self):
        self.assertEqual([layer.name for layer in self.net.layers],
                         ["input", "conv1", "relu1", "max_pool1", "conv2", "relu2", "resize1", "conv3"])
        conv = self.net.layer("conv2")
        self.assertEqual((conv.kind, conv.text, conv.inputs, conv.shape), ("conv", "conv 3x3 16 p1", ("max_pool1",), (1, 16, 10, 15)))
        self.assertEqual((conv.parameters, conv.multiply_adds), (32 * 9 * 16 + 16, 32 * 9 * 16 * 150))
        self.assertEqual((conv.output_bytes, conv.blocked_by), (16 * 150 * 4, None))
        h, w = conv.fields
        self.assertEqual((h.axis.name, h.axis.size, w.axis.name, w.axis.size, h.axis.input), ("h", 20, "w", 31, "input"))
        self.assertEqual((h.size, h.stride, h.begin, h.holes, h.depends, h.at_most), (8, 2, -3, (), True, False))
        up = self.net.layer("resize1").fields[0]
        self.assertEqual((up.stride, type(up.stride), type(up.centre)), (1, int, int))
        self.assertEqual(tidepool.analyze("max 2, up 3", (1, 8, 8)).layers[-1].fields[0].stride, Fraction(2, 3))
        self.assertEqual((self.net.inputs, self.net.outputs, self.net.unknown), (("input",), ("conv3",), ()))

    def test_totals(self):
        self.assertEqual(self.net.parameters, sum(layer.parameters for layer in self.net.layers))
        self.assertEqual(self.net.multiply_adds, sum(layer.multiply_adds for layer in self.net.layers))
        self.assertEqual(self.net.moved_bytes, sum(layer.moved_bytes for layer in self.net.layers))
        self.assertLess(self.net.inference_bytes, self.net.training_bytes)
        half = tidepool.analyze(CHAIN, (3, 20, 31), element_size=2, bytes_per_second=1e9)
        self.assertEqual((half.parameters, 2 * half.activation_bytes), (self.net.parameters, self.net.activation_bytes))
        self.assertEqual(half.seconds, half.moved_bytes / 1e9)

    def test_losses_and_findings(self):
        (loss,) = self.net.losses
        self.assertIsInstance(loss, Loss)
        self.assertEqual((loss.layer, loss.dim, loss.cells), ("max_pool1", 3, ((30, 31),)))
        self.assertIn("ceil_mode", " ".join(loss.remedies))
        finding = self.net.findings[0]
        self.assertIsInstance(finding, Finding)
        self.assertEqual((finding.kind, finding.layer), ("lost", "max_pool1"))
        self.assertIn("31", finding.text)
        meeting = tidepool.analyze("[ max 2, up 2 | max 2 s1 p0, pad 0:1 ] add", (1, 8, 8))
        self.assertEqual({m.layer for m in meeting.misalignments}, {"add1"})
        self.assertEqual(len(meeting.misalignments[0].paths), 2)

    def test_field(self):
        seen = self.net.field("conv2", (0, 7))
        self.assertEqual((seen.input, seen.exact, seen.along(0), seen.along(1)), ("input", True, ((0, 1),), ((0, 3),)))
        self.assertEqual((seen.along(2), seen.along(3)), (((0, 5),), ((11, 19),)))
        self.assertEqual(seen.box, ((0, 1), (0, 3), (0, 5), (11, 19)))
        self.assertTrue(seen.contains((0, 0, 4, 11)))
        self.assertFalse(seen.contains((0, 0, 5, 11)))
        self.assertEqual(self.net.field(self.net.layer("conv2"), [0, 7], input="input"), seen)
        several = self.net.field("conv2", (slice(0, 2), slice(-1, None)))
        self.assertEqual(several.box, ((0, 1), (0, 3), (0, 7), (25, 31)))
        self.assertEqual(self.net.field("conv2", (slice(0, 1), 7)), seen)
        holes = tidepool.analyze("conv 3x3 4 d3", (1, 16, 16)).field("conv1", (2, 0))
        self.assertEqual((holes.along(2), holes.along(3)), (((2, 3), (5, 6), (8, 9)), ((0, 1), (3, 4), (6, 7))))
        cross = tidepool.analyze("[ conv 1x5 1 p0x2 | conv 5x1 1 p2x0 ] add", (1, 16, 16)).field("add1", (8, 8))
        self.assertEqual((len(cross.boxes), cross.box[2:]), (2, ((6, 11), (6, 11))))
        self.assertFalse(cross.contains((0, 0, 6, 6)))

    def test_as_text(self):
        document = self.net.to_dict()
        self.assertEqual(document, json.loads(self.net.to_json()))
        self.assertEqual(document["totals"]["parameters"], self.net.parameters)
        self.assertIn("| conv2 |", self.net.to_markdown().replace("`", ""))
        for columns in (40, 80, 160):
            os.environ["COLUMNS"] = str(columns)
            try:
                lines = repr(self.net).splitlines()
            finally:
                del os.environ["COLUMNS"]
            self.assertLessEqual(max(map(len, lines)), columns)
            self.assertTrue(any("conv2" in line for line in lines))
        self.assertNotIn("\x1b", repr(self.net))

    def test_as_page(self):
        page = self.net.to_html(title="A <chain>")
        self.assertIn("A &lt;chain&gt;", page)
        frame = self.net._repr_html_()
        self.assertRegex(frame, r'^<iframe srcdoc="[^"]*" sandbox="allow-scripts"[^<]*></iframe>$')
        self.assertEqual(html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]), self.net.to_html())
        self.assertTrue(self.net.to_svg().startswith("<svg"))
        self.assertIn("<svg", self.net.field_svg("conv2", (0, 0)))

    def test_pages_are_written_as_a_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "net.html"
            self.assertIsNone(self.net.to_html(path, title="first"))
            self.assertIn("first", path.read_text(encoding="utf-8"))
            link = Path(folder) / "link.html"
            link.symlink_to(path)
            self.net.to_html(str(link), title="second")
            self.assertTrue(link.is_symlink())
            self.assertIn("second", path.read_text(encoding="utf-8"))
            with self.assertRaises(OSError):
                self.net.to_html(Path(folder) / "none" / "net.html")
            (Path(folder) / "directory").mkdir()
            with self.assertRaises(OSError):
                self.net.to_html(Path(folder) / "directory")
            self.assertEqual(sorted(p.name for p in Path(folder).iterdir()), ["directory", "link.html", "net.html"])

    def test_pages_can_be_written_in_several_threads(self):
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(8) as threads:
            path = Path(folder) / "net.html"
            list(threads.map(lambda _: self.net.to_html(path), range(64)))
            self.assertEqual(path.read_text(encoding="utf-8"), self.net.to_html())
            self.assertEqual([p.name for p in Path(folder).iterdir()], ["net.html"])

    def test_errors(self):
        errors = {
            "there is no layer 'conv9'": lambda: self.net.layer("conv9"),
            "between 0 and 9": lambda: self.net.field("conv2", (10, 0)),
            "2 positions, got 1": lambda: self.net.field("conv2", (0,)),
            "2 positions, got 3": lambda: self.net.field("conv2", (0, slice(0, 2), 0)),
            "a slice must have cells": lambda: self.net.field("conv2", (slice(4, 4), 0)),
            "no others between them": lambda: self.net.field("conv2", (slice(0, 4, 2), 0)),
            "got slice.0, 2, None. of 0 positions": lambda: self.net.field("conv2", (0, 0, slice(0, 2))),
            "4 positions, got 2": lambda: self.net.field("conv2", (0, 0)).contains((0, 0)),
            "is not an input": lambda: self.net.field("conv2", (0, 0), input="conv1"),
            "needs the shape": lambda: tidepool.analyze(CHAIN),
            "has one input": lambda: tidepool.analyze(CHAIN, [(3, 8, 8), (3, 8, 8)]),
            "unknown layer": lambda: tidepool.analyze("conv 3x3 8, squash", (3, 8, 8)),
            "kernel": lambda: tidepool.analyze("max 9", (3, 4, 4)),
            "element_size": lambda: tidepool.analyze(CHAIN, (3, 20, 31), element_size=0),
        }
        for text, call in errors.items():
            with self.subTest(error=text), self.assertRaisesRegex(tidepool.Error, text):
                call()
        for model, shape in ((3, (1, 2, 3)), (CHAIN, 7), (CHAIN, ("a", 3, 3)), (None, None)):
            with self.subTest(model=model, shape=shape), self.assertRaises(TypeError):
                tidepool.analyze(model, shape)
        for path in ("none.onnx", "NONE.ONNX"):
            with self.subTest(path=path), self.assertRaises(FileNotFoundError):
                tidepool.analyze(path)
        for field in (self.net.field, self.net.field_svg):
            for cell in ((0.9, 1.2), ("1", "2"), 3, None):
                with self.subTest(cell=cell), self.assertRaisesRegex(TypeError, "^cell must be a tuple of ints"):
                    field("conv2", cell)
            for layer in (4, None, ["conv2"]):
                with self.subTest(layer=layer), self.assertRaisesRegex(TypeError, "^layer must be a Layer or the name of one"):
                    field(layer, (0, 0))
        for shape in (7, "3x8x8", (3, 8.0, 8), (3.0, 8.0, 8.0), [(3, 8, 8), None], {"input": (3, 8, 8)}, (None, 3, 8, 8)):
            message = f"analyze: shape must be a tuple of ints, (1, 3, 224, 224), or a list of such tuples, got {shape!r}"
            with self.subTest(shape=shape), self.assertRaisesRegex(TypeError, re.escape(message)):
                tidepool.analyze(CHAIN, shape)


class Onnx(unittest.TestCase):
    @unittest.skipUnless(ONNX.is_dir(), "no libonnx-testdata here")
    def test_files(self):
        (path,) = sorted(ONNX.rglob("test_maxpool_2d_ceil/model.onnx"))
        net = tidepool.analyze(path)
        self.assertEqual((net.layers[-1].kind, net.layers[-1].shape), ("max_pool", (1, 1, 2, 2)))
        self.assertEqual(tidepool.analyze(str(path)).to_dict(), net.to_dict())
        self.assertEqual(tidepool.analyze(path.read_bytes()).to_dict(), net.to_dict())
        larger = tidepool.analyze(path, (2, 1, 8, 8))
        self.assertEqual(larger.layers[-1].shape[0], 2)

    def test_models(self):
        try:
            from onnx import TensorProto, helper
        except ImportError:
            self.skipTest("no onnx here")
        sides = ["batch", 3, "side", "side"]
        graph = helper.make_graph(
            [helper.make_node("Conv", ["x", "w"], ["a"], name="conv"), helper.make_node("Relu", ["a"], ["y"], name="act")], "net",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, sides)], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            [helper.make_tensor("w", TensorProto.FLOAT, [4, 3, 3, 3], [0.0] * 108)])
        model = helper.make_model(graph)
        self.assertEqual(tidepool.analyze(model, sizes={"side": 9}).layer("act").shape, (1, 4, 7, 7))
        self.assertEqual(tidepool.analyze(model, (2, 3, 9, 9)).layers[-1].shape, (2, 4, 7, 7))
        with self.assertRaisesRegex(tidepool.Error, "side"):
            tidepool.analyze(model)

    def test_errors(self):
        for junk in (b"", b"\x08", b"not a model", bytes(100)):
            with self.subTest(junk=junk), self.assertRaises(tidepool.Error):
                tidepool.analyze(junk)
        with self.assertRaises(FileNotFoundError):
            tidepool.analyze("there_is_none.onnx")


class WithoutTorch(unittest.TestCase):
    def run_without(self, code):
        code = "import sys; sys.modules['torch'] = None\nimport tidepool\n" + code
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    def test_text_works(self):
        done = self.run_without("print(tidepool.analyze('conv 3x3 8', (3, 8, 8)).parameters)")
        self.assertEqual((done.stdout, done.returncode), ("224\n", 0), done.stderr)

    def test_other_objects_are_refused(self):
        done = self.run_without("class Net: pass\ntidepool.analyze(Net(), (1, 3, 8, 8))")
        self.assertRegex(done.stderr.splitlines()[-1], r"^TypeError: analyze: model must be a torch.nn.Module, .*; got __main__.Net$")

    def test_neither_imports_torch(self):
        code = "import sys, tidepool\ntidepool.analyze('relu', (3, 8, 8))\nprint('torch' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(done.stdout, "False\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
