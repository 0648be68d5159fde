"""Shows the progress of a run on standard error: one updated line on a terminal, else a line per tenth of the run."""

import shutil
import sys
import time


class Progress:
    def __init__(self, stream=sys.stderr):
        self._stream, self._live, self._begin, self._tenth = stream, stream.isatty(), time.monotonic(), -1

    def show(self, done, count, what):
        elapsed = time.monotonic() - self._begin
        left = f", {elapsed / done * (count - done):.0f} s left" if done > 2 else ""
        if self._live:
            self._line(f"[{done + 1}/{count}{left}] {what}")
        elif done * 10 // count != self._tenth:
            self._tenth = done * 10 // count
            print(f"bench [{done}/{count}] {elapsed:.0f} s", file=self._stream, flush=True)

    def note(self, text):
        if self._live:
            self._line(text)

    def clear(self):
        if self._live:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _line(self, text):
        self._stream.write("\r\x1b[K" + text[: shutil.get_terminal_size().columns - 1])
        self._stream.flush()
