"""Which tests are relevant to a source: those of the folders that use it, the closest ones first."""

from pathlib import Path

# The test programs of tests/FOLDER, except `c`, which ctest runs.
POOLING = ["unit", "ops", "kernels", "lifetime", "functional", "autograd", "gradients", "golden", "onnx", "hostile", "property", "exhaustive", "c", "nn", "cli"]
DIFFERENTIABLE = ["autograd", "functional", "gradients", "ops", "nn", "lifetime", "hostile", "golden", "property", "unit", "c"]

RELEVANT = {
    "core": ["unit", "io", *POOLING[1:]],
    "geometry": ["unit", "exhaustive", *[s for s in POOLING if s not in ("unit", "exhaustive")]],
    "kernels": ["kernels", *[s for s in POOLING if s != "kernels"]],
    "plan": ["unit", "kernels", "hostile", *[s for s in POOLING if s not in ("unit", "kernels", "hostile")]],
    "parallel": POOLING,
    "runtime": POOLING,
    "ops": ["ops", *[s for s in POOLING if s != "ops"]],
    "elementwise": DIFFERENTIABLE,
    "autograd": DIFFERENTIABLE,
    "functional": DIFFERENTIABLE,
    "c": ["c"],
    "nn": ["nn", "cli", "hostile"],
    "io": ["io", "data", "nn", "cli", "hostile"],
    "data": ["data", "cli", "hostile"],
    "plot": ["plot", "cli"],
    "analyze": ["analyze", "nn", "cli"],
}


def folder_of(path: str) -> str:
    return path.split("/")[1] if path.startswith("src/") else "core"  # headers of include/ are used by everything


def suites_for(path: str, root: Path) -> list[str]:
    return [suite for suite in RELEVANT[folder_of(path)] if (root / "tests" / suite).is_dir()]


def target_of(suite: str) -> str:
    return "tests/c/all" if suite == "c" else f"tidepool_{suite}_tests"


def command_of(suite: str, build: Path) -> list[str]:
    if suite == "c":
        return ["ctest", "--test-dir", str(build), "-L", "^c$", "--stop-on-failure"]
    return [str(build / "tests" / f"tidepool_{suite}_tests"), "--gtest_fail_fast", "--gtest_brief=1"]
