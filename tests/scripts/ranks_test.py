#!/usr/bin/env python3
"""The functions of the public op headers are written out for every rank. This test finds a rank that was forgotten in an edit."""

import re
import unittest
from pathlib import Path

OPS = Path(__file__).resolve().parents[2] / "include" / "tidepool" / "ops"


def sections(text):
    """{1: functions of 1-D, …}, with the rank replaced by N in names and template arguments."""
    parts = re.split(r"^// ---- (\d)-D -+$", text, flags=re.MULTILINE)[1:]
    result = {}
    for rank, body in zip(parts[::2], parts[1::2]):
        body = body.split("}  // namespace tidepool")[0]
        body = re.sub(rf"pool{rank}d", "poolNd", body)
        body = body.replace(f"<{rank}>", "<N>")
        result[int(rank)] = " ".join(body.split())
    return result


class Ranks(unittest.TestCase):
    def headers(self):
        return sorted(p for p in OPS.glob("*.h") if p.name != "pooled.h")

    def test_every_header_has_every_rank(self):
        self.assertGreaterEqual(len(self.headers()), 9)
        for header in self.headers():
            ranks = [2, 3] if header.name == "fractional_max_pool.h" else [1, 2, 3]
            self.assertEqual(sorted(sections(header.read_text(encoding="utf-8"))), ranks, header.name)

    def test_ranks_differ_in_their_number_only(self):
        for header in self.headers():
            by_rank = sections(header.read_text(encoding="utf-8"))
            for rank, body in by_rank.items():
                with self.subTest(header=header.name, rank=rank):
                    self.assertIn("poolNd(", body)
                    self.assertEqual(body, by_rank[2])


if __name__ == "__main__":
    unittest.main()
