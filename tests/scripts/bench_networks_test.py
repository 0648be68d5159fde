"""./dev bench --networks: choosing cells, judging them, and the report, on made-up measurements."""

import re
import sys
import unittest

from bench_rows import report, verdict

# isort: split
import networks
import publish
import report as reporting


def rows(ratio=1.5, **changed):
    """A row for every cell of two networks; `changed` has other ratios by mode and layout."""
    found = []
    for cell in networks.cells(["Net", "Other"], re.compile("").search):
        with_ = 1.0 / changed.get(f"{cell.mode}_{cell.layout}", ratio)
        found.append(networks.row_of(cell, (2, 3, 8, 8), [1.2, 1.01, 1.0, 1.3], [with_, 2.0]))
    return found


class Networks(unittest.TestCase):
    def test_cells(self):
        every = networks.cells(["A", "B"], re.compile("").search)
        self.assertEqual(len(every), 8)
        self.assertEqual(networks.cells(["A", "B"], re.compile("^B training cont").search), [networks.Cell("B", "training", "contiguous")])
        self.assertEqual(networks.cells(["A"], re.compile("C").search), [])

    def test_a_row_has_the_best_times_and_the_noise(self):
        row = networks.row_of(networks.Cell("A", "training", "contiguous"), (1, 3), [1.0, 1.1, 1.3, 1.05], [0.8, 0.5, 0.9, 0.6])
        self.assertEqual((row["pytorch_seconds"], row["tidepool_seconds"], row["ratio"], row["turns"]), (1.0, 0.5, 2.0, 4))
        self.assertAlmostEqual(row["noise"], 1.05)
        self.assertEqual(networks.row_of(networks.Cell("A", "training", "contiguous"), (1, 3), [1.0], [1.0])["noise"], 1.0)

    def test_a_turn_is_the_best_of_its_steps(self):
        calls = []
        self.assertGreater(networks.timed(lambda: calls.append(1), 0.0), 0)
        self.assertEqual(len(calls), 1)
        networks.timed(lambda: calls.append(1), 0.01)
        self.assertGreater(len(calls), 3)

    def test_t12(self):
        self.assertEqual(verdict(report(), "T12")["verdict"], "not measured")
        good = verdict(report(networks=rows(training_channels_last=0.99)), "T12")
        self.assertEqual((good["verdict"], good["detail"]), ("pass", "worst 0.990, contiguous training 1.50, contiguous inference 1.50"))
        behind = verdict(report(networks=rows(inference_channels_last=0.97)), "T12")
        self.assertEqual(behind["misses"], [f"{name} inference channels_last: 0.970 x PyTorch (noise 1.010)" for name in ("Net", "Other")])
        self.assertEqual(verdict(report(networks=rows(training_contiguous=1.05)), "T12")["misses"], ["contiguous training: geometric mean 1.050, wanted 1.1"])
        self.assertEqual(verdict(report(networks=rows(inference_contiguous=1.15)), "T12")["misses"], ["contiguous inference: geometric mean 1.150, wanted 1.2"])

    def test_the_report_and_the_page(self):
        made = report(networks=rows(), target="AVX3")
        text = reporting.text(made)
        self.assertRegex(text, r"Other +training +channels_last +2x3x8x8 +1000\.0 +666\.7 +1\.500 +1\.010")
        self.assertRegex(text, r"geometric mean +inference +contiguous +1\.500")
        self.assertIn("T12 pass", text)
        self.assertIn("## Networks, 1 thread, AVX3", publish.page([made]))


if __name__ == "__main__":
    sys.exit(unittest.main())
