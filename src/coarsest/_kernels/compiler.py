"""`python -m coarsest._kernels.compiler FOLDER [WISH]`: compile a kernel into a folder, or all that is wanted there.

It is a process of its own: others call kernels without Numba, and whatever becomes of this one, or of them, harms nobody. One
such process at a time grants the wishes in a folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from msgspec import json

from coarsest._kernels.object_cache import Code, Entry, Wish, wishes

LOCK = "compiler.lock"
KINDNESS = 10
"""How much others go first, while nobody waits."""


def main(folder: Path, wish: str | None) -> None:
    """Do what the command line says."""
    from coarsest._kernels.native import processor

    if wish is not None:
        _grant(Entry(json.decode(wish, type=Wish), processor()), folder)
        return
    if hasattr(os, "nice"):
        os.nice(KINDNESS)
    with (folder / LOCK).open("wb") as lock:
        if not _is_ours(lock.fileno()):
            return
        while waiting := list(wishes(folder)):
            for one in waiting:
                _grant(Entry(one, processor()), folder)


def _grant(entry: Entry, folder: Path) -> None:
    """Compile; what cannot be compiled is written down as such, and is left to its twin."""
    from coarsest._kernels.object_code import object_code

    try:
        if entry.read() is None:
            module, function, kinds = entry.wish.module, entry.wish.function, entry.wish.kinds
            try:
                code = Code(*object_code(getattr(import_module(f"coarsest._kernels.{module}"), function), kinds))
            except Exception as problem:  # of the compiler, whatever it is
                sys.stderr.write(f"{module}.{function} {kinds}: {problem}\n")
                code = Code("", "", b"")
            entry.write(folder, code)
    finally:
        entry.granted(folder)


def _is_ours(lock: int) -> bool:
    """Is there no other process that compiles into the folder? The lock is free when its process ends, however that is."""
    try:
        import fcntl
    except ImportError:  # elsewhere, two may do the same work
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def start(folder: Path, wish: Wish | None = None) -> subprocess.Popen[bytes]:
    """Such a process, which no signal to ours reaches. Raises OSError."""
    package = str(Path(__file__).parents[2])
    paths = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    words = [sys.executable, "-m", "coarsest._kernels.compiler", str(folder)]
    return subprocess.Popen(
        words if wish is None else [*words, json.encode(wish).decode()], env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


if __name__ == "__main__":
    with suppress(OSError):
        main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
