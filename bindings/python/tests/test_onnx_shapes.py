"""The shapes that tidepool::analyze computes for ONNX files, compared with ONNX's shape inference and the outputs of its test data.

Needs the package onnx and the program tidepool_analyze_onnx_shapes of the release build. The test data are those of the package, which has no
single operators from 1.17 on, and those that CMake found.
"""

import os
import re
import subprocess
import tempfile
import unittest
from collections import Counter
from pathlib import Path

try:
    import onnx
    from onnx import numpy_helper, shape_inference
except ImportError:
    raise unittest.SkipTest("no package onnx here")

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build/release/tests/analyze/programs/tidepool_analyze_onnx_shapes"
PROGRAM = Path(os.environ.get("TIDEPOOL_ONNX_SHAPES", BUILT))
PARAMETERS = "the number of parameters"  # a key that is no name of a value
# As published with torchvision's networks of the same layers.
PUBLISHED = {"light_resnet50.onnx": 25_557_032, "light_squeezenet.onnx": 1_235_496, "light_vgg19.onnx": 143_667_240}
PACKAGE = Path(onnx.__file__).parent / "backend/test/data"


def folders():
    found = [PACKAGE]
    cache = ROOT / "build/release/CMakeCache.txt"
    if cache.exists():
        found += map(Path, re.findall(r"^TIDEPOOL_ONNX_DATA_DIR:\w+=(/.*)$", cache.read_text(), re.MULTILINE))
    return found


def models(pattern):
    return [model for folder in folders() for model in sorted(folder.glob(pattern))]


def text_of(shape):
    return "x".join(map(str, shape)) if shape else "scalar"


def computed_shapes(files):
    """For each file, {value: shape as text}, "?" for what is not known, and the number of parameters; or the error as text."""
    output = subprocess.run([PROGRAM, *files], capture_output=True, text=True, check=True).stdout
    answers, shapes = [], {}
    for line in output.splitlines():
        if line.startswith("error\t"):
            answers.append(line[6:])
            shapes = {}
        elif line.startswith("end\t"):
            answers.append(shapes | {PARAMETERS: int(line[4:])})
            shapes = {}
        else:
            name, shape = line.rsplit("\t", 1)
            shapes[name] = shape
    return answers


def inferred_shapes(model):
    """The same from ONNX, of values whose sizes are all numbers. Empty if it refuses the model."""
    try:
        graph = shape_inference.infer_shapes(model, data_prop=True).graph
    except Exception:
        return {}
    shapes = {}
    for value in [*graph.value_info, *graph.output]:
        if not value.type.HasField("tensor_type") or not value.type.tensor_type.HasField("shape"):
            continue
        dims = value.type.tensor_type.shape.dim
        if all(dim.HasField("dim_value") for dim in dims):
            shapes[value.name] = text_of([dim.dim_value for dim in dims])
    return shapes


def tensor_of(path):
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return tensor


def with_constants(folder):
    """A model of one operator, all inputs but the first being initializers, as in exported files; and the shapes of its outputs."""
    model = onnx.load(folder / "model.onnx")
    data = folder / "test_data_set_0"
    inputs = list(model.graph.input)
    for i, value in enumerate(inputs[1:], 1):
        file = data / f"input_{i}.pb"
        if not file.exists() or not value.type.HasField("tensor_type"):
            return None
        tensor = tensor_of(file)
        tensor.name = value.name
        model.graph.initializer.append(tensor)
        model.graph.input.remove(value)
    shapes = {}
    for i, value in enumerate(model.graph.output):
        file = data / f"output_{i}.pb"
        if file.exists() and value.type.HasField("tensor_type"):
            shapes[value.name] = text_of(numpy_helper.to_array(tensor_of(file)).shape)
    return model, shapes


@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM.name} is not built")
class OnnxShapes(unittest.TestCase):
    def compare(self, shapes, expected, name, counts):
        for value, shape in shapes.items():
            if value not in expected:
                continue
            counts["unknown" if shape == "?" else "compared"] += 1
            if shape != "?":
                with self.subTest(file=name, value=value):
                    self.assertEqual(shape, expected[value])

    def test_files_as_they_are(self):
        counts = Counter()
        files = models("*/*/model.onnx")
        for file, shapes in zip(files, computed_shapes(files), strict=True):
            counts["refused" if isinstance(shapes, str) else "read"] += 1
            if not isinstance(shapes, str):
                self.compare(shapes, inferred_shapes(onnx.load(file)), file.parent.name, counts)
        print(f"onnx shapes: {dict(counts)}")
        self.assertGreaterEqual(counts["read"], 1000)
        self.assertLessEqual(counts["refused"], 12)
        self.assertGreaterEqual(counts["compared"], 2000)

    def test_operators_with_constants(self):
        counts = Counter()
        with tempfile.TemporaryDirectory() as folder:
            names, files, expected = [], [], []
            for model in models("node/*/model.onnx"):
                changed = with_constants(model.parent)
                if changed is None:
                    continue
                names.append(model.parent.name)
                files.append(Path(folder) / f"{len(files)}.onnx")
                expected.append(changed[1])
                onnx.save(changed[0], files[-1])
            for name, shapes, want in zip(names, computed_shapes(files), expected, strict=True):
                if isinstance(shapes, str):
                    counts["refused"] += 1
                    with self.subTest(file=name):
                        self.assertRegex(shapes, "must not be empty|is empty|leaves")
                else:
                    self.compare(shapes, want, name, counts)
        print(f"onnx operators with constants: {dict(counts)}")
        self.assertGreaterEqual(counts["compared"], 700)

    def test_light_models(self):
        files = sorted(PACKAGE.glob("light/*.onnx"))
        self.assertGreaterEqual(len(files), 9)
        for file, shapes in zip(files, computed_shapes(files), strict=True):
            model = onnx.load(file)
            counts = Counter()
            self.compare(shapes, inferred_shapes(model), file.name, counts)
            self.assertEqual(counts["unknown"], 0, file.name)
            self.assertGreater(counts["compared"], 20, file.name)
            self.assertIn(shapes[model.graph.output[0].name], ("1x1000", "1x1000x1x1"), file.name)
            self.assertEqual(shapes[PARAMETERS], PUBLISHED.get(file.name, shapes[PARAMETERS]), file.name)


if __name__ == "__main__":
    unittest.main()
