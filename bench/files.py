"""Atomic file writing: the text goes to a temporary file, which is then renamed."""

import os
import tempfile
from pathlib import Path


def write_aside(path, text):
    path = Path(path).resolve()  # follow symbolic links, because a rename would replace the link
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
