"""Files that are either written completely or not at all."""

from __future__ import annotations

import contextlib
import os
import threading


def write_file(path: str | os.PathLike[str], text: str) -> None:
    """Replaces a file, or makes it. If writing fails, the file is as before."""
    target = os.path.realpath(os.fspath(path))  # a symbolic link stays one
    beside = f"{target}.{os.getpid()}.{threading.get_ident()}.tmp"
    try:
        with open(beside, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)
        raise
