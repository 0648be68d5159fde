"""./dev mutants N [--seed S] [--only PATH]: how many small changes of the sources do the tests notice?

Draws N changes of src/ (an operator, a number, a dropped line …), makes one at a time, builds, and runs the tests of the folders that use the
changed file. Changes that do not compile, or that compile to the same machine code, are not counted. Prints the share that made a test fail,
by folder, and the changes that no test noticed. A run that was stopped goes on when it is started again with the same seed.
"""

import argparse
import concurrent.futures
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from draw import Change, draw  # noqa: E402
from report import summary  # noqa: E402
from suites import suites_for  # noqa: E402
from worker import Stopped, Verdict, Worker, kill_all  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", metavar="N", type=int, help="changes to judge")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="of the draw (default: 1)")
    parser.add_argument("--only", metavar="PATH", action="append", help="a file or folder below src/ or include/; can be given again")
    parser.add_argument("--workers", metavar="W", type=int, default=2, help="copies of the tree that work at the same time (default: 2)")
    parser.add_argument("--fresh", action="store_true", help="forget the results of earlier runs with this seed")
    options = parser.parse_args(words)
    if options.count < 1 or options.workers < 1:
        parser.error("N and --workers must be at least 1")
    return options


def sources(only: list[str] | None) -> list[str]:
    listed = subprocess.run(["git", "ls-files", "--", *(only or ["src"])], cwd=ROOT, capture_output=True, check=True, text=True)
    found = [path for path in listed.stdout.split() if path.endswith((".cc", ".h")) and path.startswith(("src/", "include/"))]
    if not found:
        raise Stopped(f"no tracked C++ file of src/ or include/ in {', '.join(only or ['src'])}")
    return found


class Run:
    """The state that the workers share: the next change, and the results, which are written to a file as they come."""

    def __init__(self, changes, count: int, file: Path):
        self.changes, self.count, self.file, self.lock = changes, count, file, threading.Lock()
        self.results = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        self.known = {(r["path"], r["line"], r["after"]) for r in self.results}
        self.judged = sum(r["outcome"] in ("caught", "survived") for r in self.results)
        self.pending, self.start, self.stop = 0, 0.0, False  # start: of the first judgement
        self.judged_before = self.judged

    def next(self) -> Change | None:
        with self.lock:
            self.start = self.start or time.monotonic()
            if self.stop or self.judged + self.pending >= self.count:
                return None
            for change in self.changes:
                if (change.path, change.line, change.after) not in self.known:
                    self.pending += 1
                    return change
            return None

    def add(self, change: Change, verdict: Verdict) -> None:
        with self.lock:
            self.pending -= 1
            self.results.append({**change.to_dict(), "outcome": verdict.outcome, "by": verdict.by, "seconds": verdict.seconds})
            with self.file.open("a") as out:
                out.write(json.dumps(self.results[-1]) + "\n")
            if verdict.outcome not in ("caught", "survived"):
                return
            self.judged += 1
            left = (time.monotonic() - self.start) / (self.judged - self.judged_before) * (self.count - self.judged)
            by = f" by {verdict.by}" if verdict.by else ""
            print(f"[{self.judged}/{self.count}] {verdict.outcome}{by}: {change.path}:{change.line} ({verdict.seconds:.0f} s, {left / 60:.0f} min left)",
                  file=sys.stderr, flush=True)


def work(run: Run, worker: Worker) -> None:
    while (change := run.next()) is not None:
        verdict = worker.judge(change)
        if run.stop:
            return  # the judgement was interrupted
        run.add(change, verdict)


def main(words: list[str]) -> int:
    options = arguments(words)
    paths = sources(options.only)
    folder = ROOT / "build" / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"seed-{options.seed}{''.join('-' + p.replace('/', '_') for p in options.only or [])}.jsonl"
    if options.fresh:
        file.unlink(missing_ok=True)
    workers = [Worker(ROOT, folder / f"worker-{i}") for i in range(options.workers)]
    # Drawn from a copy, because the sources may be edited meanwhile.
    run = Run(draw(workers[0].source, paths, options.seed), options.count, file)
    if file.exists():
        print(f"going on with the {run.judged} results in {file.relative_to(ROOT)}", file=sys.stderr)
    suites = list(dict.fromkeys(suite for path in paths for suite in suites_for(path, ROOT)))
    print(f"building {len(workers)} copies of the tree, then running {len(suites)} groups of tests without a change", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(len(workers)) as pool:
        try:
            # One after the other: the compiler cache has what the first one compiled.
            for worker in workers:
                pool.submit(worker.prepare, suites, len(workers)).result()
            pool.submit(workers[0].measure, suites).result()
            for worker in workers[1:]:
                worker.seconds = workers[0].seconds
            for task in [pool.submit(work, run, worker) for worker in workers]:
                task.result()
        except BaseException:
            run.stop = True
            kill_all()
            raise
    survivors = folder / "survivors.txt"
    survivors.write_text("\n".join(Change(r["path"], r["line"], r["before"], r["after"]).diff() for r in run.results if r["outcome"] == "survived"))
    print(summary(run.results))
    if any(r["outcome"] == "survived" for r in run.results):
        print(f"The changes that no test noticed: {survivors.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Stopped as error:
        sys.exit(f"mutants: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
