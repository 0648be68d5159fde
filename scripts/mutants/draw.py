"""Draws changes of the sources: a line at random, then one of the changes that universalmutator's rules allow on that line."""

import contextlib
import io
import random
from dataclasses import asdict, dataclass
from pathlib import Path

RULES = ["universal.rules", "c_like.rules", "cpp.rules"]


@dataclass(frozen=True)
class Change:
    path: str  # from the root of the tree
    line: int
    before: str
    after: str

    def apply(self, root: Path) -> None:
        path = root / self.path
        lines = path.read_text().splitlines(keepends=True)
        assert lines[self.line - 1] == self.before, f"{self.path} is not the file that the change was drawn from"
        lines[self.line - 1] = self.after
        path.write_text("".join(lines))

    def diff(self) -> str:
        text = f"{self.path}:{self.line}\n"
        return text + "".join(f"{mark} {line}\n" for mark, part in (("-", self.before), ("+", self.after)) for line in part.splitlines())

    def to_dict(self) -> dict:
        return asdict(self)


def changes_of(lines: list[str]) -> dict[int, list[str]]:
    """For every line number, the lines that can replace it."""
    from universalmutator import mutator

    with contextlib.redirect_stdout(io.StringIO()):
        found = mutator.mutants_regexp(lines, ruleFiles=RULES, ignorePatterns=[r"^\s*#", r"static_assert"])
    replacements: dict[int, list[str]] = {}
    for number, after, *_ in found:
        replacements.setdefault(number, []).append(after)
    return replacements


def draw(root: Path, paths: list[str], seed: int):
    """A sequence of all changes, the same for the same seed and sources, which are read when the first one is drawn. Every line that can be
    changed is equally likely."""
    rng = random.Random(seed)
    sources = {path: (root / path).read_text().splitlines(keepends=True) for path in paths}
    replacements = {path: changes_of(lines) for path, lines in sources.items()}
    places = [(path, number) for path in paths for number in sorted(replacements[path])]
    if not places:
        return
    drawn = set()
    while len(drawn) < sum(len(afters) for path in paths for afters in replacements[path].values()):
        path, number = rng.choice(places)
        after = rng.choice(replacements[path][number])
        if (path, number, after) in drawn:
            continue
        drawn.add((path, number, after))
        yield Change(path, number, sources[path][number - 1], after)
