"""Every command in a table of the documentation is run, on files with the names that the table has.

A table says a command and not its output. What must be right is that it is a command line, and does its work: it ends in a
verdict or a result, and not in a complaint about its input.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
from glob import glob
from itertools import pairwise
from pathlib import Path

import pytest

from coarsest.cli.app import main
from coarsest.cli.completion import options_of
from coarsest.cli.dispatch import COMMANDS
from literate_pages import PAGES, ROOT

EXAMPLES = ROOT / "examples"
COMMAND = re.compile(r"`coarsest( [^`]*)`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
MODEL = """MODULE main
VAR p : boolean; req : boolean; ack : boolean; done : boolean;
ASSIGN init(p) := TRUE; next(p) := p;
INVARSPEC NAME name := p
"""
COPIES = {
    "protocol.aut": "two_cells.aut", "a.hoa": "settles.hoa",
    "b.hoa": "settles.hoa", "file.lus": "stopwatch.lus", "controller.lus": "stopwatch.lus", "counter.btor2": "counter.btor2",
    "mutex.smv": "mutex.smv", "a.aig": "arbiter.aag", "b.aig": "arbiter.aag", "circuit.aig": "arbiter.aag",
}  # fmt: skip
"""The names in the tables, and the examples that have them here."""
NOT_RUN = {
    "coarsest check top.sv rtl --top top": "it needs Yosys; tests/unit/formats/test_verilog_projects.py",
    "coarsest check design.sby": "the same",
    "coarsest check design.sby --task task": "the same",
    "coarsest serve": "it goes on until Ctrl-C; tests/unit/cli/test_cli_serve.py speaks to it",
    "coarsest reduce big.aut --engine gpu": "it needs a GPU",
    "coarsest reproduce bouajjani:5": "it measures for minutes; test_experiments_bouajjani.py runs its points",
}
"""Commands that are not run here, and why."""


def commands() -> list[str]:
    """The command lines in the tables, each once; a name of a command alone is none."""
    rows = [line for page in PAGES for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    lines = [f"coarsest{words}".replace("\\|", "|") for row in rows for words in COMMAND.findall(row)]
    return list(dict.fromkeys(line for line in lines if len(line.split()) > 2 or line in NOT_RUN))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, example in COPIES.items():
        shutil.copy(EXAMPLES / example, name)
    Path("model.smv").write_text(MODEL)
    Path("a.aut").write_text('des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n')
    Path("b.aut").write_text('des (0, 1, 2)\n(0, "a", 1)\n')
    assert main(["automaton", "F !p", "-o", "never.hoa"]) == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))  # whoever is asked says no more
    return tmp_path


def before(line: str) -> None:
    """What the row of a command says is done before it."""
    words = line.split()
    if words[1] == "confirm":
        main(["check", words[2], "--certificate", words[3]])
    if "edges.parquet" in words:
        import pandas

        pandas.DataFrame({"source": [0, 1], "action": ["a", "b"], "target": [1, 0]}).to_parquet("edges.parquet")


@pytest.mark.parametrize("line", [line for line in commands() if line not in NOT_RUN])
def test_commands_in_tables(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before(line)
    words = [name for word in shlex.split(line)[1:] for name in (sorted(glob(word)) if word.startswith("*.") else [word])]
    capsys.readouterr()
    code = main(words)
    assert code in (0, 1), capsys.readouterr().err
    for word, name in pairwise(words):
        assert word != "-o" or Path(name).stat().st_size > 0


def test_what_is_not_run_is_in_a_table() -> None:
    assert set(NOT_RUN) <= set(commands())


def test_options_in_tables_are_options() -> None:
    """Whatever page: an option that a table names, some command has."""
    every = {name for command in COMMANDS for action in options_of(command) for name in action.option_strings}
    pages = [page for page in PAGES if page.name != "coming-from.md"]  # which has the options of other tools
    ours = [line for page in pages for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    named = {option for line in ours for code in re.findall(r"`([^`]*)`", line) for option in OPTION.findall(code)}
    assert named - every - {"--help", "--version", "--completion", "--manual"} == set()
