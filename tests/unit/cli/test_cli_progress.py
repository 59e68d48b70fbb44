"""Progress on standard error: drawn and erased on a terminal, quiet elsewhere; and Ctrl-C while the engine is busy."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys

import pytest

from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.process import progress
from coarsest.cli.process.progress import ERASE, JsonLines, Progress, progress_line
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


def test_elsewhere_a_line_a_minute_unless_verbose(clock: list[float]) -> None:
    ledger = Ledger()
    plain, loud, mute = io.StringIO(), io.StringIO(), io.StringIO()
    kinds = [Progress(ledger, stream=plain), Progress(ledger, stream=loud, verbose=True)]
    kinds.append(Progress(ledger, stream=mute, quiet=True))
    for _ in range(260):
        clock[0] += 0.5
        for kind in kinds:
            kind.tick()
    assert [stream.getvalue().count("\n") for stream in (plain, loud, mute)] == [2, 65, 0]  # in 130 seconds


def test_programs_hear_it_in_json(clock: list[float]) -> None:
    ledger, lines = Ledger(planned=[{}, {}], decided={0: {}}), io.StringIO()
    shown = Progress(ledger, stream=JsonLines(lines))
    Run(listener=ledger.listen).step("chaining", nodes=12_345)
    clock[0] += 3
    shown.tick()
    event = json.loads(lines.getvalue())
    assert (event["event"], event["task"], event["step"], event["facts"]) == ("progress", "chaining", 1, {"nodes": 12_345})
    assert (event["property"], event["properties"]) == (2, 2)


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
def end(ending):
    print("partial result", flush=True)
    os._exit(ending.code)
with Lookout(lambda: None, end):
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
