"""Standard output for commands that write a file, too: where nobody reads the one any more, the other is written still."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast


class _Patient:
    """A stream that forgets what nobody reads."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._forget()
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._forget()

    def _forget(self) -> None:
        """What is in the buffer goes nowhere, and what comes, too."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def patient_output() -> Iterator[None]:
    """Within, a reader of standard output who leaves early does not end the work."""
    before = sys.stdout
    sys.stdout = cast("TextIO", _Patient(before))
    try:
        yield
    finally:
        sys.stdout = before
