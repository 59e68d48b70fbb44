"""Every number that was chosen by measuring, in one table: its name, unit and range, why it is there, and where it was measured.

These numbers decide how long something takes, how much evidence is made unasked, or how much is shown. They never decide what is
true: `tests/laws/test_tuning.py` draws them at random, and no verdict may change. A number that a definition fixes, such as the
code of a character or an index, or that is a matter of taste, stands where it is used and is annotated with `Final`.

A number is read where it is used, as `tuning.NAME` inside a function, so that `--tune NAME=VALUE` and tests can change it.
`coarsest algorithms --tuning` prints the table.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar

HANDED_DOWN = "_COARSEST_TUNE"
"""The environment variable by which a process hands its numbers down to the processes that it starts."""

N = TypeVar("N", int, float)


class Threshold(NamedTuple):
    """One row of the table."""

    name: str
    value: float
    unit: str
    low: float
    high: float
    why: str
    measured: str

    def parsed(self, text: str) -> float:
        """A value for it. Raises ValueError if it is no number of the right kind, or out of range."""
        value = type(self.value)(text)
        if not self.low <= value <= self.high:
            raise ValueError(f"{self.name} lies between {self.low:g} and {self.high:g}")
        return value


_rows: dict[str, Threshold] = {}
_handed_down = dict(pair.split("=", 1) for pair in os.environ.get(HANDED_DOWN, "").split() if "=" in pair)


def _number(name: str, value: N, unit: str, low: float, high: float, *, why: str, measured: str = "") -> N:
    """A row; its value now is the one handed down to this process, if there is one."""
    row = _rows[name] = Threshold(name, value, unit, low, high, why, measured)
    return type(value)(row.parsed(_handed_down[name])) if name in _handed_down else value


# _kernels and lts: graphs

KERNEL_TRANSITIONS = _number(
    "KERNEL_TRANSITIONS", 1_000, "transitions", 0, 10**9,
    why="Smaller graphs are left to the twins in Python, since opening the library takes longer.", measured="decision 11",
)  # fmt: skip

# bdd and space: decision diagrams, and other carriers of sets

SET_NODES_FOR_FUNCTIONS = _number(
    "SET_NODES_FOR_FUNCTIONS", 1.25, "nodes for each bit of a state", 0, 10**9,
    why="The preimage of a set of at most this size goes through next-state functions, and that of a larger one by a relation.",
    measured="decision 9",
)  # fmt: skip
RELATION_NODES = _number(
    "RELATION_NODES", 10_000, "nodes", 1_000, 10**9,
    why="A step relation of at most this size is held as one function.", measured="decision 9",
)  # fmt: skip
RELATION_NODES_BESIDE_EVENTS = _number(
    "RELATION_NODES_BESIDE_EVENTS", 50_000, "nodes", 0, 10**9,
    why="The same where the events of a scheduler are there for searches: the whole gives single images.", measured="decision 9",
)  # fmt: skip
CLUSTER_NODES = _number(
    "CLUSTER_NODES", 2_000, "nodes", 0, 10**9,
    why="Neighbouring conjuncts of the step are joined into clusters up to this size.", measured="decision 9",
)  # fmt: skip
PIECE_NODES = _number(
    "PIECE_NODES", 400, "nodes", 0, 10**9,
    why="A relation in one piece is joined from clusters of this size; with larger or smaller ones that took longer.",
    measured="decision 9",
)  # fmt: skip
NODES_OF_STEPS_AMONG_STATES = _number(
    "NODES_OF_STEPS_AMONG_STATES", 150_000, "nodes", 0, 10**9,
    why="The relation is limited to reachable states if that makes no more nodes. It may be large: it serves many preimages.",
)  # fmt: skip
NODES_OF_A_CHEAP_PREIMAGE = _number(
    "NODES_OF_A_CHEAP_PREIMAGE", 1 << 18, "nodes", 0, 10**9,
    why="A preimage that is wanted only if it is cheap may make this many nodes, or as many as there are.",
)  # fmt: skip
NODES_OF_FEW_STATES = _number(
    "NODES_OF_FEW_STATES", 3_000, "nodes", 0, 10**9,
    why="The steps from reachable states are tried as one function where these states take at most so many nodes.",
)  # fmt: skip
NODES_WORTH_SIMPLIFYING = _number(
    "NODES_WORTH_SIMPLIFYING", 15, "nodes for each node of a set", 0, 10**9,
    why="After a preimage that made more nodes, sets are simplified by the reachable states before their preimages.",
)  # fmt: skip
PAIRS_IN_A_PIECE = _number(
    "PAIRS_IN_A_PIECE", 1_000_000, "pairs of nodes", 1, 10**12,
    why="A product with a limit on nodes is computed in pieces whose operands have at most so many pairs of nodes.",
)  # fmt: skip

# check and search: deciding

# evidence

# reduce

# automata and logic

# model, encode and formats

AUT_READING_THREADS = _number(
    "AUT_READING_THREADS", 4, "threads", 1, 256,
    why="More threads than these do not read an Aldébaran text faster.", measured="decision 11",
)  # fmt: skip
AUT_BYTES_FOR_A_THREAD = _number(
    "AUT_BYTES_FOR_A_THREAD", 1 << 20, "bytes", 1, 1 << 40,
    why="An Aldébaran text is cut into parts of at least this length, each read by a thread.", measured="decision 11",
)  # fmt: skip
AUT_TRANSITIONS_FOR_A_WRITER = _number(
    "AUT_TRANSITIONS_FOR_A_WRITER", 1 << 14, "transitions", 0, 10**9,
    why="The text of more transitions is made by a thread while it is written to a file.", measured="decision 11",
)  # fmt: skip
AUT_PIECE = _number(
    "AUT_PIECE", 1 << 20, "bytes", 64, 1 << 30,
    why="Files grow by this many bytes at once. Smaller pieces took a fifth longer, since the system gave them small pages.",
)  # fmt: skip
AUT_BYTES_FOR_A_GPU = _number(
    "AUT_BYTES_FOR_A_GPU", 128 << 20, "bytes", 0, 1 << 40,
    why="Where CuPy is installed, graphs with longer texts are reduced by arrays, which may be on a GPU.",
)  # fmt: skip
TEXT_SLICE = _number(
    "TEXT_SLICE", 4 << 20, "bytes", 1, 1 << 30,
    why="The reader of a large graph looks after this many bytes at whether it should stop.",
)  # fmt: skip

# api, render and cli

TABLE: Mapping[str, Threshold] = MappingProxyType(_rows)


def change(settings: Iterable[str]) -> None:
    """Give numbers other values, each as NAME=VALUE, in this process and in those that it starts. Raises ValueError."""
    for setting in settings:
        name, _, text = setting.partition("=")
        if name not in TABLE:
            raise ValueError(f"there is no number '{name}'")
        globals()[name] = TABLE[name].parsed(text)
        os.environ[HANDED_DOWN] = f"{os.environ.get(HANDED_DOWN, '')} {name}={text}".strip()
