"""./dev bench --random: drawing problems, judging them, and the report, on made-up measurements."""

import math
import re
import sys
import unittest

from bench_rows import report, row, verdict

# isort: split
import draw
import drawn
import instruction_sets
import publish
import report as reporting

FIRST_OF_SEED_0 = [
    "max1d fwd f32 nlc 18x140x217 k3 s3 p1",
    "max2d fwd f32 nchw 16x5x54x7 k3 s1 p1 ceil",
    "max2d fwd f64 nhwc 2x91x10x109 k2 s1",
    "avg2d fwd f32 nchw 21x103x51x5 k2 s2 p1",
]

PROBLEM = re.compile(r"(max|avg)([123])d (fwd|bwd) (f32|f64|f16|bf16) (nc?[dhwl]+c?) ([x\d]+)"
                     r"(?: out=([x\d]+)| k([x\d]+) s([x\d]+)(?: p([x\d]+))?(?: d([x\d]+))?(?: (ceil))?)(?: idx=(window))?")  # fmt: skip


class Drawing(unittest.TestCase):
    count = 2000
    drawn = [draw.draw(7, number) for number in range(count)]
    parts = [PROBLEM.fullmatch(one.problems[draw.FORWARD]) for one in drawn]

    def share(self, counts):
        return sum(bool(c) for c in counts) / self.count

    def test_a_seed_gives_the_same_problems_everywhere(self):
        self.assertEqual([draw.draw(0, number).problems[draw.FORWARD] for number in range(4)], FIRST_OF_SEED_0)
        self.assertEqual(draw.draw(7, 3), self.drawn[3])
        self.assertNotEqual(draw.draw(8, 3), self.drawn[3])

    def test_every_problem_is_valid(self):
        def numbers(text, rank):
            found = [int(n) for n in text.split("x")]
            return found if len(found) == rank else found * rank

        for one, m in zip(self.drawn, self.parts, strict=True):
            self.assertTrue(m, one.problems)
            op, rank, _, _, layout, shape, out, *windows, _, _ = m.groups()
            rank, shape = int(rank), [int(n) for n in shape.split("x")]
            self.assertEqual((len(layout), len(shape)), (rank + 2, rank + 2))
            self.assertTrue(1 <= shape[0] <= 64 and 1 <= shape[1] <= 512 and all(4 <= side <= 512 for side in shape[2:]), m[0])
            self.assertTrue(10**4 <= math.prod(shape) <= 10**7, m[0])
            if out:
                self.assertTrue(all(1 <= o <= side for o, side in zip(numbers(out, rank), shape[2:], strict=True)), m[0])
                continue
            kernel, stride, padding, dilation = (numbers(text or usual, rank) for text, usual in zip(windows, "1101", strict=True))
            self.assertTrue(op == "max" or set(dilation) == {1}, m[0])
            for side, k, s, p, d in zip(shape[2:], kernel, stride, padding, dilation, strict=True):
                self.assertLessEqual(d * (k - 1) + 1, side + 2 * p, m[0])
                self.assertGreater(draw.output_size(side, k, s, p, d, bool(m[12])), 0, m[0])
                self.assertTrue(1 <= k <= 21 and s in (1, 2, k) and p in (0, k // 2) and d in (1, 2), m[0])

    def test_the_shares_are_those_of_the_contract(self):
        for wanted, counts in (
            (0.6, [m[1] == "max" and not m[7] for m in self.parts]),
            (0.25, [m[1] == "avg" and not m[7] for m in self.parts]),
            (0.15, [m[7] for m in self.parts]),
            (0.8, [m[2] == "2" for m in self.parts]),
            (0.1, [m[2] == "3" for m in self.parts]),
            (0.8, [m[4] == "f32" for m in self.parts]),
        ):
            self.assertAlmostEqual(self.share(counts), wanted, delta=0.04)
        regular = [m for m in self.parts if m[8]]
        for wanted, some in (
            (0.7, [m for m in regular if {int(n) for n in m[8].split("x")} & {2, 3}]),
            (0.1, [m for m in regular if m[12]]),
            (0.1 * 0.6 / 0.85, [m for m in regular if m[11]]),
        ):
            self.assertAlmostEqual(len(some) / len(regular), wanted, delta=0.05)

    def test_passes(self):
        for one in self.drawn:
            ways = list(one.problems)
            self.assertEqual(ways, list(draw.PASSES) if one.problems[draw.FORWARD].startswith("max") else [draw.FORWARD, draw.BACKWARD])
            for way, problem in one.problems.items():
                found = {"pass": problem.split()[1], "indices": "window" if "idx=" in problem else None}
                self.assertEqual(draw.pass_of(found), way)
        jobs = list(drawn.jobs_of(40, 7, re.compile("^recording forward .* nhwc ").search))
        self.assertTrue(jobs and all(way == draw.RECORDING and " nhwc " in problem for _, way, problem, _ in jobs))

    def test_output_sizes(self):
        for size, k, s, p, d, ceil, wanted in (
            (112, 3, 2, 1, 1, False, 56), (112, 3, 2, 0, 1, True, 56), (112, 3, 2, 0, 1, False, 55), (5, 2, 2, 1, 1, True, 3), (7, 3, 1, 1, 2, False, 5),
            (4, 21, 1, 0, 1, False, -16), (4, 2, 4, 0, 1, True, 1), (5, 2, 4, 0, 1, True, 2),
        ):  # fmt: skip
            self.assertEqual(draw.output_size(size, k, s, p, d, ceil), wanted, (size, k, s, p, d, ceil))


class Judging(unittest.TestCase):
    def judged(self, ratios, **more):
        rows = [row(f"draw{i}", "max2d fwd f32 nchw 1x16x32x32 k2 s2", rivals={"pytorch": ratio}, **more) for i, ratio in enumerate(ratios)]
        return report(drawn={"count": len(rows), "seed": 5, "rows": rows, "skipped": []})

    def test_t11(self):
        self.assertEqual(verdict(report(), "T11")["verdict"], "not measured")
        good = self.judged([10.0] * 97 + [0.9] * 3)
        self.assertEqual(verdict(good, "T11")["verdict"], "pass", verdict(good, "T11"))
        self.assertEqual(verdict(good, "T11")["detail"], "forward: 97.0 %, worst 0.90, mean 9.30")
        self.assertEqual(verdict(self.judged([10.0] * 96 + [0.9] * 4), "T11")["misses"],
                         ["forward: at least 1.0 x PyTorch in 96.0 % of 100 draws, wanted 97 %"])  # fmt: skip
        self.assertEqual(verdict(self.judged([10.0] * 99 + [0.7]), "T11")["misses"], ["forward: 1 draws below 0.8, the worst 0.70"])
        self.assertEqual(verdict(self.judged([4.0]), "T11")["misses"], ["forward: geometric mean 4.00, wanted 6"])
        self.assertEqual(verdict(self.judged([4.0], indices="window"), "T11")["verdict"], "pass")

    def test_a_target_restricts_the_libraries_that_allow_it(self):
        names = {"pytorch": "PyTorch", "onnxruntime": "ONNX Runtime", "onednn": "oneDNN"}
        self.assertEqual(instruction_sets.environment("AVX2")["ATEN_CPU_CAPABILITY"], "avx2")
        self.assertEqual(instruction_sets.environment("SSE4")["DNNL_MAX_CPU_ISA"], "SSE41")
        for best in ("", "AVX3", "AVX3_ZEN4", "NEON"):
            self.assertEqual((instruction_sets.environment(best), instruction_sets.note(best, names)), ({}, ""))
        self.assertEqual(instruction_sets.note("AVX2", names), "PyTorch, oneDNN restricted to it; ONNX Runtime not restricted, for want of a setting")
        self.assertEqual(instruction_sets.note("AVX2", {"pytorch": "PyTorch"}), "PyTorch restricted to it")

    def test_the_report_and_the_page(self):
        rows = [row(f"draw{i}", "max2d fwd f32 nchw 1x16x32x32 k2 s2", rivals={"pytorch": 2.0 + i}) for i in range(20)]
        rows.append(row("draw0", "max2d bwd f32 nchw 1x16x32x32 k2 s2 idx=window", rivals={"pytorch": 0.5}, indices="window"))
        skipped = [{"pass": "backward", "problem": "x", "reason": "PyTorch has no f16"}] * 3
        made = report(drawn={"count": 20, "seed": 5, "rows": rows, "skipped": skipped}, target="AVX2", target_note="PyTorch restricted to it", rows=())
        text = reporting.text(made)
        self.assertIn("20 problems drawn with seed 5", text)
        self.assertIn("1 thread, AVX2 (PyTorch restricted to it)", text)
        self.assertRegex(text, r"forward +20 +100.0 % +9\.67 +12.0 +2\.00")
        self.assertRegex(text, r"backward +0\.50 +0\.95 +columns +max2d bwd")
        self.assertEqual(text.count("max2d fwd f32"), 10)
        self.assertIn("3 x left out, backward: PyTorch has no f16", text)
        self.assertIn("T11 miss", text)
        self.assertNotIn("T1 ", text)
        self.assertIn("## Drawn problems, 1 thread, AVX2 (PyTorch restricted to it)", publish.page([made]))


if __name__ == "__main__":
    sys.exit(unittest.main())
