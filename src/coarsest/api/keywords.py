"""The keywords of the interface as type checkers know them.

They cannot read them from the structs in `api/options.py`, so that a keyword is written twice; a test compares. Nothing imports
this file when it runs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypedDict

from coarsest.logic.expr import Expr
from coarsest.options.option import Confirm


class _Sets(TypedDict, total=False):
    carrier: str
    relation: str
    bdd: str
    order: str
    save_order: str | None
    reorder: bool
    threads: int


class CheckWords(_Sets, total=False):
    """The keywords of `Model.check`."""

    search: str
    engine: str
    reduce: str
    algorithm: str
    generators: str | None
    wrong_generators: str
    representatives: str
    subset: str
    hint: Sequence[str]
    rounds: int
    ltl: str
    fair: str
    property_variables: str
    encoding: str
    safety: bool
    cone: bool
    merge: bool
    confirm: Confirm | str | bool
    certificates: bool
    vacuity: bool
    deadlock: str
    show: Sequence[str]
    traces: int
    jobs: int
    race: bool


class GsteWords(_Sets, total=False):
    """The keywords of `Model.gste`."""

    semantics: str
    abstraction: str
    precise: Sequence[str]
    prune: str
    fair: str
    cone: bool
    confirm: Confirm | str | bool
    vacuity: bool


class SymmetryWords(TypedDict, total=False):
    """The keywords of `Model.symmetries`."""

    generators: str | None
    count: bool
    relation: str
    bdd: str
    order: str
    reorder: bool
    threads: int


class ReachWords(_Sets, total=False):
    """The keywords of `Model.reach`."""

    search: str
    merge: bool
    towards: str | None


class ReduceWords(_Sets, total=False):
    """The keywords of `Model.reduce`."""

    by: str
    observe: Sequence[str | Expr]
    actions: Sequence[str]
    algorithm: str
    parts: str
    generators: str | None
    every_state: bool
    cone: bool
    count: bool
    confirm: Confirm | str | bool


class AutomatonReduceWords(TypedDict, total=False):
    """The keywords of `Automaton.reduce`."""

    by: str
    lookahead: int
    confirm: Confirm | str | bool


class GraphReduceWords(TypedDict, total=False):
    """The keywords of `Graph.reduce`."""

    by: str
    algorithm: str
    engine: str
    keep_unreachable: bool
    confirm: Confirm | str | bool


class TableWords(TypedDict, total=False):
    """The keywords of `reduce_tables`."""

    engine: str
    initial: Sequence[str]
    partition: str | None
    scratch: str | None
    confirm: Confirm | str | bool


class SpectrumWords(TypedDict, total=False):
    """The keywords of `spectrum`."""

    observe: Sequence[str]
    actions: Sequence[str]
    confirm: Confirm | str | bool


class CompareWords(SpectrumWords, total=False):
    """The keywords of `compare`."""

    by: str
    preorder: bool
    lookahead: int
    algorithm: str


class SimulateWords(TypedDict, total=False):
    """The keywords of `Model.simulate`."""

    steps: int
    seed: int
    constraint: Sequence[str]
    show: Sequence[str]


class AutomatonWords(TypedDict, total=False):
    """The keywords of `automaton`."""

    negated: bool
    kind: str


class DrawWords(TypedDict, total=False):
    """The keywords of `draw`."""

    mark: Sequence[str]
    graph: str | None
    most: int
    large: str
    observe: Sequence[str]
    property: str | None
    layout: str


class ConfirmWords(TypedDict, total=False):
    """The keywords of `confirm`."""

    automata: Sequence[str | os.PathLike[str]]
    columns: str
    states: str | None
    coarsest: bool
    scratch: str | None


class ControllerWords(TypedDict, total=False):
    """The keywords of `Model.control_automaton`."""

    observe: Sequence[str]
    cone: bool
    data: str
    count: bool
    bdd: str
    order: str
    threads: int
