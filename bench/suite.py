"""Reads the workloads of bench/suite.txt and expands {a,b} in them."""

import re
from pathlib import Path
from typing import NamedTuple

SUITE = Path(__file__).resolve().parent / "suite.txt"
BRACES = re.compile(r"\{([^{}]*)\}")


class Workload(NamedTuple):
    id: str
    problem: str

    @property
    def name(self):
        """The text that --filter is matched with."""
        return f"{self.id} {self.problem}"


def written_out(text):
    """Expands every {a,b} into one text per choice. The first braces change slowest."""
    braces = BRACES.search(text)
    if not braces:
        return [text]
    return [line for word in braces[1].split(",") for line in written_out(text[: braces.start()] + word + text[braces.end() :])]


def read(path=SUITE):
    workloads = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        words = line.split("#")[0].split(None, 1)
        if not words:
            continue
        if len(words) == 1:
            raise ValueError(f"{path}:{number}: an id and a problem, got '{line}'")
        workloads += [Workload(words[0], " ".join(problem.split())) for problem in written_out(words[1])]
    return workloads
