"""No option is accepted and ignored: whatever a command does, it looks at all its options, if only to refuse them."""

from __future__ import annotations

import shutil
from argparse import Namespace
from importlib import import_module
from pathlib import Path

import pytest

from coarsest.cli.app import main
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import Screen

EXAMPLES = Path(__file__).parents[3] / "examples"
HOW_MUCH_IS_SHOWN = {"quiet", "verbose", "json", "trace", "output", "progress", "strict", "depth_suffices"}
"""Not everything can be shown shorter or longer; forms of output are settled before a command runs, and exit codes after it."""
LINES = {
    "check a model": "check counter.smv",
    "check a graph": "check two_cells.aut TRUE",
    "check assertion graphs": "gste queue.smv queue.ag",
    "reach a model": "reach counter.smv",
    "reach a graph": "reach two_cells.aut",
    "reduce a model": "reduce mutex.smv",
    "reduce a graph": "reduce two_cells.aut",
    "reduce a table": "reduce links.csv",
    "reduce to code": "reduce stopwatch.lus --observe running --reactions",
    "compare graphs": "compare two_cells.aut two_cells.aut",
    "compare models": "compare mutex.smv mutex.smv",
    "confirm a table": "confirm links.csv classes.csv",
    "confirm a trace": "confirm mutex.smv trace.json",
    "walk through a model": "simulate mutex.smv",
    "walk through a graph": "simulate two_cells.aut",
    "draw a model": "show mutex.smv -o picture.svg",
    "draw a graph": "show two_cells.aut -o picture.svg",
    "draw assertion graphs": "show queue.ag -o picture.html",
    "draw an automaton": "show never.hoa -o picture.svg",
    "convert a model": "convert mutex.smv -",
    "convert a graph": "convert two_cells.aut -",
    "convert an automaton": "convert never.hoa -",
    "translate": "automaton a",
}


class Watched(Namespace):
    """Options that know who has asked for them."""

    def __getattribute__(self, name: str) -> object:
        if not name.startswith("_"):
            object.__getattribute__(self, "__dict__").setdefault("_asked", set()).add(name)
        return object.__getattribute__(self, name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("copy") / "examples"
    shutil.copytree(EXAMPLES, copy)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(copy)
        assert main(["reduce", "links.csv", "--partition", "classes.csv"]) == 0
        assert main(["check", "mutex.smv", "--trace", "json", "-o", "trace.json"]) == 1
        assert main(["automaton", "F G a", "-o", "never.hoa"]) == 0
    return copy


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_every_option_is_looked_at(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    name, *rest = line.split()
    command = import_module(f"coarsest.cli.commands.{name}").command
    parser = command.parser()
    typed = parser.parse_intermixed_args(rest)
    args = Watched(**vars(typed), screen=Screen(), form=None, typed=line)
    command.run(args, Ledger())
    set_while_parsing = {"help", "tune"}
    options = {action.dest for action in parser._actions if action.option_strings} - set_while_parsing
    assert options - vars(args)["_asked"] - HOW_MUCH_IS_SHOWN == set()


@pytest.mark.parametrize(
    "line, complaint",
    [
        ("reduce two_cells.aut --relation monolithic", "--relation is for models, not for explicit graphs"),
        ("reduce two_cells.aut --reactions", "--reactions is for models and control automata, not for explicit graphs"),
        ("reduce two_cells.aut --no-count", "--no-count is for models and control automata, not for explicit graphs"),
        ("reduce links.csv --order declared", "--order is for models and control automata, not for graphs in tables"),
        ("reduce links.csv --certificate x.json", "--certificate is for explicit graphs, not for graphs in tables"),
        ("reduce stopwatch.lus --reactions --by simulation", "graphs in tables, not for control automata"),
        ("reduce stopwatch.lus --reactions --no-reorder", "--no-reorder is for models, not for control automata"),
        ("reduce stopwatch.lus --reactions --confirm always", "--confirm is for models, explicit graphs, automata on"),
        ("confirm links.csv classes.csv --automaton never.hoa", "--automaton is for traces"),
        ("confirm links.csv classes.csv --format csv", "--format has no meaning for graphs in tables"),
        ("confirm mutex.smv trace.json --coarsest", "--coarsest is for graphs in tables"),
        ("confirm mutex.smv trace.json --columns a,b", "--columns is for graphs in tables"),
        ("check two_cells.aut TRUE --properties x.ctl", "--properties is for models, not for explicit graphs"),
        ("check two_cells.aut TRUE --fairness x.fair", "--fairness is for models, not for explicit graphs"),
        ("reduce never.hoa --by delay --engine cpu", "--engine is for explicit graphs and graphs in tables, not for automata on"),
        ("simulate mutex.smv --nodes 9", "has no option '--nodes'"),
        ("show queue.ag -o picture.html --most 3", "--most is for models and explicit graphs, not for files"),
    ],
)
def test_what_would_have_no_effect_is_refused(
    line: str, complaint: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert main(line.split()) == 2
    assert complaint in capsys.readouterr().err
