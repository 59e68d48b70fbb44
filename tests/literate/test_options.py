"""The page about the command line mentions every option, and no page mentions one that does not exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import takewhile
from pathlib import Path

import pytest

from coarsest.cli.dispatch import COMMANDS
from option_tables import option_rows, word_rows

DOCS = Path(__file__).resolve().parents[2] / "docs"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")


def options_of(command: str) -> list[list[str]]:
    """The long names of each option."""
    parser = import_module(f"coarsest.cli.commands.{command}").command.parser()
    names = [action.option_strings for action in parser._actions if action.option_strings]
    return [[name for name in spellings if name.startswith("--")] for spellings in names]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_mentioned(command: str) -> None:
    mentioned = set(OPTION.findall((DOCS / "command-line.md").read_text(encoding="utf-8")))
    assert [names for names in options_of(command) if not mentioned & set(names)] == []


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_every_option_mentioned_exists(page: Path) -> None:
    every = {name for command in COMMANDS for names in options_of(command) for name in names}
    known = every | {"--version", "--completion", "--manual"}
    lines = page.read_text(encoding="utf-8").splitlines()
    if page.name == "coming-from.md":  # the first column has options of others
        lines = [line.rstrip("|").rpartition(" | ")[2] for line in lines]
    assert set(OPTION.findall("\n".join(lines))) - known == set()


@pytest.mark.parametrize("rows", [option_rows, word_rows])
def test_the_tables_are_those_of_the_structs(rows: Callable[[], Iterator[str]]) -> None:
    """`python tests/option_tables.py` prints them."""
    head, *others = rows()
    lines = (DOCS / "command-line.md").read_text(encoding="utf-8").splitlines()
    place = lines.index(head)
    shown = takewhile(lambda line: line.startswith("|"), lines[place:])
    assert list(shown) == [head, *others]


def rows_of_options() -> Iterator[tuple[str, set[str]]]:
    """Each command with the options in its rows; of `assume` and `prove`, the table names those of `check` that they lack."""
    text = (DOCS / "command-line.md").read_text(encoding="utf-8").partition("## Options of one command")[2].partition("###")[0]
    names: list[str] = []
    for line in text.splitlines():
        cells = line.split(" | ")
        names = re.findall(r"`(\w+)`", cells[0]) or names
        yield from ((name, set(OPTION.findall(cells[1]))) for name in names if len(cells) > 1)


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"assume", "prove"}))
def test_the_table_has_the_options_of_each_command(command: str) -> None:
    text = (DOCS / "command-line.md").read_text(encoding="utf-8")
    shared = text.partition("## Options that commands share")[2].partition("##")[0]
    in_rows = set().union(*(options for name, options in rows_of_options() if name == command))
    own = [names for names in options_of(command) if not set(names) & {*OPTION.findall(shared), "--help", "--no-confirm"}]
    assert [names for names in own if not in_rows & set(names)] == []
    assert in_rows - {name for names in options_of(command) for name in names} == set()


@pytest.mark.parametrize("command", ["assume", "prove"])
def test_options_that_proofs_lack_are_not_theirs(command: str) -> None:
    (lacking,) = (options for name, options in rows_of_options() if name == command)
    assert not lacking & {name for names in options_of(command) for name in names}
