"""Command lines run inside the test, or beside it: what they print, and how they end."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import pytest

from coarsest.cli.app import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


Runner: TypeAlias = Callable[..., Result]


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    """A function that runs `coarsest` with the arguments given, and perhaps with a text on standard input."""

    def run(*argv: str, stdin: str | None = None) -> Result:
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        return Result(main(argv), *capsys.readouterr())

    return run


def wait_for_progress(process: subprocess.Popen[str], words: str) -> None:
    """Read what a command with -v tells of its progress, until it is this; that is an event, where time would be a guess."""
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return
    raise AssertionError(f"the command has ended, and never told of {words}")
