"""What only a process of its own can show: pipes that close, disks that are full, Ctrl-C while the engine is busy."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path

import pytest

from coarsest.cli.commands import check
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.ledger import Ledger
from command_lines import Runner, wait_for_progress

COMMAND = [sys.executable, "-m", "coarsest"]
TOGGLE = "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x; INVARSPEC !x\n"
HARD = """MODULE main VAR a : word[40]; b : word[40];
INVARSPEC NAME easy := TRUE
INVARSPEC NAME hard := (a + b) * a = a * a + a * b
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toggle.smv").write_text(TOGGLE)
    (tmp_path / "hard.smv").write_text(HARD)
    return tmp_path


@pytest.mark.parametrize("limits", [[], ["--timeout", "600"]])
def test_a_reader_that_goes_away_is_no_error(limits: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([*COMMAND, "check", "toggle.smv", *limits], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (result.returncode, result.stderr) == (141, b"")


def test_a_full_disk_on_standard_output() -> None:
    if not Path("/dev/full").exists():
        return
    with open("/dev/full", "w") as full:
        result = subprocess.run([*COMMAND, "reach", "toggle.smv"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert "cannot write the result" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("check toggle.smv >&-", 1),
        ("check toggle.smv --timeout 600 >&-", 1),
        ("check toggle.smv 2>&-", 1),
        ("check toggle.smv <&- >&- 2>&-", 1),
        ("check - <&-", 2),
        ("check missing.smv 2>&-", 2),
        ("simulate toggle.smv -i <&-", 0),
    ],
)
def test_closed_streams(command: str, code: int) -> None:
    shell = ["sh", "-c", f'exec "{sys.executable}" -m coarsest {command}']
    result = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert result.returncode == code
    assert "internal error" not in result.stderr


def test_an_ascii_terminal() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    arguments = [*COMMAND, "simulate", "toggle.smv", "-i"]
    result = subprocess.run(arguments, input="?\n", capture_output=True, text=True, env=environment, check=False)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("options", [[], ["--timeout", "600"], ["--json"]])
def test_interrupt_while_the_engine_is_busy(options: list[str]) -> None:
    """Ctrl-C ends the run although an operation of the engine is under way, and what was decided is printed."""
    arguments = [*COMMAND, "check", "hard.smv", "-v", *options]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as busy:
        try:
            wait_for_progress(busy, "property 2 of 2")  # the first is decided, and the second keeps the engine busy
            busy.send_signal(signal.SIGINT)
            out, err = busy.communicate(timeout=600)
        finally:
            busy.kill()
    assert busy.returncode == 130
    assert "Traceback" not in err
    if "--json" in options:
        verdicts = [(p["name"], p["verdict"], p["reason"]) for p in json.loads(out)["properties"]]
        assert verdicts == [("easy", "holds", None), ("hard", "unknown", "the run was interrupted")]
    else:
        assert out.startswith("holds    easy")
        assert "unknown  hard: (a + b) * a = a * a + a * b\n    because the run was interrupted" in out


def test_termination_leaves_no_process_behind() -> None:
    with subprocess.Popen([*COMMAND, "check", "hard.smv", "-v", "--timeout", "600"], stderr=subprocess.PIPE, text=True) as busy:
        wait_for_progress(busy, "property 2 of 2")
        children = Path(f"/proc/{busy.pid}/task/{busy.pid}/children")
        workers = [int(child) for child in children.read_text().split()] if children.exists() else []
        assert workers or not children.exists()
        busy.terminate()
        assert busy.wait(600) == 143
    for _ in range(6000):
        if not any(Path(f"/proc/{worker}").exists() for worker in workers):
            return
        time.sleep(0.05)
    pytest.fail("the worker outlived the command")


def test_starting_does_not_import_what_it_does_not_need() -> None:
    code = "import sys; from coarsest.cli.app import main; main(['--version']); print(sorted(sys.modules))"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("numpy", "oxidd", "'dd'", "coarsest.api.model", "subprocess", "asyncio"):
        assert heavy not in modules


def test_a_model_is_checked_without_numpy_and_what_else_it_does_not_need() -> None:
    code = "import sys; from coarsest.cli.app import main; main(['check', 'toggle.smv', '-q']); print(sorted(sys.modules))"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for idle in ("numpy", "shutil", "tempfile", "json", "coarsest.lts.relations", "coarsest.logic.linear.ltl"):
        assert f"'{idle}'" not in modules
    assert "fails    !x" in modules


def test_what_concludes_loads_no_numpy() -> None:
    """Ctrl-C while NumPy is loaded is answered in the same process, where it cannot be loaded a second time."""
    code = "import sys, coarsest.render.text.result_text, coarsest.api.results; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_ctrl_c_while_a_library_is_loaded(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(args: Namespace, ledger: Ledger) -> None:
        raise KeyboardInterrupt

    def conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
        raise ImportError("cannot load module more than once per process")

    monkeypatch.setattr(check, "command", Command(check.command.parser, interrupted, conclude))
    result = run("check", "toggle.smv")
    assert (result.code, result.err) == (130, "interrupted\n")
