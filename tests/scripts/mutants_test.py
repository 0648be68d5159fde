#!/usr/bin/env python3
"""scripts/mutants: draws, the choice of tests, verdicts and the table, without building the library."""

import signal
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "mutants"))
import draw  # noqa: E402
import report  # noqa: E402
import suites  # noqa: E402
import worker  # noqa: E402


def fake_mutator():
    """Stands in for the package universalmutator: every `+` can become a `-` or a `*`."""
    def mutants_regexp(lines, ruleFiles, ignorePatterns):
        return [(i, line.replace("+", sign), "rule") for i, line in enumerate(lines, 1) if "+" in line for sign in "-*"]
    module = types.ModuleType("universalmutator")
    module.mutator = types.SimpleNamespace(mutants_regexp=mutants_regexp)
    return mock.patch.dict(sys.modules, {"universalmutator": module})


class Draw(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        (self.root / "a.cc").write_text("int f(int x) {\n  return x + 1;\n}\n")
        (self.root / "b.cc").write_text("int g(int x) { return x + 2; }\n")

    def test_draws_every_change_once_and_the_same_ones_for_a_seed(self):
        with fake_mutator():
            drawn = list(draw.draw(self.root, ["a.cc", "b.cc"], 7))
            again = list(draw.draw(self.root, ["a.cc", "b.cc"], 7))
        self.assertEqual(drawn, again)
        self.assertEqual({(c.path, c.line, c.after) for c in drawn},
                         {("a.cc", 2, "  return x - 1;\n"), ("a.cc", 2, "  return x * 1;\n"),
                          ("b.cc", 1, "int g(int x) { return x - 2; }\n"), ("b.cc", 1, "int g(int x) { return x * 2; }\n")})

    def test_a_change_replaces_one_line(self):
        change = draw.Change("a.cc", 2, "  return x + 1;\n", "  return x - 1;\n")
        change.apply(self.root)
        self.assertEqual((self.root / "a.cc").read_text(), "int f(int x) {\n  return x - 1;\n}\n")
        self.assertEqual(change.diff(), "a.cc:2\n-   return x + 1;\n+   return x - 1;\n")
        with self.assertRaises(AssertionError):
            change.apply(self.root)


class Suites(unittest.TestCase):
    def test_every_folder_of_the_sources_has_tests(self):
        folders = {p.name for p in (ROOT / "src").iterdir() if p.is_dir()}
        self.assertEqual(folders, set(suites.RELEVANT))
        for folder in folders:
            self.assertTrue(suites.suites_for(f"src/{folder}/x.cc", ROOT), folder)

    def test_every_folder_of_tests_is_relevant_to_something(self):
        programs = {p.parent.name for p in (ROOT / "tests").glob("*/*_test.cc")} | {"c"}
        self.assertLessEqual(programs, set(worker.all_suites(ROOT)))


class Verdicts(unittest.TestCase):
    def judged(self, builds, objects, codes, same=False):
        """The verdict when building gives `builds` in turn, the objects are `objects`, and the test programs end with `codes`. `same`: the
        change disappears with more optimisation."""
        w = worker.Worker(ROOT, ROOT)
        w.targets, w.objects, w.seconds = ["tidepool"], {"x.o": "before"}, {suite: (1.0, 1.0) for suite in worker.all_suites(ROOT)}
        with mock.patch.object(w, "make", side_effect=builds), mock.patch.object(w, "hashes", return_value={"x.o": objects}), \
                mock.patch.object(w, "same_when_optimised", return_value=same), mock.patch.object(worker, "run", side_effect=codes):
            return w.outcome(draw.Change("src/nn/x.cc", 1, "a", "b"), "a")

    def test_outcomes(self):
        self.assertEqual(self.judged([1], "before", []).outcome, "does not compile")
        self.assertEqual(self.judged([0], "before", []).outcome, "same code")
        self.assertEqual(self.judged([0, 0], "after", [1]), worker.Verdict("caught", "nn"))
        self.assertEqual(self.judged([0, 0], "after", [None]), worker.Verdict("caught", "nn, no end"))
        self.assertEqual(self.judged([0, 0], "after", [-signal.SIGKILL]), worker.Verdict("caught", "nn, no end"))
        self.assertEqual(self.judged([0, 0], "after", [0], same=True).outcome, "same code")
        self.assertEqual(self.judged([0, 0], "after", [1], same=True).outcome, "caught")
        self.assertEqual(self.judged([0, 0, 0], "after", [0, -11]), worker.Verdict("caught", "cli, exit code -11"))
        self.assertEqual(self.judged([0, 0, 0, 0], "after", [0, 0, 0]).outcome, "survived")

    def test_a_survivor_that_optimises_to_the_same_code_does_not_count(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            w = worker.Worker(ROOT, folder)
            w.source.mkdir(), w.build.mkdir(), w.scratch.mkdir()
            w.objects = {str(w.build / "x.o"): "before"}
            before = "int f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i) {\n    s += i;\n  }\n  return s;\n}\n"
            command = ["g++", "-O0", "-c", str(w.source / "x.cc"), "-o", "x.o"]
            for after, outcome in (("    s += i;\n    continue;\n", "same code"), ("    s -= i;\n", "survived")):
                (w.source / "x.cc").write_text(before)
                change = draw.Change("x.cc", 4, "    s += i;\n", after)

                def all_tests_pass(change, original):
                    return worker.Verdict("same code" if w.same_when_optimised(change, original) else "survived")

                with mock.patch.object(w, "outcome", side_effect=all_tests_pass), \
                        mock.patch.object(w, "hashes", return_value={str(w.build / "x.o"): "after"}), \
                        mock.patch.object(w, "command_for", side_effect=lambda _: list(command)):
                    self.assertEqual(w.judge(change).outcome, outcome)
                self.assertEqual((w.source / "x.cc").read_text(), before)


class Report(unittest.TestCase):
    def test_scores_by_folder(self):
        outcomes = [("src/io/npy.cc", "caught"), ("src/io/npz.cc", "survived"), ("src/c/run.cc", "caught"), ("src/c/run.cc", "same code")]
        rows = [line.split() for line in report.summary([{"path": p, "outcome": o} for p, o in outcomes]).splitlines()]
        self.assertEqual(rows[1], ["src/c", "1", "1", "0", "100", "%", "1", "0"])
        self.assertEqual(rows[2], ["src/io", "2", "1", "1", "50", "%", "0", "0"])
        self.assertEqual(rows[3], ["total", "3", "2", "1", "67", "%", "1", "0"])


if __name__ == "__main__":
    unittest.main()
