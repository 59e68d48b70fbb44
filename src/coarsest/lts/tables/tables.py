"""Graphs as tables: the files with the transitions and the states, and the meaning of their columns."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import FileProblem, InputError, NameProblem, Unsupported
from coarsest.lts.tables import KINDS
from coarsest.text.near import nearest


def require_files(paths: tuple[str, ...]) -> None:
    """Refuse names of missing files; the database checks patterns and remote files."""
    for path in paths:
        if not any(sign in path for sign in "*?[") and "://" not in path and not Path(path).exists():
            raise FileProblem(f"cannot read '{path}': no such file")


def kind_of(paths: tuple[str, ...]) -> str:
    """The format of some files, all of one kind."""
    kinds = {KINDS.get(Path(path).suffix.lower(), "") for path in paths}
    if len(kinds) != 1:
        raise InputError("the files of one table must all be of one kind", hint="all .parquet or all .csv")
    kind = kinds.pop()
    if not kind:
        raise Unsupported(f"'{paths[0]}' is not a table", hint=f"tables end in {', '.join(KINDS)}")
    return kind


class EdgeTable(Struct, frozen=True):
    """One row for each transition. `action` is None for graphs without actions."""

    paths: tuple[str, ...]
    source: str = "source"
    action: str | None = "action"
    target: str = "target"


class StateTable(Struct, frozen=True):
    """One row for each state that has a label, is initial, or has no transitions.

    The columns `label` and `initial` may be missing, unless they have other names here; None means that they are missing.
    """

    paths: tuple[str, ...]
    state: str = "state"
    label: str | None = "label"
    initial: str | None = "initial"

    def among(self, columns: tuple[str, ...]) -> StateTable:
        """The description without missing columns."""
        label = None if self.label == "label" and "label" not in columns else self.label
        initial = None if self.initial == "initial" and "initial" not in columns else self.initial
        return replace(self, label=label, initial=initial)


def require_columns(columns: tuple[str, ...], named: tuple[str | None, ...], file: str) -> None:
    """Raise NameProblem for the first named column that a file does not have.

    >>> try:
    ...     require_columns(("from", "sort", "to"), ("from", "action", "to"), "'edges.csv'")
    ... except NameProblem as problem:
    ...     print(problem.diagnostic.message)
    'edges.csv' has no column 'action'
    """
    for column in named:
        if column is not None and column not in columns:
            near = nearest(column, columns)
            meant = f"did you mean '{near[0]}'? " if near else ""
            if column == "source" and not set(columns) & set(named):
                meant = "the first row has to name the columns; "
            hint = f"{meant}its columns are {', '.join(columns)}; name them with --columns SOURCE,ACTION,TARGET or SOURCE,TARGET"
            raise NameProblem(f"{file} has no column '{column}'", hint=hint)
