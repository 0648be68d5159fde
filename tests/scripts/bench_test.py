"""The benchmark's scripts: the suite, the judgement of targets, the table, the page and the chart, on made-up measurements."""

import contextlib
import io
import json
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench")]
import chart  # noqa: E402
import files  # noqa: E402
import neighbours  # noqa: E402
import publish  # noqa: E402
import report as reporting  # noqa: E402
import run  # noqa: E402
import suite  # noqa: E402
import timing  # noqa: E402
from bench_rows import report, row, verdict  # noqa: E402


class Suite(unittest.TestCase):
    def test_every_row_of_the_contract_is_there(self):
        workloads = suite.read()
        ids = {w.id for w in workloads}
        for id_ in ("stem1 stem32 vgg1 vgg4 alex incep spp5 spp9 spp13 seven huge segnet dil win3 win64 gap gap1 dense incavg ada6 ada7 lp vol seq "
                    "frac tiny odd").split():  # fmt: skip
            self.assertIn(id_, ids)
            problems = [w.problem.split() for w in workloads if w.id == id_]
            last = {layout[1] != "c" for _, _, _, layout, *_ in problems}
            self.assertEqual(last, {False, True}, f"{id_}: both layouts")
        self.assertEqual(len({w.problem for w in workloads}), len(workloads))

    def test_every_maximum_and_average_is_trained_with(self):
        problems = {w.problem for w in suite.read()}
        for problem in problems:
            op, way, dtype, *_ = problem.split()
            if way == "fwd" and "idx=" not in problem and op[:3] in ("max", "avg") and dtype not in ("u8", "i8"):
                indices = " idx=window" if op.startswith("max") else ""
                self.assertIn(problem.replace(" fwd ", " bwd ", 1) + indices, problems)
                self.assertIn(problem + indices, problems)

    def test_braces(self):
        self.assertEqual(suite.written_out("a{1,2}{x,y}"), ["a1x", "a1y", "a2x", "a2y"])
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("# note\na  b   {c,d} # more\n\n")
            file.flush()
            self.assertEqual([tuple(w) for w in suite.read(file.name)], [("a", "b c"), ("a", "b d")])
            file.write("lonely\n")
            file.flush()
            with self.assertRaisesRegex(ValueError, ":4: an id and a problem"):
                suite.read(file.name)

    def test_neighbours_change_sizes_alone(self):
        import random

        rng = random.Random(1)
        for workload in suite.read():
            near = neighbours.neighbour(workload.problem, rng)
            self.assertNotEqual(near, workload.problem)
            pattern = neighbours.SHAPE
            self.assertEqual(pattern.sub("#", near, count=1), pattern.sub("#", workload.problem, count=1))
            sizes = [[int(n) for n in pattern.search(text)[0].split("x")] for text in (workload.problem, near)]
            self.assertTrue(all(abs(a - b) <= 5 for a, b in zip(*sizes, strict=True)), near)


class FakeJob:
    """Takes as long as it is told, without waiting."""

    rest = 0.0

    def __init__(self, times):
        self.times, self.calls = times, 0

    def time(self, calls):
        self.calls += calls
        return calls * (self.times.pop(0) if len(self.times) > 1 else self.times[0])


class Turns(unittest.TestCase):
    def test_best_of_many(self):
        jobs = {"a": FakeJob([0.05, 0.04, 0.03, 0.02]), "b": FakeJob([0.1])}
        times = timing.take_turns(jobs, timing.FULL)
        self.assertEqual(times["a"][0], 0.02)
        self.assertGreaterEqual(times["a"][1] * 0.05, timing.FULL.seconds)
        self.assertGreaterEqual(times["b"][1], timing.FULL.repetitions)

    def test_slow_ones_are_called_once(self):
        jobs = {"slow": FakeJob([50.0])}
        self.assertEqual(timing.take_turns(jobs, timing.FULL, warm_ups={"slow": 50.0}), {"slow": (50.0, 1)})
        self.assertEqual(jobs["slow"].calls, 0)

    def test_short_ones_are_timed_together(self):
        job = FakeJob([1e-6])
        best, count = timing.take_turns({"short": job}, timing.QUICK)["short"]
        self.assertAlmostEqual(best, 1e-6)
        self.assertGreater(job.calls, 10 * count)


class Targets(unittest.TestCase):
    def test_behind_one_rival(self):
        made = report([row(rivals={"pytorch": 30.0, "onednn": 0.8}), row("vgg4", rivals={"pytorch": 20.0})])
        self.assertEqual(verdict(made, "T1")["verdict"], "miss")
        self.assertEqual(verdict(made, "T1")["misses"], ["stem32 max2d fwd nchw: 0.80 x onednn"])

    def test_limit_depends_on_the_cache(self):
        small = {"read_bytes": 500_000, "written_bytes": 100_000}
        between = {"read_bytes": 2_000_000, "written_bytes": 0}
        made = report([row(limit=0.91), row("vgg4", limit=0.51, **small), row("seven", limit=0.1, **between), row("tiny", limit=0.1, **small)])
        self.assertEqual(verdict(made, "T2")["verdict"], "pass")
        self.assertEqual(verdict(made, "T2")["detail"], "2 of 2 rows")
        self.assertEqual(verdict(report([row(limit=0.89)]), "T2")["verdict"], "miss")

    def test_geometric_means(self):
        rows = [row(rivals={"pytorch": 10.0}), row("alex", rivals={"pytorch": 40.0}), row(problem="max2d fwd f32 nhwc 1x1x4x4 k2", rivals={"pytorch": 0.1})]
        made = report(rows)
        self.assertEqual(verdict(made, "T3")["verdict"], "pass")
        self.assertIn("forward 20.0 x", verdict(made, "T3")["detail"])

    def test_windows_overhead_and_memory(self):
        wide = [row("win3", "avg2d fwd f32 nhwc 1x8x9x9 k3 s1", 0.01), row("win64", "avg2d fwd f32 nhwc 1x8x9x9 k9 s1", 0.02)]
        self.assertEqual(verdict(report(wide), "T4")["misses"], ["win64 avg2d fwd nhwc: 2.00 x the time of 3x3"])
        self.assertEqual(verdict(report([row("tiny", seconds=1e-7, one_shot_seconds=2e-6)]), "T5")["misses"],
                         ["tiny max2d fwd nchw: the one-shot function takes 2.00 us"])  # fmt: skip
        self.assertEqual(verdict(report([row(indices="window", index_bytes=1)]), "T7")["verdict"], "pass")
        self.assertEqual(verdict(report([row(indices="window", index_bytes=2)]), "T7")["verdict"], "miss")

    def test_threads(self):
        def two(ours, limit):
            return report([row(seconds=0.01, ours_alone_seconds=ours, limit_alone_seconds=limit)])

        self.assertEqual(verdict(two(0.018, 0.018), "T6")["verdict"], "pass")
        self.assertEqual(verdict(two(0.012, 0.0096), "T6")["verdict"], "pass")
        self.assertEqual(verdict(two(0.012, 0.018), "T6")["verdict"], "miss")
        self.assertEqual(verdict(two(0.009, 0.0096), "T6")["verdict"], "miss")
        self.assertEqual(verdict(report([row()]), "T6")["verdict"], "not measured")

    def test_narrow_types_weight_and_neighbours(self):
        rows = [row(), row(problem="max2d fwd u8 nchw 32x64x112x112 k3 s2 p1", seconds=0.004)]
        self.assertEqual(verdict(report(rows), "T8")["misses"], ["stem32 max2d fwd nchw u8: 2.50 x f32, wanted 3.0"])
        weight = {"library_bytes": 5_000_000, "build_seconds": 100, "jobs": 2}
        self.assertEqual(verdict(report(weight=weight), "T9")["misses"], ["the stripped library has 5.00 MB"])
        near = [{"id": "a", "base": "x", "problem": "y", "kernel": "k", "ratio": ratio} for ratio in (0.79, 0.81)]
        self.assertEqual(len(verdict(report(neighbours=near), "neighbours")["misses"]), 1)


    def test_training(self):
        def indexed(id_, seconds, problem="max2d fwd f32 nchw 32x64x112x112 k3 s2 p1", **more):
            return row(id_, f"{problem} idx=window", seconds, indices="window", **({"index_bytes": 1} | more))

        self.assertEqual(verdict(report([row()]), "T10")["verdict"], "not measured")
        self.assertEqual(verdict(report([row(), indexed("stem32", 0.0124)]), "T10")["verdict"], "pass")
        slow = verdict(report([row(), indexed("stem32", 0.0126)]), "T10")
        self.assertEqual(slow["misses"], ["stem32 max2d fwd nchw idx=window: 1.26 x the time without indices, wanted 1.25"])
        small = {"read_bytes": 500_000, "written_bytes": 100_000}  # not memory-bound
        self.assertEqual(verdict(report([row(**small), indexed("stem32", 0.1)]), "T10")["verdict"], "not measured")
        windows = [row(), indexed("stem32", 0.01), indexed("spp5", 0.01, "a2d fwd f32 nchw x"), indexed("spp13", 0.016, "b2d fwd f32 nchw x")]
        for w in windows[2:]:
            w["op"] = "max"
        self.assertEqual(verdict(report(windows), "T10")["misses"], ["spp13 max2d fwd nchw idx=window: 1.60 x the time of spp5, wanted 1.5"])
        backward = row(problem="max2d bwd f32 nchw 1x1x4x4 k2 idx=window", indices="window", index_bytes=1, seconds=0.01, unchecked_seconds=0.008)
        self.assertEqual(verdict(report([backward]), "T10")["misses"],
                         ["stem32 max2d bwd nchw: checking the indices takes 20 % of it, wanted 10 %"])  # fmt: skip
        backward["unchecked_seconds"] = 0.0095
        self.assertEqual(verdict(report([backward]), "T10")["detail"], "checking them 5 % of backward in the median, 5 at most")

    def test_recording_forward_and_calls_are_judged_by_their_own_targets(self):
        made = report([row(rivals={"pytorch": 30.0}), row("alex", rivals={"pytorch": 2.0}, indices="window", index_bytes=1)])
        self.assertEqual(verdict(made, "T3")["verdict"], "pass")
        self.assertEqual(verdict(report([row("tiny", seconds=1e-6, indices="window", index_bytes=1)]), "T5")["verdict"], "not measured")


class Pages(unittest.TestCase):
    rows = [row(rivals={"pytorch": 123.4, "onednn": 0.81}, limit=0.5),
            row("gap", "avg2d bwd f32 nhwc 1x8x7x7 out=1", rivals={"pytorch": 7.0})]  # fmt: skip
    rows[1]["rivals"]["onnxruntime"] = {"cannot": "ONNX has no channels-last layout"}
    rows[1]["rivals"]["xnnpack"] = {"absent": "not installed"}
    made = report(rows)

    def test_table(self):
        text = reporting.text(self.made)
        self.assertIn("123", text)
        self.assertIn("0.81", text)
        self.assertIn("XNNPACK is absent: not installed", text)
        self.assertIn("1 x -: ONNX has no channels-last layout (gap)", text)
        self.assertIn("T1 miss", text)
        header, lines = reporting.table(self.rows)
        self.assertEqual(header, ["workload", "op", "layout", "pass", "GB/s", "limit", "PyTorch", "oneDNN", "kernel"])
        self.assertEqual(lines[1], ["gap", "avg2d", "nhwc", "bwd", "10.0", "0.95", "7.00", "-", "columns"])

    def test_chart_shows_every_comparison(self):
        drawing = chart.draw(self.made)
        tree = ElementTree.fromstring(drawing)
        circles = tree.findall("{http://www.w3.org/2000/svg}circle")
        self.assertEqual(sum(c.get("class") != "limit" for c in circles), 3)
        self.assertEqual(sum(c.get("class") == "behind" for c in circles), 1)
        self.assertIn("A &lt;CPU&gt;", drawing)
        width = float(tree.get("width"))
        self.assertTrue(all(0 < float(c.get("cx")) < width for c in circles))

    def test_publish(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "run.json").write_text(json.dumps(self.made))
            with contextlib.redirect_stdout(io.StringIO()):
                publish.publish([folder / "run.json"], folder / "RESULTS.md", folder / "speed.svg")
            page = (folder / "RESULTS.md").read_text()
            self.assertIn("`./dev bench` took 1.0 min on 2026-01-02, revision abc", page)
            self.assertIn("| stem32 | max2d | nchw | fwd | 10.0 | 0.50 | 123 | 0.81 | columns |", page)
            self.assertIn("- **T1 miss**", page)
            self.assertEqual({p.name for p in folder.iterdir()}, {"run.json", "RESULTS.md", "speed.svg"})
            (folder / "other.json").write_text("[]")
            with self.assertRaisesRegex(ValueError, "is not what"):
                publish.publish([folder / "other.json"], folder / "RESULTS.md", folder / "speed.svg")
            self.assertEqual((folder / "RESULTS.md").read_text(), page)

    def test_files_appear_whole_or_not_at_all(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a"
            files.write_aside(path, "old")
            with self.assertRaises(UnicodeEncodeError):
                files.write_aside(path, "\ud800")
            self.assertEqual([p.name for p in Path(folder).iterdir()], ["a"])
            self.assertEqual(path.read_text(), "old")


class Arguments(unittest.TestCase):
    def refused(self, *words):
        answer = subprocess.run([sys.executable, "-B", str(ROOT / "bench" / "run.py"), *words], capture_output=True, text=True, check=False)
        self.assertEqual(answer.returncode, 2, answer.stderr)
        return answer.stderr

    def test_refusals(self):
        self.assertIn("--threads", self.refused("--threads", "0"))
        self.assertIn("--threads", self.refused("--threads", "1025"))
        self.assertIn("--filter is no regular expression", self.refused("--filter", "("))
        self.assertIn("there is no folder", self.refused("--json", "/no/such/folder/x.json"))
        self.assertIn("unrecognized", self.refused("--nonsense"))

    def test_help_names_every_option(self):
        answer = subprocess.run([sys.executable, "-B", str(ROOT / "bench" / "run.py"), "--help"], capture_output=True, text=True, check=True)
        for option in "json filter threads target rivals quick gate random networks seed neighbours weight kernels publish".split():
            self.assertIn(f"--{option}", answer.stdout)
        page = (ROOT / "docs" / "benchmarks.md").read_text()
        for option in re.findall(r"^  (--[a-z]+)", answer.stdout, re.MULTILINE):
            self.assertIn(option, page)

        self.assertIn("--random takes a number from 1", self.refused("--random", "-1"))
        self.assertIn("not allowed with argument", self.refused("--random", "3", "--weight"))
        self.assertIn("--rivals takes pytorch, ", self.refused("--rivals", "pytorch,mkl"))
        self.assertIn("--weight has no --target", self.refused("--weight", "--target", "AVX2"))

    def test_rivals(self):
        self.assertEqual(run.arguments([]).rivals, list(reporting.RIVALS))
        self.assertEqual((run.arguments(["--rivals", "onednn,pytorch"]).rivals, run.arguments(["--rivals", ""]).rivals), (["onednn", "pytorch"], []))

    def test_random_takes_an_optional_count(self):
        self.assertEqual((run.arguments(["--random"]).random, run.arguments(["--random", "7", "--seed", "3"]).random, run.arguments([]).random), (300, 7, 0))

    def test_neighbours_take_an_optional_count(self):
        self.assertEqual(run.arguments(["--neighbours"]).neighbours, 2)
        self.assertEqual(run.arguments(["--neighbours", "5"]).neighbours, 5)
        self.assertEqual(run.arguments([]).neighbours, 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
