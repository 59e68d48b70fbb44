"""How much memory a process uses, with what the system offers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress

MEBIBYTE = 1 << 20
_MMAP_THRESHOLD = -3
"""What `malloc.h` calls the size from which on a piece of memory is the system's own."""


def resident_memory() -> Callable[[int], int] | None:
    """A function from a process id to its resident bytes (0 when it is gone); None where the system has no way to ask."""
    if os.path.exists("/proc/self/statm"):
        return _from_proc
    if os.name == "posix":
        return _from_ps
    return None


def installed_mebibytes() -> int | None:
    """How much memory the machine has; None where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MEBIBYTE
    except (AttributeError, ValueError, OSError):
        return None


def give_back() -> None:
    """Give memory that is free back to the system, where it can be told to: between two tasks that need much of it. The C library
    of Linux would keep what lies between other things."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def give_back_at_once() -> None:
    """Have the system take back large arrays as soon as they are free, where it can be told to: the C library of Linux would keep
    more and more of them, and those of other threads for ever."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, MEBIBYTE)


def asking_is_cheap() -> bool:
    return sys.platform == "linux"


def _from_proc(process: int) -> int:
    try:
        with open(f"/proc/{process}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def _from_ps(process: int) -> int:
    answer = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=False).stdout.strip()
    return int(answer) * 1024 if answer.isdigit() else 0
