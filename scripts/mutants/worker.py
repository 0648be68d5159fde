"""One copy of the tree, in which changes are made, built and tested one at a time."""

import hashlib
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from draw import Change
from suites import RELEVANT, command_of, suites_for, target_of

# Two instruction sets and little optimisation: a kernel compiles in seconds, and the tests still compare vectors with scalar code.
CONFIGURE = [
    "-GNinja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1",
    "-DTIDEPOOL_DISABLED_TARGETS=HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL",
    "-DTIDEPOOL_BUILD_EXAMPLES=OFF", "-DTIDEPOOL_BUILD_BENCH=OFF", "-DTIDEPOOL_INSTALL=OFF",
]
LIBRARIES = ["tidepool", "tidepool_io", "tidepool_data", "tidepool_analyze", "tidepool_nn"]
MEMORY = 12 << 30  # bytes of address space; a change can make a size enormous

running: set[subprocess.Popen] = set()
running_lock = threading.Lock()


class Stopped(Exception):
    """A step could not be done, for the reason given."""


@dataclass
class Verdict:
    outcome: str  # "caught", "survived", "same code" or "does not compile"
    by: str = ""  # the tests that failed, and how
    seconds: float = 0.0


def limit(cpu_seconds: float | None) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if cpu_seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_seconds), int(cpu_seconds)))


def run(command: list[str], log: Path, timeout: float, cwd: Path, cpu_seconds: float | None = None) -> int | None:
    """The exit code, or None after `timeout` seconds. The whole process group is killed then. A process that computes for longer than
    `cpu_seconds` is killed by the system."""
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=cwd, start_new_session=True,
            env={**os.environ, "OMP_WAIT_POLICY": "passive", "CCACHE_NOHASHDIR": "1"},
            preexec_fn=lambda: limit(cpu_seconds))
        with running_lock:
            running.add(process)
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            kill(process)
            return None
        finally:
            with running_lock:
                running.discard(process)


def kill(process: subprocess.Popen) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def kill_all() -> None:
    with running_lock:
        processes = list(running)
    for process in processes:
        kill(process)


def how_it_ended(code: int | None) -> str:
    return "no end" if code in (None, -signal.SIGXCPU, -signal.SIGKILL) else f"exit code {code}"


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Worker:
    def __init__(self, root: Path, folder: Path):
        self.root, self.source, self.build = root, folder / "source", folder / "build"
        self.log, self.scratch = folder / "log.txt", folder / "scratch"
        self.seconds: dict[str, tuple[float, float]] = {}  # of each suite without a change: by the clock, and of the processors

    def prepare(self, suites: list[str], jobs: int) -> None:
        """Copies the tracked files and builds them."""
        for folder in (self.source, self.build, self.scratch):
            folder.mkdir(parents=True, exist_ok=True)
        self.log.write_text("")
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=self.root, capture_output=True, check=True, text=True).stdout
        wanted = [name for name in listed.split("\0") if name and (self.root / name).is_file()]
        for stale in [p for p in self.source.rglob("*") if p.is_file() and str(p.relative_to(self.source)) not in set(wanted)]:
            stale.unlink()
        for name in wanted:
            to = self.source / name
            if not to.exists() or to.read_bytes() != (self.root / name).read_bytes():
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.root / name, to)
        os.environ["CCACHE_BASEDIR"] = str(self.root)
        if run(["cmake", "-S", str(self.source), "-B", str(self.build), *CONFIGURE], self.log, 600, self.scratch) != 0:
            raise Stopped(f"cmake failed, see {self.log}")
        self.targets = [t for t in LIBRARIES if subprocess.run(["ninja", "-C", str(self.build), "-n", t], capture_output=True).returncode == 0]
        if self.make([*self.targets, *map(target_of, suites)], jobs) != 0:
            raise Stopped(f"the unchanged tree does not build, see {self.log}")
        self.objects = self.hashes()

    def measure(self, suites: list[str]) -> None:
        """Runs the suites: they must pass without a change, and how long they take limits how long a change may make them run."""
        for suite in suites:
            start, used = time.monotonic(), children_seconds()
            if run(command_of(suite, self.build), self.log, 1800, self.scratch) != 0:
                raise Stopped(f"tests/{suite} fails without a change, see {self.log}")
            self.seconds[suite] = time.monotonic() - start, children_seconds() - used
            print(f"tests/{suite}: {self.seconds[suite][0]:.0f} s", file=sys.stderr, flush=True)

    def make(self, targets: list[str], jobs: int = 1) -> int | None:
        return run(["ninja", "-C", str(self.build), "-j", str(jobs), *targets], self.log, 3600, self.scratch)

    def hashes(self) -> dict[str, str]:
        return {str(o): hashlib.sha256(o.read_bytes()).hexdigest() for o in sorted(self.build.glob("src/**/*.o"))}

    def judge(self, change: Change) -> Verdict:
        start = time.monotonic()
        original = (self.source / change.path).read_text()
        self.log.write_text(change.diff())
        try:
            change.apply(self.source)
            verdict = self.outcome(change, original)
        finally:
            (self.source / change.path).write_text(original)
        verdict.seconds = round(time.monotonic() - start, 1)
        return verdict

    def outcome(self, change: Change, original: str) -> Verdict:
        if self.make(self.targets) != 0:
            return Verdict("does not compile")
        if self.hashes() == self.objects:
            return Verdict("same code")
        for i, suite in enumerate(suites_for(change.path, self.root)):
            if self.make([target_of(suite)]) != 0:
                return Verdict("does not compile")
            clock, processors = self.seconds[suite]
            code = run(command_of(suite, self.build), self.log, 60 + 8 * clock, self.scratch, 10 + 2 * processors)
            if code != 0:
                return Verdict("caught", suite if code == 1 or (suite == "c" and code is not None) else f"{suite}, {how_it_ended(code)}")
            # Most changes fail in the first suite. Those that do not are often none, which is cheaper to find out than to run all suites.
            if i == 0 and self.same_when_optimised(change, original):
                return Verdict("same code")
        return Verdict("survived")

    def same_when_optimised(self, change: Change, original: str) -> bool:
        """Does every object that the change altered become the same with more optimisation? A `continue` at the end of a loop does."""
        altered = [name for name, digest in self.hashes().items() if self.objects.get(name) != digest]
        changed = (self.source / change.path).read_text()
        for name in altered:
            digests = []
            for text in (changed, original):
                (self.source / change.path).write_text(text)
                digests.append(self.optimised(name))
            (self.source / change.path).write_text(changed)
            if None in digests or digests[0] != digests[1]:
                return False
        return bool(altered)

    def optimised(self, name: str) -> str | None:
        """A hash of the object, compiled with more optimisation and without assertions, which contain line numbers."""
        words = self.command_for(name)
        output = self.scratch / "optimised.o"
        words[words.index("-o") + 1] = str(output)
        # GCC predicts branches from the statements that are written, and `continue` is one of them.
        if run([*words, "-O2", "-DNDEBUG", "-fno-guess-branch-probability"], self.log, 600, self.build) != 0:
            return None
        return hashlib.sha256(output.read_bytes()).hexdigest()

    def command_for(self, name: str) -> list[str]:
        listed = subprocess.run(["ninja", "-C", str(self.build), "-t", "compdb"], capture_output=True, check=True, text=True).stdout
        wanted = str(Path(name).relative_to(self.build))
        return next(shlex.split(entry["command"]) for entry in json.loads(listed) if entry["output"] == wanted)


def all_suites(root: Path) -> list[str]:
    names = dict.fromkeys(suite for suites in RELEVANT.values() for suite in suites)
    return [name for name in names if (root / "tests" / name).is_dir()]
