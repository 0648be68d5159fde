"""How many threads a call uses."""

from __future__ import annotations

from . import _core


def num_threads() -> int:
    """The number of threads that a call uses at most. Initially the number of cores.

    Example:
        >>> import tidepool
        >>> tidepool.num_threads() >= 1
        True
    """
    return _core.num_threads()


def set_num_threads(threads: int) -> None:
    """Sets the number of threads that a call uses at most, for the whole process. Results do not depend on it.

    Args:
        threads: At least 1.

    Example:
        >>> import tidepool
        >>> before = tidepool.num_threads()
        >>> tidepool.set_num_threads(1)
        >>> tidepool.num_threads()
        1
        >>> tidepool.set_num_threads(before)
    """
    _core.set_num_threads(threads)
