"""Makes `random_machines`, `random_expressions` and `oracles` importable from every test, and all tests equally wide."""

import os
import signal
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from coarsest.logic.parse import FRAMES
from command_lines import Runner, runner

# Text is wrapped to the terminal, and some test runners pretend to have one.
os.environ["COLUMNS"] = "100"

# Without their compiled files, every process that a test starts would compile half of the package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long an example takes says something about the machine and its load, and nothing about the code.
settings.register_profile("coarsest", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("coarsest")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would every process that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Reading raises the limit for the rest of the process. Whoever compares it before and after a test shall see no difference.
sys.setrecursionlimit(FRAMES)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Models with many definitions raise the limit further: no test hands that on to the next."""
    try:
        return (yield)
    finally:
        sys.setrecursionlimit(FRAMES)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    """Runs command lines in a directory of the test; a test file that needs files there extends it."""
    monkeypatch.chdir(tmp_path)
    return runner(monkeypatch, capsys)
