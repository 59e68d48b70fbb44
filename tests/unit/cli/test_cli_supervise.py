"""The supervisor: limits that hold whatever the supervised process does, and no finding lost."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest

from coarsest import memory_use
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import Screen
from coarsest.cli.process import supervise
from coarsest.memory_use import memory_of

BEGIN = """
import os, signal, sys, time
sys.path[:] = PATH
from coarsest.cli.process import worker
channel, screen, started = worker.begin(os.environ.pop("COARSEST_SUPERVISED"))
say = channel.tell
say({"planned": [{"name": "a"}, {"name": "b"}]})
say({"decided": {"index": 0, "text": "first"}})
"""

ORPHANING = """
from argparse import Namespace
from coarsest.cli.process import supervise
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import Screen
def tell(message):
    if "model" in message:
        print(message["model"], flush=True)
supervise.START = BEGIN
supervise.supervise([], Namespace(timeout=600, memory=None, screen=Screen()), Ledger(tell), lambda: None)
"""

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")


def run(
    monkeypatch: pytest.MonkeyPatch, work: str, *, late: Callable[[Ledger], bool] = lambda ledger: False,
    tick: Callable[[Ledger], None] = lambda ledger: None, plans: bool = False, **options: object,
) -> tuple[supervise.Ending, Ledger]:  # fmt: skip
    """Time stands still until the process has said what the test is about, however busy the machine is."""
    monkeypatch.setattr(supervise, "START", BEGIN + work)
    args = Namespace(**{"timeout": None, "memory": None, "screen": Screen(77, colour=False), **options})
    monkeypatch.setattr(Ledger, "seconds", property(lambda ledger: 1000.0 if late(ledger) else 0.0))
    ledger = Ledger()
    return supervise.supervise([], args, ledger, lambda: tick(ledger), plans=plans), ledger


def has_reached(step: int) -> Callable[[Ledger], bool]:
    return lambda ledger: (ledger.event or {}).get("step") == step


def test_findings_arrive_and_the_code_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ending, ledger = run(monkeypatch, 'say({"model": str(screen.width)}); say({"code": 0}); time.sleep(600)')
    assert ending == supervise.Ending(None, None)
    assert ledger.decided[0]["text"] == "first"
    assert ledger.model == "77"


def test_a_process_that_never_returns_is_ended_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    work = 'say({"event": {"task": "t", "step": 3, "facts": {}}})\nwhile True: pass'
    ending, ledger = run(monkeypatch, work, timeout=0.3, late=has_reached(3))
    assert ending == supervise.Ending("the time limit of 0.3 s was reached", 3)
    assert ledger.decided[0]["text"] == "first"
    assert ledger.so_far().items() >= {"task": "t", "step": 3}.items()


@linux_only
def test_a_process_that_takes_too_much_memory_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    work = "hoard = []\nwhile True: hoard.append(bytearray(os.urandom(1 << 20)))"
    limit = (memory_of([os.getpid()]) >> 20) + 150  # what the supervising process itself uses counts, too
    ending, ledger = run(monkeypatch, work, memory=limit, timeout=600)
    assert ending == supervise.Ending(f"the memory limit of {limit} MiB was reached", 3)
    assert ledger.decided[0]["text"] == "first"


def test_the_last_of_many_quick_events_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    work = 'for n in range(1000): say({"event": {"task": "t", "step": n, "facts": {}}})\ntime.sleep(600)'
    ending, ledger = run(monkeypatch, work, timeout=1, late=has_reached(999))
    assert ending.code == 3
    assert ledger.so_far()["step"] == 999


def test_an_event_is_not_lost_behind_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    work = """
for n in range(100): say({"event": {"task": "t", "step": n, "facts": {}}})
say({"decided": {"index": 1, "text": "second"}})
time.sleep(600)
"""
    _, ledger = run(monkeypatch, work, timeout=1, late=lambda ledger: len(ledger.decided) == 2)
    assert ledger.so_far()["step"] == 99


def test_a_crash_is_told_apart_from_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    ending, ledger = run(monkeypatch, "os.kill(os.getpid(), signal.SIGSEGV)", memory=100_000)
    assert ending.code == 70
    assert "signal 11" in str(ending.because)
    assert ledger.decided[0]["text"] == "first"


def test_the_exit_code_of_a_process_that_complained_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(Ledger, "apply", lambda self, message: heard.append(message.get("complaint", "")))
    ending, _ = run(monkeypatch, 'print("bad input", file=sys.stderr); sys.exit(2)')
    assert ending == supervise.Ending(None, 2)
    assert "bad input" in "".join(heard)


def test_what_native_code_prints_does_not_disturb(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    ending, _ = run(monkeypatch, 'os.write(1, b"native noise\\n"); say({"code": 0})')
    assert ending == supervise.Ending()
    assert "native noise" in capfd.readouterr().err


def test_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def tick(ledger: Ledger) -> None:
        if ledger.decided:
            signal.raise_signal(signal.SIGINT)

    ending, ledger = run(monkeypatch, "while True: pass", tick=tick)
    assert ending == supervise.Ending("the run was interrupted", 130)
    assert ledger.decided[0]["text"] == "first"


def wait_for_the_end_of(process: int) -> None:
    for _ in range(6000):
        try:
            os.kill(process, 0)
            with open(f"/proc/{process}/stat") as file:
                if file.read().split()[2] == "Z":
                    return
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    pytest.fail("a process outlived the one that it worked for")


def test_an_orphan_ends_itself() -> None:
    """The supervisor is killed outright: the process doing the work must not stay behind."""
    start = BEGIN + "say({'model': str(os.getpid())}); time.sleep(600)"
    script = ORPHANING.replace("BEGIN", repr(start))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as supervisor:
        assert supervisor.stdout is not None
        worker = int(supervisor.stdout.readline())
        supervisor.kill()
    wait_for_the_end_of(worker)


def test_a_plan_is_waited_for_but_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child has its time behind it when it begins, and would sleep for a minute after it has said what it will do."""
    monkeypatch.setattr(supervise, "GRACE", 0.0)
    monkeypatch.setattr(supervise, "PLANNING", 5000.0)
    ending, ledger = run(monkeypatch, "time.sleep(60)", late=lambda ledger: True, timeout=1e-9, plans=True)
    assert ending == supervise.Ending("the time limit of 1e-09 s was reached", 3)
    assert [one["name"] for one in ledger.planned] == ["a", "b"]


def test_the_child_counts_from_where_we_do(monkeypatch: pytest.MonkeyPatch) -> None:
    _, ledger = run(monkeypatch, 'say({"model": repr(started)}); say({"code": 0})')
    assert float(ledger.model) == ledger.started


@linux_only
def test_resident_memory_of_this_process_grows() -> None:
    before = memory_of([os.getpid()])
    with mmap.mmap(-1, 1 << 24, mmap.MAP_PRIVATE) as hoard:  # fresh pages, whatever the allocator has to spare
        hoard.write(b"x" * len(hoard))
        assert memory_of([os.getpid()]) >= before + (1 << 23)
    assert memory_of([2**22 + 1]) == 0


HELPER = """
import subprocess
helper = "import os, sys, time; hoard = os.urandom(SIZE << 20); print(os.getpid(), flush=True); time.sleep(600)"
helpers = [subprocess.Popen([sys.executable, "-c", helper], stdout=subprocess.PIPE, start_new_session=own) for own in SESSIONS]
say({"model": " ".join(helper.stdout.readline().decode().strip() for helper in helpers)})
time.sleep(600)
"""


@linux_only
def test_what_the_process_starts_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two helpers, neither of which would reach the limit. One ends with the process; in a session of its own, it would not."""
    limit = (memory_of([os.getpid()]) >> 20) + 200
    work = HELPER.replace("SIZE", "120").replace("SESSIONS", "(False, True)")
    ending, _ = run(monkeypatch, work, memory=limit, timeout=600)
    assert ending == supervise.Ending(f"the memory limit of {limit} MiB was reached", 3)
    work = HELPER.replace("SIZE", "1").replace("SESSIONS", "(False, True)")
    _, ledger = run(monkeypatch, work, timeout=1, late=lambda ledger: bool(ledger.model))
    ordinary, detached = map(int, ledger.model.split())
    wait_for_the_end_of(ordinary)
    os.kill(detached, signal.SIGKILL)  # it is still there


@linux_only
def test_there_is_a_limit_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    most = (memory_of([os.getpid()]) >> 20) + 150
    monkeypatch.setattr(memory_use, "machine_mebibytes", lambda: 2 * most)
    ending, _ = run(monkeypatch, "hoard = []\nwhile True: hoard.append(bytearray(os.urandom(1 << 20)))")
    assert ending == supervise.Ending(
        f"the memory limit of {most} MiB (half of what the machine has, as none was given) was reached", 3
    )


ALONE = """
import os, sys
from argparse import Namespace
from coarsest import memory_use
from coarsest.cli.frame.command import Command
from coarsest.cli.process.execute import execute
memory_use.machine_mebibytes = lambda: 300
def work(args, ledger):
    ledger.record(result="first")
    hoard = []
    while True: hoard.append(os.urandom(1 << 20))
def conclude(args, ledger, because):
    print(ledger.result, because)
    return 3
args = Namespace(quiet=True, verbose=False, timeout=None, memory=None)
sys.exit(execute(Command(None, work, conclude), args, [], 0.0))
"""


@linux_only
def test_without_a_supervisor_there_is_a_limit_too() -> None:
    found = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=False)
    assert found.returncode == 3, found.stderr
    assert found.stdout == "first the memory limit of 150 MiB (half of what the machine has, as none was given) was reached\n"


HARD = """MODULE main
FROZENVAR a : word[24]; b : word[24];
VAR x : word[24];
ASSIGN next(x) := x * a + b;
INVARSPEC a * (b * x) = (a * b) * x
INVARSPEC b * (a * x) = (a * b) * x
INVARSPEC x * (b * a) = (x * b) * a
"""


def proportional_share(process: int) -> int:
    """Kibibytes, with what several processes have together counted once: as the system says, in another way than we ask."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    except OSError:
        return 0


@linux_only
def test_all_processes_of_a_command_keep_the_limit_together(tmp_path: Path) -> None:
    """Seen from outside. Each of them has less than a third of it, and all have twice as much after some seconds."""
    model = tmp_path / "hard.smv"
    model.write_text(HARD)
    command = [sys.executable, "-m", "coarsest", "check", str(model), "--jobs", "3", "--memory", "110", "--timeout", "60"]
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(proportional_share, memory_use.family_of(process.pid))))
        assert process.stdout is not None
        assert "the memory limit of 110 MiB was reached" in process.stdout.read()
    assert process.returncode == 3
    assert 70 << 10 < peak < 115 << 10
