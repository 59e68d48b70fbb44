"""The keywords of the interface as type checkers know them; written by `python tests/keyword_types.py`."""

import os
from collections.abc import Sequence
from typing import TypedDict

from coarsest.logic.expr import Expr
from coarsest.options.option import Confirm

class CheckWords(TypedDict, total=False):  # of `Model.check`
    carrier: str
    relation: str
    bdd: str
    order: str
    save_order: str | None
    reorder: bool
    threads: int
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
    safety: bool
    cone: bool
    merge: bool
    confirm: Confirm | str | bool
    certificates: bool
    vacuity: bool
    deadlock: str
    show: Sequence[str]
    traces: int
    depth: int
    jobs: int
    race: bool
    search: str
    fair: str
    property_variables: str
    encoding: str

class GsteWords(TypedDict, total=False):  # of `Model.gste`
    carrier: str
    relation: str
    bdd: str
    order: str
    save_order: str | None
    reorder: bool
    threads: int
    semantics: str
    abstraction: str
    precise: Sequence[str]
    prune: str
    fair: str
    cone: bool
    confirm: Confirm | str | bool
    vacuity: bool

class SymmetryWords(TypedDict, total=False):  # of `Model.symmetries`
    generators: str | None
    count: bool
    relation: str
    bdd: str
    order: str
    reorder: bool
    threads: int

class ReachWords(TypedDict, total=False):  # of `Model.reach`
    search: str
    merge: bool
    towards: str | None
    carrier: str
    relation: str
    bdd: str
    order: str
    save_order: str | None
    reorder: bool
    threads: int

class ReduceWords(TypedDict, total=False):  # of `Model.reduce`
    by: str
    observe: Sequence[str | Expr]
    actions: Sequence[str]
    algorithm: str
    parts: str
    generators: str | None
    quotient: str
    lookahead: int
    every_state: bool
    cone: bool
    count: bool
    confirm: Confirm | str | bool
    carrier: str
    relation: str
    bdd: str
    order: str
    save_order: str | None
    reorder: bool
    threads: int

class AutomatonReduceWords(TypedDict, total=False):  # of `Automaton.reduce`
    by: str
    lookahead: int
    confirm: Confirm | str | bool

class GraphReduceWords(TypedDict, total=False):  # of `Graph.reduce`
    by: str
    algorithm: str
    engine: str
    quotient: str
    lookahead: int
    keep_unreachable: bool
    confirm: Confirm | str | bool

class TableWords(TypedDict, total=False):  # of `reduce_tables`
    engine: str
    initial: Sequence[str]
    partition: str | None
    scratch: str | None
    confirm: Confirm | str | bool

class SpectrumWords(TypedDict, total=False):  # of `spectrum`
    observe: Sequence[str]
    actions: Sequence[str]
    confirm: Confirm | str | bool

class CompareWords(TypedDict, total=False):  # of `compare`
    by: str
    preorder: bool
    lookahead: int
    observe: Sequence[str]
    actions: Sequence[str]
    algorithm: str
    confirm: Confirm | str | bool

class SimulateWords(TypedDict, total=False):  # of `Model.simulate`
    steps: int
    seed: int
    constraint: Sequence[str]
    show: Sequence[str]

class AutomatonWords(TypedDict, total=False):  # of `automaton`
    negated: bool
    kind: str

class DrawWords(TypedDict, total=False):  # of `draw`
    mark: Sequence[str]
    graph: str | None
    most: int
    large: str
    observe: Sequence[str]
    property: str | None
    layout: str

class ConfirmWords(TypedDict, total=False):  # of `confirm`
    automata: Sequence[str | os.PathLike[str]]
    columns: str
    states: str | None
    coarsest: bool
    scratch: str | None

class ControllerWords(TypedDict, total=False):  # of `Model.control_automaton`
    observe: Sequence[str]
    cone: bool
    data: str
    count: bool
    bdd: str
    order: str
    threads: int
