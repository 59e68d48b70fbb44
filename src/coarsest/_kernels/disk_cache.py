"""Compiled kernels on disk, safe with many processes at once, whenever one of them ends.

Numba keeps an index of numbered files and writes it before the file that it names. Two processes that compile for different types
take the same number, and either may load the other's code; one that is killed in between leaves an index whose stamp is new
and whose file is old. Here an entry is one file, named by all that its contents depend on, with a digest of them. It
takes its name when it is complete. What cannot be read or written is not there: a kernel is compiled instead.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

DIGEST = sha256().digest_size
ABANDONED = 3600.0
"""Seconds after which a file that is not complete has no writer any more."""

_FunctionCache: Any = FunctionCache
_CacheFile: Any = IndexDataCacheFile


class _Entries(_CacheFile):  # type: ignore[misc]
    """The entries of one kernel; of Numba's class only the writing of whole files is used."""

    def __init__(self, folder: str, name: str, stamp: str) -> None:
        super().__init__(folder, name, stamp)
        self._folder, self._name = Path(folder), name
        self._prefix = f"{name}.{sha256(stamp.encode()).hexdigest()[:16]}"

    def load(self, key: Any) -> Any:
        """What was compiled for the key, or None."""
        content = self._path(key).read_bytes()
        if sha256(content[DIGEST:]).digest() != content[:DIGEST]:
            return None
        written_for, entry = pickle.loads(content[DIGEST:])
        return entry if written_for == key else None

    def save(self, key: Any, data: Any) -> None:
        content = self._dump((key, data))
        with self._open_for_write(str(self._path(key))) as file:
            file.write(sha256(content).digest() + content)
        self._clear(lambda path: not path.name.startswith(self._prefix) or _is_abandoned(path))

    def flush(self) -> None:
        self._clear(lambda path: True)

    def _path(self, key: Any) -> Path:
        return self._folder / f"{self._prefix}.{sha256(repr(key).encode()).hexdigest()[:32]}.nbc"

    def _clear(self, wanted: Callable[[Path], bool]) -> None:
        """Remove entries, also those of the kernel when it was at another line of its file."""
        function, _, where = self._name.rpartition("-")
        python = where.partition(".")[2]
        for path in self._folder.glob(f"{function}-*.{python}.*"):
            with suppress(OSError):
                if wanted(path):
                    path.unlink()


def _is_abandoned(path: Path) -> bool:
    return ".tmp." in path.name and time() - path.stat().st_mtime > ABANDONED


class KernelCache(_FunctionCache):  # type: ignore[misc]
    """The cache of a kernel. Raises RuntimeError if there is no place that can be written to."""

    def __init__(self, function: Callable[..., Any], stamp: str) -> None:
        super().__init__(function)
        stamp = f"{stamp}\n{self._impl.locator.get_source_stamp()!r}"
        self._cache_file = _Entries(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with suppress(OSError):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):
            super().save_overload(sig, data)
