"""A file that appears whole or not at all: written aside, then renamed."""

import os
import tempfile
from pathlib import Path


def write_aside(path, text):
    path = Path(path).resolve()  # behind a symbolic link, so that the link stays one
    handle, side = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(side, 0o644)
        os.replace(side, path)
    except BaseException:
        os.unlink(side)
        raise
