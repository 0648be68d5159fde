"""Describes the machine and the revision of a run."""

import os
import platform
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def cpu_name():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def cache_bytes(level):
    """The cache size of one core, or 0 if the system does not report it."""
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if (folder / "level").read_text().strip() == str(level) and (folder / "type").read_text().strip() != "Instruction":
            return int((folder / "size").read_text().strip().removesuffix("K")) * 1024
    return 0


def revision():
    """The commit, followed by + if tracked files were modified."""
    def git(*words):
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False).stdout.strip()

    return git("rev-parse", "--short=12", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def describe():
    return {
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "l2_bytes": cache_bytes(2),
        "l3_bytes": cache_bytes(3),
        "memory_gb": round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "load": round(os.getloadavg()[0], 2),
    }
