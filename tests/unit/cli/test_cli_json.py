"""`--json` is offered only by commands that know it: each prints one JSON object, and nothing else, on standard output."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from coarsest.cli.dispatch import COMMANDS
from command_lines import Runner

TOGGLE = "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x; INVARSPEC NAME any := x | !x"
LINES = {
    "check": "toggle.smv",
    "assume": "TRUE toggle.smv",
    "prove": "toggle.proof",
    "gste": "toggle.smv graph.ag",
    "reduce": "toggle.smv",
    "compare": "loop.aut loop.aut",
    "confirm": "loop.aut classes.json",
    "symmetry": "toggle.smv",
    "reach": "toggle.smv",
    "simulate": "toggle.smv",
    "automaton": "G(a)",
    "examples": "",
    "algorithms": "",
    "reproduce": "",
}
"""A short command line of each."""
OTHERS = {"serve"}
"""It goes on until somebody ends it: tests/unit/cli/test_cli_serve.py."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("toggle.smv").write_text(TOGGLE)
    Path("toggle.proof").write_text("component one = toggle.smv\nstep one |= AG (x | !x)\nconclude one |= AG (x | !x)\n")
    Path("graph.ag").write_text("GRAPH g VERTEX v INITIAL FINAL CONS TRUE")
    Path("loop.aut").write_text("des (0, 1, 1)\n(0, a, 0)\n")
    Path("classes.json").write_text('{"kind": "partition", "relation": "bisimulation", "blocks": [0]}')


def test_every_command_that_offers_it_is_here() -> None:
    modules = {name: import_module(f"coarsest.cli.commands.{name}") for name in COMMANDS}
    offering = {name for name, module in modules.items() if "--json" in module.command.parser().format_help()}
    assert offering - OTHERS == LINES.keys()


@pytest.mark.parametrize("command", LINES)
def test_one_object(run: Runner, command: str) -> None:
    result = run(command, *LINES[command].split(), "--json")
    assert result.code == 0, result.err
    assert isinstance(json.loads(result.out), dict)
