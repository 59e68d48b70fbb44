"""A directory for large intermediate tables that is removed when the process ends, in whatever way.

A process that is killed cannot tidy up. So a small companion process waits until its standard input is closed, which the
operating system also does for a dead parent, and then removes the directory.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

from coarsest.errors import FileProblem

REMOVE = "import shutil, sys; sys.stdin.read(); shutil.rmtree(sys.argv[1], True)"


class Scratch:
    """Use as `with Scratch() as folder: …`; `parent` is a directory with room, by default the system's temporary one."""

    def __init__(self, parent: str | None = None) -> None:
        self._parent = parent

    def __enter__(self) -> Path:
        try:
            folder = tempfile.mkdtemp(prefix="coarsest-", dir=self._parent)
        except OSError as error:
            parent = self._parent or tempfile.gettempdir()
            raise FileProblem(f"cannot use '{parent}' for intermediate tables: {error.strerror}",
                              hint="name a directory with room: --scratch DIR") from None  # fmt: skip
        # The companion has its own session, so that Ctrl-C in the terminal does not end it before this process.
        self._companion = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", REMOVE, folder], stdin=subprocess.PIPE, start_new_session=True
        )
        return Path(folder)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._companion.communicate()
