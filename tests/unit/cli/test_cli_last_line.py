"""What runs out (memory, nodes, room on a disk) is no bug in coarsest, wherever it is noticed."""

from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from coarsest.bdd.protocol import OutOfNodes
from coarsest.cli import app, dispatch

COMMAND = (sys.executable, "-m", "coarsest")


class Z3Exception(Exception):
    """As z3 names it."""


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (MemoryError(), 3, "memory ran out"),
        (Z3Exception(b"out of memory"), 3, "memory ran out"),
        (OutOfNodes(), 3, "the limit on nodes was reached"),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 2, "cannot write the result: No space left"),
        (PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/var/cache"), 2, "cannot use '/var/cache': Permission denied"),
    ],
)
def test_errors_that_nobody_expected(
    error: Exception, code: int, words: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(arguments: object, started: float) -> int:
        raise error

    monkeypatch.setattr(dispatch, "dispatch", fail)
    monkeypatch.setattr(app, "_silenced", lambda code: code)
    assert app.main(["check", "m.smv"]) == code
    assert words in capfd.readouterr().err


def test_programs_get_json(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Also where a library could not use a file."""

    def fail(arguments: object, started: float) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/var/cache")

    monkeypatch.setattr(dispatch, "dispatch", fail)
    monkeypatch.setattr(app, "_silenced", lambda code: code)
    assert app.main(["check", "m.smv", "--json"]) == 2
    out, err = capfd.readouterr()
    assert json.loads(out)["error"]["message"] == "cannot use '/var/cache': Permission denied"
    assert err == "error: cannot use '/var/cache': Permission denied\n"


@pytest.mark.skipif(os.name != "posix", reason="a signal is sent")
@pytest.mark.parametrize(
    ("before", "after", "code"),
    [("app._start_of_the_process = interrupt", "", 130), ("", "interrupt()", 0)],
)
def test_interrupts_at_the_edges(before: str, after: str, code: int) -> None:
    """Before the work begins, and while Python ends."""
    program = f"""
import os, signal, sys
from coarsest.cli import app
interrupt = lambda: os.kill(os.getpid(), signal.SIGINT)
sys.argv[1:] = ["--version"]
{before}
code = app.main()
{after}
sys.exit(code)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == code, result.stderr


def test_no_room_for_tables(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    rows = "".join(f"s{n},a{n % 3},s{n * 7 % 5000}\n" for n in range(20_000))
    (tmp_path / "links.csv").write_text(f"source,action,target\n{rows}")

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    command = [*COMMAND, "reduce", "links.csv", "--scratch", "."]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, preexec_fn=small_files)
    assert result.returncode == 2, result.stderr
    assert "no room for tables" in result.stderr and "--scratch" in result.stderr


@pytest.mark.parametrize("command", ["simulate", "reach", "check", "reduce"])
def test_few_nodes(command: str, tmp_path: Path) -> None:
    declared = "".join(f"v{i} : 0..30; " for i in range(12))
    steps = "".join(f"next(v{i}) := (v{i} * v{(i * 7 + 3) % 12} + v{(i * 5 + 1) % 12}) mod 31; " for i in range(12))
    (tmp_path / "m.smv").write_text(f"MODULE main VAR {declared} ASSIGN {steps} INVARSPEC v0 = 0")
    alone = ["--engine", "forward"] if command == "check" else []  # IC3, which has no nodes, would find the violation
    program = [*COMMAND, command, "m.smv", "--nodes", "2000", *alone]
    result = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == (2 if command == "simulate" else 3), result.stderr  # walks need no nodes, and say so
