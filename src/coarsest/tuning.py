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
KERNEL_WORK = _number(
    "KERNEL_WORK", 20_000_000, "transitions", 1, 10**12,
    why="A kernel that works in portions returns after looking at this many transitions, so that progress can be reported.",
)  # fmt: skip
SIGNATURE_LOOKS = _number(
    "SIGNATURE_LOOKS", 40, "looks at each transition", 1, 10**6,
    why="Refinement by signatures gives up after these, and Valmari's algorithm goes on. Every family that was measured needs "
    "fewer than 10, unless some states have very many transitions.",
)  # fmt: skip
NUMBERING_LOOKS = _number(
    "NUMBERING_LOOKS", 60, "looks at each state", 0, 10**6,
    why="Numbering a quotient tells its states apart by at most these; then the order in the input decides.",
)  # fmt: skip
GPU_TRANSITIONS = _number(
    "GPU_TRANSITIONS", 20_000_000, "transitions", 0, 10**12,
    why="For smaller graphs, starting a GPU takes longer than it saves.",
)  # fmt: skip
ROUNDS_MOVED_PART = _number(
    "ROUNDS_MOVED_PART", 1 / 3, "of the states", 0.0, 2.0,
    why="If a round over whole arrays moves a smaller part, only states with a successor that moved are looked at from then on; "
    "states that are alone in their block are left out if they are a larger part.",
)  # fmt: skip
ROUNDS_OF_FEW_STATES = _number(
    "ROUNDS_OF_FEW_STATES", 24, "rounds", 0, 10**6,
    why="After more rounds over arrays that look at too few states, a kernel for single states goes on.",
)  # fmt: skip
ARRAY_PIECE = _number(
    "ARRAY_PIECE", 1 << 24, "bytes", 8, 1 << 36,
    why="Large arrays about weak steps are made in pieces of this size, so that they take little memory.",
)  # fmt: skip
WEAK_STEPS = _number(
    "WEAK_STEPS", 4, "weak transitions for each transition", 0, 10**6,
    why="More are not written down: that costs a few looks at each of them, and splitting classes without them costs a look at "
    "each transition for every few hundred classes.",
)  # fmt: skip
TRIED_CONJUNCT = _number(
    "TRIED_CONJUNCT", 400, "nodes", 0, 10**9,
    why="Larger parts of a distinguishing formula are not tried for whether they make others superfluous.",
)  # fmt: skip
CONFIRMED_TRANSITIONS = _number(
    "CONFIRMED_TRANSITIONS", 100_000, "transitions", 0, 10**12,
    why="Reductions of larger graphs are confirmed only on request.",
)  # fmt: skip
CONFIRMED_CLASSES = _number(
    "CONFIRMED_CLASSES", 2_000, "classes", 0, 10**6,
    why="Simulations between more classes are confirmed only on request: they take a byte for each pair of classes.",
)  # fmt: skip
CONFIRMED_MOVES = _number(
    "CONFIRMED_MOVES", 500_000, "answers", 0, 10**12,
    why="The games of a fair reduction are played only on request if more answers have to be looked at.",
)  # fmt: skip
JUDGED_PORTION = _number(
    "JUDGED_PORTION", 1 << 17, "transitions", 1, 10**12,
    why="A judge of partitions looks at this many transitions together, so that it takes little memory.",
)  # fmt: skip
SPECTRUM_SETS = _number(
    "SPECTRUM_SETS", 10_000, "sets of states", 0, 10**9,
    why="Comparing the traces of all states is given up beyond these, and no more inclusions of traces are shown.",
)  # fmt: skip
SPECTRUM_COMPARISONS = _number(
    "SPECTRUM_COMPARISONS", 400_000, "comparisons of sets of states", 0, 10**12,
    why="A notion about observations along paths is given up after these.",
)  # fmt: skip
SPECTRUM_CLASSES = _number(
    "SPECTRUM_CLASSES", 6_000, "classes", 0, 10**6,
    why="Relations by weak steps between more classes are neither computed nor judged: they take a byte for each pair.",
)  # fmt: skip
SPECTRUM_WEAK_STEPS = _number(
    "SPECTRUM_WEAK_STEPS", 30_000_000, "weak steps", 0, 10**12,
    why="A notion that needs more weak steps is given up.",
)  # fmt: skip
SPECTRUM_JUDGED_STEPS = _number(
    "SPECTRUM_JUDGED_STEPS", 5_000_000, "weak steps", 0, 10**12,
    why="A certificate about more weak steps is not judged, since a judge writes them down in Python.",
)  # fmt: skip
TABLE_ROUNDS = _number(
    "TABLE_ROUNDS", 16, "rounds", 1, 10**6,
    why="After these, kernels take over if the rest of a graph in tables fits into memory: most graphs need fewer, and those "
    "that need more need many more.",
)  # fmt: skip
TABLE_KERNEL_TRANSITIONS = _number(
    "TABLE_KERNEL_TRANSITIONS", 200_000, "transitions", 0, 10**12,
    why="For larger graphs in tables that fit into memory, kernels are faster from the first round on.",
)  # fmt: skip
TABLE_BYTES = _number(
    "TABLE_BYTES", 1_000, "bytes for each transition", 1, 10**12,
    why="A graph in tables fits into memory if a memory limit leaves this much. The database has most of it.",
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
GATES_WITHOUT_NUMPY = _number(
    "GATES_WITHOUT_NUMPY", 20_000, "gates", 0, 10**9,
    why="Fewer gates of a binary AIGER file are read one by one, in a millisecond for each thousand; loading NumPy takes fifty.",
)  # fmt: skip
GRAPH_BYTES_TO_GIVE_BACK = _number(
    "GRAPH_BYTES_TO_GIVE_BACK", 4 << 20, "bytes", 0, 1 << 40,
    why="After a graph with a longer text was read, freed memory is given back to the system at once.",
)  # fmt: skip
FIRST_VALUES_TRIED = _number(
    "FIRST_VALUES_TRIED", 256, "combinations", 1, 1 << 20,
    why="If first values in Verilog depend on inputs with more combinations, a frozen variable remembers the choice.",
)  # fmt: skip

# api, explain, render and cli

WORD_COMPARISON_ROWS = _number(
    "WORD_COMPARISON_ROWS", 200_000, "rows", 0, 10**9,
    why="A smaller automaton is compared with the original up to this many rows, unless --confirm always is given.",
)  # fmt: skip
CLASSES_FOR_A_GAME = _number(
    "CLASSES_FOR_A_GAME", 200, "classes", 0, 10**9,
    why="Models with larger quotients are compared on sets of pairs, which often takes less time than a game with a strategy.",
)  # fmt: skip
PATH_FORMULA_STATES = _number(
    "PATH_FORMULA_STATES", 200, "states", 0, 10**9,
    why="A formula that distinguishes larger fair graphs is not checked on them as models, and so not shown.",
)  # fmt: skip
STATES_DRAWN_UNASKED = _number(
    "STATES_DRAWN_UNASKED", 40, "states", 1, 10**6,
    why="A notebook shows no picture of a system with more states unless it is asked to draw one.",
)  # fmt: skip
WORK_ON_A_PICTURE = _number(
    "WORK_ON_A_PICTURE", 2e7, "work", 0.0, 1e12,
    why="After this much work on listing states or on classes that nobody asked for, a picture shows a sample.",
)  # fmt: skip
STATES_WITH_TRUTHS = _number(
    "STATES_WITH_TRUTHS", 400, "states", 0, 10**6,
    why="Along longer traces the truth of the parts of a formula is not computed, since nobody would read it.",
)  # fmt: skip
OBJECTS_BETWEEN_COLLECTIONS = _number(
    "OBJECTS_BETWEEN_COLLECTIONS", 50_000, "objects", 1, 10**9,
    why="A model is many objects and hardly any garbage: with Python's own 700, collecting took a tenth of a short run.",
)  # fmt: skip

TABLE: Mapping[str, Threshold] = MappingProxyType(_rows)


def change(settings: Iterable[str]) -> None:
    """Give numbers other values, each as NAME=VALUE, in this process and in those that it starts. Raises ValueError."""
    for setting in settings:
        name, _, text = setting.partition("=")
        if name not in TABLE:
            raise ValueError(f"there is no number '{name}'")
        globals()[name] = TABLE[name].parsed(text)
        os.environ[HANDED_DOWN] = f"{os.environ.get(HANDED_DOWN, '')} {name}={text}".strip()
