"""Progress on standard error: drawn and erased on a terminal, quiet elsewhere; and Ctrl-C while the engine is busy."""

from __future__ import annotations

import io
import signal
import subprocess
import sys

import pytest

from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.process import progress
from coarsest.cli.process.progress import ERASE, Progress, progress_line
from coarsest.run import Run


def untimed(line: str) -> str:
    return line.rpartition(" · ")[0]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_terminal_sees_one_line_that_goes_away(clock: list[float]) -> None:
    ledger = Ledger()
    screen = Terminal()
    shown = Progress(ledger, stream=screen)
    Run(listener=ledger.listen).step("chaining", nodes=12_345)
    shown.tick()
    assert screen.getvalue() == ""  # too early to bother
    clock[0] += 1.0
    shown.tick()
    shown.tick()
    assert screen.getvalue().count("chaining, step 1: nodes 12,345") == 1
    clock[0] += 1.0
    shown.tick()
    assert screen.getvalue().count(ERASE) == 2
    with shown.hidden():
        assert screen.getvalue().endswith(ERASE)
    assert "\n" not in screen.getvalue()


def test_elsewhere_it_is_quiet_unless_verbose(clock: list[float]) -> None:
    ledger = Ledger()
    quiet, loud = io.StringIO(), io.StringIO()
    ticks = [Progress(ledger, stream=quiet).tick, Progress(ledger, stream=loud, verbose=True).tick]
    for _ in range(50):
        clock[0] += 0.1
        for tick in ticks:
            tick()
    assert quiet.getvalue() == ""
    assert loud.getvalue().count("\n") == 2  # in five seconds


def test_quiet_wins_over_a_terminal(clock: list[float]) -> None:
    screen = Terminal()
    shown = Progress(Ledger(), stream=screen, quiet=True)
    clock[0] += 10
    shown.tick()
    assert screen.getvalue() == ""


def test_numbers_without_end_are_rounded() -> None:
    event = {"task": "t", "step": 1, "facts": {"states": 10**30, "ratio": 0.123456, "way": "up"}}
    assert untimed(progress_line(Ledger(event=event))) == "t, step 1: states about 10^30, ratio 0.1235, way up"


def test_the_line_says_which_property_it_is_about() -> None:
    ledger = Ledger(planned=[{}, {}, {}])
    assert untimed(progress_line(ledger)) == "property 1 of 3"
    ledger.record(decided={"index": 0}, event={"task": "chaining", "step": 5, "facts": {}})
    assert untimed(progress_line(ledger)) == "property 2 of 3 · chaining, step 5"
    assert untimed(progress_line(Ledger())) == "reading"


BUSY = """
import hashlib, os, signal, sys, time
from coarsest.cli.process.lookout import Lookout
def interrupted():
    print("partial result", flush=True)
    os._exit(130)
with Lookout(lambda: None, interrupted):
    signal.signal(signal.SIGINT, HANDLER)
    print("ready", flush=True)
    WORK
"""


@pytest.mark.parametrize(
    ("handler", "work", "expected", "code"),
    [  # native code that does not return, also if the interrupt comes just before it; a main thread that reacts by itself
        ("lambda *_: None", "hashlib.pbkdf2_hmac('sha256', b'x', b'y', 10**9)", "partial result", 130),
        ("signal.default_int_handler", "time.sleep(600)", "", -signal.SIGINT),
    ],
)
def test_interrupt_while_busy(handler: str, work: str, expected: str, code: int) -> None:
    script = BUSY.replace("WORK", work).replace("HANDLER", handler)
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(signal.SIGINT)
        try:
            assert child.wait(600) == code
        finally:
            child.kill()
        assert child.stdout.read().strip() == expected
