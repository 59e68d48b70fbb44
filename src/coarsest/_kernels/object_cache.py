"""Machine code of kernels on disk, safe with many processes at once, whenever one of them ends.

An entry is one file, named by all that its contents depend on: the kernel, the sources of all kernels, the processor, and the
kinds of the arguments. It begins with a digest of the rest, and takes its name when it is complete. What cannot be read or
written is not there. Beside the entries lie wishes: what somebody wanted to call and was not there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import time
from typing import NamedTuple

from msgspec import DecodeError, Struct, msgpack

from coarsest._kernels.sources import HERE, sources

DIGEST = 32
ABANDONED = 3600.0
"""Seconds after which a file that is not complete has no writer any more."""
CODE, WISH, UNFINISHED = ".code", ".wish", ".unfinished"


class Code(Struct, frozen=True, array_like=True):
    """The name of a function, the kind of its result, and object code; no code if it cannot be compiled."""

    name: str
    result: str
    code: bytes


class Wish(Struct, frozen=True, array_like=True):
    """A kernel, and the kinds of arguments it is called with."""

    module: str
    function: str
    kinds: tuple[str, ...]


class Entry(NamedTuple):
    """A kernel for some kinds of arguments, on one processor."""

    wish: Wish
    processor: str

    @property
    def prefix(self) -> str:
        """The beginning of the name, the same for all versions."""
        return f"{self.wish.module}.{self.wish.function}."

    @property
    def name(self) -> str:
        where = _digest(f"{self.processor} {self.wish.kinds}".encode()).hex()[:32]
        return f"{self.prefix}{sources()}.{where}"

    def read(self) -> Code | None:
        """What was compiled, or None."""
        return next((code for folder in folders() if (code := self.read_in(folder)) is not None), None)

    def read_in(self, folder: Path) -> Code | None:
        """What was compiled into a folder, or None."""
        with suppress(OSError, DecodeError):
            contents = (folder / (self.name + CODE)).read_bytes()
            if _digest(contents[DIGEST:]) == contents[:DIGEST]:
                return msgpack.decode(contents[DIGEST:], type=Code)
        return None

    def write(self, folder: Path, code: Code) -> None:
        """Keep what was compiled, and remove what is out of date. Raises OSError."""
        contents = msgpack.encode(code)
        _write_whole(folder / (self.name + CODE), _digest(contents) + contents)
        for path in folder.glob(f"{self.prefix}*"):
            with suppress(OSError):
                if self._is_out_of_date(path):
                    path.unlink()

    def _is_out_of_date(self, path: Path) -> bool:
        if path.name.endswith(UNFINISHED):
            return time() - path.stat().st_mtime > ABANDONED
        return path.name.endswith((CODE, WISH)) and not path.name.startswith(f"{self.prefix}{sources()}.")

    def wanted(self, folder: Path) -> None:
        """Leave word that it is wanted. Raises OSError."""
        path = folder / (self.name + WISH)
        if not path.exists():
            _write_whole(path, msgpack.encode(self.wish))

    def granted(self, folder: Path) -> None:
        with suppress(OSError):
            (folder / (self.name + WISH)).unlink()


def wishes(folder: Path) -> Iterator[Wish]:
    """What is wanted there, of the kernels as they are now."""
    for path in sorted(folder.glob(f"*.{sources()}.*{WISH}")):
        with suppress(OSError, DecodeError):
            yield msgpack.decode(path.read_bytes(), type=Wish)


def has_code(module: str) -> bool:
    """Has a kernel of this module been compiled, so that nobody waits for that?"""
    return any(True for folder in folders() for _ in folder.glob(f"{module}.*.{sources()}.*{CODE}"))


def _digest(contents: bytes) -> bytes:
    from hashlib import sha256

    return sha256(contents).digest()


def folders() -> tuple[Path, ...]:
    """Where entries may be: in the folder that COARSEST_CACHE names, or beside the kernels, or among the caches of the user."""
    named = os.environ.get("COARSEST_CACHE")
    if named:
        return (Path(named),)
    of_user = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    return Path(HERE) / "__pycache__", of_user / "coarsest"


def writable() -> Path | None:
    """The first of the folders that can be written to."""
    for folder in folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return None


def _write_whole(path: Path, contents: bytes) -> None:
    import tempfile

    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents)
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(unfinished)
        raise
