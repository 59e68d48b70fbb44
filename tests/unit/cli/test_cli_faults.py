"""A fault inside any command ends in 70, here and in a process under supervision; it is never taken for a verdict."""

from __future__ import annotations

from importlib import import_module

import pytest
from msgspec.structs import replace

from coarsest.cli.dispatch import COMMANDS
from coarsest.cli.process import supervise
from command_lines import Runner

ARGUMENTS = {
    "check": "m.smv", "assume": "TRUE m.smv", "prove": "p.proof", "gste": "m.smv g.ag", "reduce": "m.smv",
    "compare": "a.smv b.smv", "confirm": "m.smv p.json", "symmetry": "m.smv", "reach": "m.smv", "simulate": "m.smv",
    "show": "m.smv -o m.svg", "convert": "m.smv n.smv", "automaton": "F", "serve": "", "examples": "", "algorithms": "",
    "reproduce": "",
}  # fmt: skip
FAULTS = {
    "ZeroDivisionError('fault')": 70, "KeyError('fault')": 70, "AssertionError": 70, "EvidenceRejected('fault')": 70,
    "UnsupportedOperation('fault')": 2,  # an OSError, which is told as one of standard output
    "GeneratorExit": 70,
}  # fmt: skip
"""What is raised, with the exit code; nothing catches the last one, and Python ends with 1."""

INJECTED = """
import sys; sys.path[:] = PATH
from importlib import import_module
from io import UnsupportedOperation
from msgspec.structs import replace
from coarsest.cli.app import main
from coarsest.errors import EvidenceRejected
def fail(args, ledger):
    raise FAULT
module = import_module("coarsest.cli.commands.COMMAND")
module.command = replace(module.command, run=fail)
sys.exit(main())
"""
UNSUPERVISED = ("examples", "algorithms", "serve", "reproduce")
"""They take no limits, or limits of each of the runs that they begin."""


def test_all_commands_are_here() -> None:
    assert ARGUMENTS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("command", ARGUMENTS)
def test_a_fault_in_a_command(command: str, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module(f"coarsest.cli.commands.{command}")

    def fail(*_: object) -> None:
        raise ZeroDivisionError("fault")

    monkeypatch.setattr(module, "command", replace(module.command, run=fail))
    result = run(command, *ARGUMENTS[command].split())
    assert result.code == 70 and "internal error: ZeroDivisionError: fault" in result.err


@pytest.mark.parametrize("command", [command for command in ARGUMENTS if command not in UNSUPERVISED])
def test_a_fault_in_a_supervised_command(command: str, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    start = INJECTED.replace("COMMAND", command).replace("FAULT", "ZeroDivisionError('fault')")
    monkeypatch.setattr(supervise, "START", start)
    result = run(command, *ARGUMENTS[command].split(), "--timeout", "600")
    assert result.code == 70 and "internal error: ZeroDivisionError: fault" in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_all_kinds_under_supervision(fault: str, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise, "START", INJECTED.replace("COMMAND", "check").replace("FAULT", fault))
    assert run("check", "m.smv", "--timeout", "600").code == FAULTS[fault]


@pytest.mark.parametrize("code", [0, 1, 5])
def test_a_process_that_ends_without_a_word_has_a_fault(code: int, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise, "START", f"import sys; sys.exit({code})")
    result = run("reach", "m.smv", "--timeout", "600")
    assert result.code == 70 and f"with exit code {code}" in result.out + result.err


@pytest.mark.parametrize("limit", [[], ["--timeout", "600"]])
def test_a_long_formula_with_a_dot_is_no_file(limit: list[str], run: Runner, tmp_path: object) -> None:
    model = f"{tmp_path}/m.smv"
    with open(model, "w") as file:
        file.write("MODULE main VAR c : cell; MODULE cell VAR x : boolean; ASSIGN init(x) := TRUE; next(x) := TRUE;")
    long = " & ".join(["c.x"] * 100)
    assert run("check", model, long, *limit).code == 0
    result = run("assume", long, model, "c.x", *limit)
    assert (result.code, "name too long" in result.err) == (0, False)
    assert run(long).code == 2
    assert run("check", model, "--order", long).code == 2
