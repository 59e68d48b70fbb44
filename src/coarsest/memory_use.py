"""How much memory processes use and may use, with what the system offers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from coarsest import tuning

MEBIBYTE: Final = 1 << 20
_MMAP_THRESHOLD: Final = -3
"""What `malloc.h` calls the size from which on a piece of memory is the system's own."""


def can_be_asked() -> bool:
    """Can the system say how much memory a process uses?"""
    return os.name == "posix"


def asking_is_cheap() -> bool:
    return sys.platform == "linux"


def memory_of(processes: Iterable[int]) -> int:
    """The bytes that these processes use together; those that have ended use none.

    What files and libraries take is shared: it counts once, for the process that has most of it.
    """
    uses = list(_uses_in_proc(processes) if asking_is_cheap() else _uses_by_ps(processes))
    return sum(own for own, _ in uses) + max((shared for _, shared in uses), default=0)


def family_of(process: int) -> list[int]:
    """A process and all that it has started, those that these have started, and so on."""
    children = _children_in_proc if asking_is_cheap() else _children_by_ps()
    family, waiting = list[int](), [process]
    while waiting:
        family.append(waiting.pop())
        waiting += children(family[-1])
    return family


def end_helpers(process: int) -> None:
    """Kill all that a process has started, but for those that it gave a session of their own: they live on, and clean up."""
    for number in family_of(process)[1:] if can_be_asked() else []:
        with suppress(OSError):
            if os.getsid(number) == os.getsid(process):
                os.kill(number, signal.SIGKILL)


def machine_mebibytes() -> int:
    """What this process may hope for: physical memory, or less if its container or its address space is limited."""
    limits = [_physical(), _container(), _address_space()]
    return min((limit for limit in limits if limit is not None), default=4 << 30) // MEBIBYTE


def most_mebibytes(limit: int | None) -> int:
    """The limit that was given. Where none is, a run may use half of the machine's memory: others need some, too."""
    return machine_mebibytes() // 2 if limit is None else limit


def share_of_memory(limit: int | None, processes: int) -> int:
    """The limit of one of several processes beside this one, which has a share, too."""
    return max(1, most_mebibytes(limit) // (processes + 1))


def is_scarce(limit: int | None) -> bool:
    """Is little left of what this process and its helpers may use? Asked often, so only where that is cheap."""
    return asking_is_cheap() and memory_of(family_of(os.getpid())) > tuning.MEMORY_WITH_HELPERS * most_mebibytes(limit) * MEBIBYTE


def memory_limit(limit: int | None) -> str:
    """What it is called."""
    if limit is not None:
        return f"the memory limit of {limit} MiB"
    return f"the memory limit of {most_mebibytes(None)} MiB (half of what the machine has, as none was given)"


def give_back() -> None:
    """Give free memory back to the system, where the system allows it: between two tasks that need much of it. The C library
    of Linux would keep what lies between other things."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def give_back_at_once() -> None:
    """Have the system take back large arrays as soon as they are free, where it allows that: the C library of Linux would keep
    more and more of them, and those of other threads for ever."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, MEBIBYTE)


def _uses_in_proc(processes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The bytes of each process that are its own, and those that it may share with others."""
    page = os.sysconf("SC_PAGE_SIZE")
    for process in processes:
        with suppress(OSError, IndexError), open(f"/proc/{process}/statm", "rb") as file:
            _, resident, shared = map(int, file.read().split()[:3])
            yield (resident - shared) * page, shared * page


def _uses_by_ps(processes: Iterable[int]) -> Iterator[tuple[int, int]]:
    """`ps` does not say what is shared."""
    for line in _ps("-o", "rss=", "-p", ",".join(map(str, processes))):
        yield int(line[0]) * 1024, 0


def _children_in_proc(process: int) -> list[int]:
    """Each thread has those that it has started."""
    children = list[int]()
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError), open(f"/proc/{process}/task/{thread}/children", "rb") as file:
                children += map(int, file.read().split())
    return children


def _children_by_ps() -> Callable[[int], Sequence[int]]:
    children: dict[int, list[int]] = {}
    for number, parent in _ps("-axo", "pid=,ppid="):
        children.setdefault(int(parent), []).append(int(number))
    return lambda process: children.get(process, ())


def _ps(*words: str) -> list[list[str]]:
    answer = subprocess.run(["ps", *words], capture_output=True, text=True, check=False).stdout
    return [line.split() for line in answer.splitlines()]


def _physical() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on this system
        return None


def _container() -> int | None:
    try:
        return int(Path("/sys/fs/cgroup/memory.max").read_text())
    except (OSError, ValueError):  # no such file, or "max"
        return None


def _address_space() -> int | None:
    try:
        import resource
    except ImportError:  # not on this system
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit
