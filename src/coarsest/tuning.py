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
LISTED_BLOCKS = _number(
    "LISTED_BLOCKS", 4_000, "blocks", 1, 10**9,
    why="From this number on, the simulation preorder tries whether few states are above most states, and lists them.",
    measured="random graphs of 10,000 to 100,000 states; fewer blocks make the first lists longer, more take longer to find",
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
    "ROUNDS_OF_FEW_STATES", 12, "rounds", 0, 10**6,
    why="After more rounds over arrays that look at too few states, a kernel for single states goes on.",
)  # fmt: skip
ARRAY_PIECE = _number(
    "ARRAY_PIECE", 1 << 24, "bytes", 8, 1 << 36,
    why="Large arrays about weak steps, and about the transitions that a judge of partitions looks at, are made in pieces of "
    "this size, so that they take little memory.",
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

CACHE_ENTRIES = _number(
    "CACHE_ENTRIES", 1 << 20, "entries", 1 << 14, 1 << 26,
    why="Models of 64 bits have an apply cache of this size, those of 32 bits a quarter of it, and others a sixteenth.",
)  # fmt: skip
MEMORY_SHARE_OF_NODES = _number(
    "MEMORY_SHARE_OF_NODES", 0.8, "part", 0.1, 0.9,
    why="This part of the memory is for nodes; Python objects and the second manager of a reordering take the rest.")  # fmt: skip
SIMPLIFIED_PAIRS = _number(
    "SIMPLIFIED_PAIRS", 50_000, "pairs of nodes", 0, 10**9,
    why="A set is simplified by a care set until this many pairs of nodes were looked at, which takes a tenth of a second.",
)  # fmt: skip
NODES_WORTH_COLLECTING = _number(
    "NODES_WORTH_COLLECTING", 1 << 18, "nodes", 1, 1 << 30,
    why="Dead nodes are left in a manager until there are this many, since a collection also forgets what the cache holds.",
)  # fmt: skip
NODES_WALKED_IN_PYTHON = _number(
    "NODES_WALKED_IN_PYTHON", 10_000, "nodes", 0, 10**9,
    why="After a walk over so many nodes in Python, rounds of signatures go on in arrays, and variables are quantified.",
)  # fmt: skip
SIFTING_ROOM = _number(
    "SIFTING_ROOM", 32, "times the nodes", 1, 10**6,
    why="Variables are reordered while the capacity is this many times the live nodes: the second manager takes memory, too.",
    measured="decision 2")  # fmt: skip
SIFTING_REWARD = _number(
    "SIFTING_REWARD", 200, "nodes for each node", 0, 10**6,
    why="A reordering may touch this many nodes in addition for each node that it saves.", measured="decision 2")  # fmt: skip
SIFTING_GROWTH = _number(
    "SIFTING_GROWTH", 1.2, "times the nodes", 1.0, 100.0,
    why="A group goes no further in a direction where the nodes are this many times the fewest that were seen.",
    measured="decision 2")  # fmt: skip
ORDER_WORTH_SETTING = _number(
    "ORDER_WORTH_SETTING", 0.8, "part of the nodes", 0.0, 1.0,
    why="A new order is set if it leaves at most this part of the nodes, since setting it empties the cache.",
    measured="decision 2")  # fmt: skip
NODES_THAT_MATTER = _number(
    "NODES_THAT_MATTER", 0.05, "part of the nodes", 0.0, 1.0,
    why="Orders are tried on recent sets alone if these have at least this part of all nodes.",
    measured="decision 2")  # fmt: skip
STATIC_ORDER_VISITS = _number(
    "STATIC_ORDER_VISITS", 100_000, "members of edges", 0, 10**9,
    why="FORCE visits at most this many members of edges in search of an order, which takes a twentieth of a second.",
)  # fmt: skip
NODES_OF_A_PRODUCT = _number(
    "NODES_OF_A_PRODUCT", 2.5, "nodes for each node of operand and result", 0.0, 1e9,
    why="Clusters serve once a preimage by the relation in one piece has made more nodes, beside as many as the relation has.",
    measured="decision 9")  # fmt: skip
RELATION_NODES = _number(
    "RELATION_NODES", 10_000, "nodes", 1_000, 10**9,
    why="A step relation of at most this size is held as one function.", measured="decision 9")  # fmt: skip
RELATION_NODES_BESIDE_EVENTS = _number(
    "RELATION_NODES_BESIDE_EVENTS", 50_000, "nodes", 0, 10**9,
    why="The same where the events of a scheduler are there for searches: the whole gives single images.", measured="decision 9",
)  # fmt: skip
CLUSTER_NODES = _number(
    "CLUSTER_NODES", 2_000, "nodes", 0, 10**9,
    why="Neighbouring conjuncts of the step are joined into clusters up to this size.", measured="decision 9")  # fmt: skip
PIECE_NODES = _number(
    "PIECE_NODES", 400, "nodes", 0, 10**9,
    why="A relation in one piece is joined from clusters of this size; with larger or smaller ones that took longer.",
    measured="decision 9")  # fmt: skip
NODES_OF_STEPS_AMONG_STATES = _number(
    "NODES_OF_STEPS_AMONG_STATES", 150_000, "nodes", 0, 10**9,
    why="The relation is limited to reachable states if that makes no more nodes. It may be large: it serves many preimages.",
)  # fmt: skip
NODES_OF_A_CHEAP_PREIMAGE = _number(
    "NODES_OF_A_CHEAP_PREIMAGE", 1 << 18, "nodes", 0, 10**9,
    why="A preimage that is wanted only if it is cheap may make this many nodes, or as many as there are.")  # fmt: skip
NODES_OF_FEW_STATES = _number(
    "NODES_OF_FEW_STATES", 3_000, "nodes", 0, 10**9,
    why="The steps from reachable states are tried as one function where these states take at most so many nodes.")  # fmt: skip
NODES_WORTH_SIMPLIFYING = _number(
    "NODES_WORTH_SIMPLIFYING", 15, "nodes for each node of a set", 0, 10**9,
    why="After a preimage that made more nodes, sets are simplified by the reachable states before their preimages.")  # fmt: skip
PAIRS_IN_A_PIECE = _number(
    "PAIRS_IN_A_PIECE", 1_000_000, "pairs of nodes", 1, 10**12,
    why="A product with a limit on nodes is computed in pieces whose operands have at most so many pairs of nodes.")  # fmt: skip
REORDERING_NODES = _number(
    "REORDERING_NODES", 150_000, "live nodes", 1, 10**9,
    why="The order is first reconsidered at this size; for smaller diagrams the static order is good enough.",
    measured="decision 2")  # fmt: skip
REORDERING_NODES_ENCODING = _number(
    "REORDERING_NODES_ENCODING", 20_000, "live nodes", 1, 10**9,
    why="The same while the step is encoded: a good order needs few nodes for that, however many the states need.",
    measured="decision 2")  # fmt: skip
REORDERING_NODES_MADE = _number(
    "REORDERING_NODES_MADE", 400_000, "nodes", 1, 10**9,
    why="Once this many nodes were made, the order is reconsidered with a third of the live nodes.",
    measured="decision 2")  # fmt: skip
REORDERING_BITS = _number(
    "REORDERING_BITS", 2_000, "bits", 0, 10**6,
    why="Wider machines are not reordered, since every exchange of levels costs time for all variables.")  # fmt: skip
HUB_SHARE = _number(
    "HUB_SHARE", 0.6, "part of the edges", 0.0, 1.0,
    why="A variable that occurs in more equations than this, such as a scheduler, goes to the top of the order.")  # fmt: skip
HUBS = _number(
    "HUBS", 3, "variables", 0, 10**6,
    why="Where there would be more such variables, everything depends on everything, and comparisons say what belongs together.",
)  # fmt: skip
SELECTED_VARIABLES = _number(
    "SELECTED_VARIABLES", 8, "variables", 1, 10**6,
    why="A variable that selects among so many others, such as an index, goes to the top of the order.")  # fmt: skip
STEERED_SHARE = _number(
    "STEERED_SHARE", 0.3, "part of the edges", 0.0, 1.0,
    why="An input that this part of the equations depends on goes to the top where everything depends on everything.",
)  # fmt: skip
RANGE_BITS_OF_A_WORD = _number(
    "RANGE_BITS_OF_A_WORD", 6, "bits", 1, 10**6,
    why="Ranges this wide are interleaved wherever they are copied; of narrower ones a ring of channels would become one word.",
    measured="slow/leader16")  # fmt: skip
RANGE_BITS_COMPARED = _number(
    "RANGE_BITS_COMPARED", 4, "bits", 1, 10**6,
    why="Ranges this wide are interleaved with those that they are compared with.")  # fmt: skip
UNCHANGED_SHARE = _number(
    "UNCHANGED_SHARE", 0.5, "part of the equations", 0.0, 1.0,
    why="A scheduler leaves this part of the equations unchanged, in the mean of its choices.")  # fmt: skip
BITS_MOVING_BESIDE = _number(
    "BITS_MOVING_BESIDE", 0.25, "bits for each bit", 0.0, 10.0,
    why="At most this many bits move beside those that depend on a scheduler.")  # fmt: skip
CHOICES_FOR_A_BIT = _number(
    "CHOICES_FOR_A_BIT", 3.0, "choices", 1.0, 256.0,
    why="Where all next values are functions, a bit is changed by at most this many choices of a scheduler, in the mean.",
    measured="decision 9")  # fmt: skip
CONSTRAINT_NODES = _number(
    "CONSTRAINT_NODES", 100, "nodes", 0, 10**9,
    why="Preimages go through functions where the constraints beside these are at most this large.",
    measured="decision 9")  # fmt: skip
FORMULA_ATOMS = _number(
    "FORMULA_ATOMS", 48, "atoms", 1, 10**6,
    why="A formula for a set of states that has more atoms is simplified at once.")  # fmt: skip
BOUNDS_TRIED = _number(
    "BOUNDS_TRIED", 400, "formulas", 0, 10**6,
    why="At most this many bounds of variables are tried as inductive invariants before sets are computed by a solver.",
)  # fmt: skip
FORMULA_CUBES = _number(
    "FORMULA_CUBES", 24, "cubes", 1, 10**6,
    why="A formula is written as cubes if there are at most this many, and otherwise stays as it is.")  # fmt: skip
BATCH_ROWS = _number(
    "BATCH_ROWS", 1 << 15, "states", 1, 1 << 24,
    why="So many states are explored together: their columns stay in the cache, and NumPy's calls cost little beside them.",
)  # fmt: skip
MOST_ROWS = _number(
    "MOST_ROWS", 1 << 19, "states", 1, 1 << 28,
    why="The successors of a batch are divided when they are more: each takes some hundred bytes for a moment.",
)  # fmt: skip
CANDIDATES = _number(
    "CANDIDATES", 1 << 20, "candidates", 1, 1 << 40,
    why="States with more candidates for each successor are left to the interpreter, which tries values one by one.",
)  # fmt: skip
UNROLLED = _number(
    "UNROLLED", 64, "combinations", 1, 1 << 20,
    why="Inputs with at most so many values together are constants of an evaluation of their own; others are columns.",
)  # fmt: skip

# check and search: deciding

WORK_BEFORE_COMPANION = _number(
    "WORK_BEFORE_COMPANION", 2_000_000.0, "work", 0.0, 1e12,
    why="Diagrams do this much before a second process starts beside them: most models are decided by then.",
)  # fmt: skip
SECONDS_OF_ONE_OPERATION = _number(
    "SECONDS_OF_ONE_OPERATION", 0.5, "seconds of CPU time", 0.01, 1e6,
    why="Others are preferred to an operation on diagrams, or to a first bounded search, that takes longer than this.",
)  # fmt: skip
SECONDS_BETWEEN_LOOKS = _number(
    "SECONDS_BETWEEN_LOOKS", 0.05, "seconds", 0.001, 1.0,
    why="Who waits for other processes looks at limits this often.",
)  # fmt: skip
SECONDS_OF_GRACE = _number(
    "SECONDS_OF_GRACE", 1.0, "seconds", 0.0, 60.0,
    why="A process may take this long to say that its time is over, and a thread a third of it to end, before they are left.",
)  # fmt: skip
CONTENDERS_AT_ONCE = _number(
    "CONTENDERS_AT_ONCE", 2, "processes", 1, 256,
    why="With `--engine first-of`, this many engines work at a time.",
)  # fmt: skip
NODES_OF_A_CONTENDER = _number(
    "NODES_OF_A_CONTENDER", 4_000_000, "nodes", 1, 10**12,
    why="With `--engine first-of`, diagrams have no more nodes: what they do not decide with these, they seldom decide.",
)  # fmt: skip
PART_OF_TIME_FOR_FIRST_SHARES = _number(
    "PART_OF_TIME_FOR_FIRST_SHARES", 0.25, "part of the time limit", 0.0, 1.0,
    why="Where there are several properties and a time limit, each has an equal share of this part before one may have more.",
)  # fmt: skip
STEPS_OF_BOUNDED_SEARCH_FIRST = _number(
    "STEPS_OF_BOUNDED_SEARCH_FIRST", 40, "steps for each invariant", 0, 10**9,
    why="The second process looks at longer and longer paths for this long before IC3 begins.",
)  # fmt: skip
TURNS_OF_IC3_FOR_BOUNDED_SEARCH = _number(
    "TURNS_OF_IC3_FOR_BOUNDED_SEARCH", 25, "steps of IC3 for one of bounded search", 1, 10**9,
    why="After a turn of IC3, bounded search has a shorter one: its steps are about whole paths.",
)  # fmt: skip
STEPS_OF_A_FIRST_TURN = _number(
    "STEPS_OF_A_FIRST_TURN", 500, "steps", 1, 10**9,
    why="Searches that take turns begin with this many steps each, and then have twice as many each time.",
)  # fmt: skip
STEPS_OF_A_SAT_PROBE = _number(
    "STEPS_OF_A_SAT_PROBE", 12, "steps", 0, 10**6,
    why="A short look by SAT at all invariants goes this deep, and tries inductions over a quarter of these steps.",
)  # fmt: skip
STEPS_OF_A_SHORT_SEARCH = _number(
    "STEPS_OF_A_SHORT_SEARCH", 1_000, "steps", 1, 10**9,
    why="A search of fewer steps is short: a longer one is left once to try induction, and a warning may always take as many.",
)  # fmt: skip
STATES_OF_A_SMALL_AUTOMATON = _number(
    "STATES_OF_A_SMALL_AUTOMATON", 300, "states", 1, 10**9,
    why="Sets of states are split by automata up to this size; larger ones are encoded in variables of diagrams.",
    measured="decision 5",
)  # fmt: skip
WORK_ON_A_SMALL_AUTOMATON = _number(
    "WORK_ON_A_SMALL_AUTOMATON", 500_000.0, "work", 0.0, 1e12,
    why="A translation of LTL that takes more is given up for a tableau. Formulas of published collections stay far below.",
)  # fmt: skip
WORK_BEFORE_VACUITY = _number(
    "WORK_BEFORE_VACUITY", 1_000_000.0, "work", 0.0, 1e12,
    why="Whether parts of a formula matter is asked of a product only if the formula itself took less work.",
)  # fmt: skip
PARTS_TRIED_FOR_VACUITY = _number(
    "PARTS_TRIED_FOR_VACUITY", 12, "parts of a formula", 0, 10**6,
    why="The largest parts of a formula that holds are tried for vacuity; a third as many where each needs an automaton.",
)  # fmt: skip
STEPS_TO_CLOSE_A_LASSO = _number(
    "STEPS_TO_CLOSE_A_LASSO", 40, "steps", 1, 10**6,
    why="A counterexample that goes round a loop of classes need not come back to a state, and is given up then.",
)  # fmt: skip
PARTS_WORTH_CHAINING = _number(
    "PARTS_WORTH_CHAINING", 8, "parts", 1, 10**6,
    why="With fewer parts of the relation, preimages of the new states alone are cheaper than those of all by part after part.",
)  # fmt: skip
RINGS_BEFORE_CHAINING = _number(
    "RINGS_BEFORE_CHAINING", 2, "rings", 0, 10**6,
    why="Often everything is near the goal, as when a constraint of fairness is met again; then a few whole preimages settle it.",
)  # fmt: skip
WORK_BEFORE_RINGS = _number(
    "WORK_BEFORE_RINGS", 50_000.0, "units of work", 0.0, 1e12,
    why="After a search by chaining with more work, the next one is tried by rings with as much work.",
    measured="decision 9")  # fmt: skip
WORK_ON_A_SHORTEST_PATH = _number(
    "WORK_ON_A_SHORTEST_PATH", 1_000_000.0, "units of work", 0.0, 1e12,
    why="After this much work a path by chaining will do: of 64 philosophers, the sets at each distance are large and many.",
)  # fmt: skip
ATTEMPT_PART_OF_TIME_LEFT = _number(
    "ATTEMPT_PART_OF_TIME_LEFT", 0.25, "part", 0.01, 1.0,
    why="An attempt with a budget of work gets at most this part of the time that a user's limit leaves.", measured="decision 13",
)  # fmt: skip
MEMORY_WITH_HELPERS = _number(
    "MEMORY_WITH_HELPERS", 0.9, "part of the limit", 0.1, 1.0,
    why="A process that uses more of its memory, together with its helpers, does without them: the rest is for the supervisor.",
)  # fmt: skip
Z3_DIRECT_MILLISECONDS = _number(
    "Z3_DIRECT_MILLISECONDS", 250, "milliseconds", 1, 60_000,
    why="A call of z3 that takes longer is made again in a thread of its own, so that Ctrl-C is heard.",
)  # fmt: skip
SAT_CONFLICTS_AT_FIRST = _number(
    "SAT_CONFLICTS_AT_FIRST", 2_000, "conflicts", 1, 10**9,
    why="A SAT solver stops after this many to look at limits, then after twice as many, and so on: portions of one size made it "
    "forget what it had learnt, and some questions never ended.",
)  # fmt: skip
SAT_CLAUSES_OF_PAST_QUESTIONS = _number(
    "SAT_CLAUSES_OF_PAST_QUESTIONS", 1_000, "clauses", 1, 10**9,
    why="A solver with more clauses that only past questions needed is built anew.",
)  # fmt: skip

WORK_ALWAYS_WORTH = _number(
    "WORK_ALWAYS_WORTH", 50_000.0, "work", 0, 1e12,
    why="Looking backwards on all states may take this much, and no certificate that nobody asked for is begun with less left.",
)  # fmt: skip
BACKWARD_WORK_OF_A_NODE = _number(
    "BACKWARD_WORK_OF_A_NODE", 0.6, "work for each node", 0, 1e6,
    why="Looking backwards on all states may take this much work for each node that the diagrams of a model have.",
)  # fmt: skip
STEPS_BACKWARDS = _number(
    "STEPS_BACKWARDS", 40, "steps", 0, 10**9,
    why="A search backwards on all states that takes more goes through many states that are not reachable, as far as was seen.",
)  # fmt: skip
QUESTIONS_BEFORE_GATES = _number(
    "QUESTIONS_BEFORE_GATES", 8_000, "questions", 0, 10**12,
    why="IC3 looks for equal gates after these: a circuit beside another one like it is decided by fewer or never.",
)  # fmt: skip
CUBES_OF_A_BIT = _number(
    "CUBES_OF_A_BIT", 2, "cubes for each bit", 0, 10**6,
    why="IC3 begins again where equal gates exclude at least this many: circuits beside their like have 4 to 12.",
)  # fmt: skip
WORK_ON_EQUAL_SIGNALS = _number(
    "WORK_ON_EQUAL_SIGNALS", 5_000_000.0, "work", 0, 1e12,
    why="The search for equal variables or gates is given up after this; of variables, constants seen in a simulation will do.",
)  # fmt: skip
BITS_WORTH_MERGING = _number(
    "BITS_WORTH_MERGING", 32, "bits", 0, 10**6,
    why="Equal variables are looked for in machines of at least these: the states of fewer bits are found at once.",
)  # fmt: skip
CIRCUIT_SHARE = _number(
    "CIRCUIT_SHARE", 0.8, "part of the bits", 0, 1,
    why="In a circuit, words and booleans whose equations leave no choice have these bits; elsewhere, equal variables are rare.",
)  # fmt: skip

# evidence

EVIDENCE_SHARE = _number(
    "EVIDENCE_SHARE", 0.3, "part of the work", 0, 1000,
    why="Evidence that nobody asked for may take this part of the work of deciding.",
)  # fmt: skip
EVIDENCE_WORK = _number(
    "EVIDENCE_WORK", 200_000.0, "work", -1, 1e12,
    why="Evidence may take this much in addition, however little the deciding took: one or two tenths of a second.",
)  # fmt: skip
WORK_ON_CLASSES = _number(
    "WORK_ON_CLASSES", 3_000_000.0, "work", 0, 1e12,
    why="The classes of a reduction are confirmed unasked in this much work, or in as much as the reduction took.",
)  # fmt: skip
CLASSES_FOR_A_SOLVER = _number(
    "CLASSES_FOR_A_SOLVER", 60, "classes", 0, 10**6,
    why="More classes that are formulas are put to a solver only on request.",
)  # fmt: skip
CERTIFICATE_CLAUSES = _number(
    "CERTIFICATE_CLAUSES", 200_000, "clauses", 0, 10**9,
    why="A certificate that nobody asked for is not judged if it takes more clauses.",
)  # fmt: skip
CERTIFICATE_CONFLICTS = _number(
    "CERTIFICATE_CONFLICTS", 5_000, "conflicts", 0, 10**9,
    why="Judging a certificate that nobody asked for is given up if one of its conditions takes more conflicts.",
)  # fmt: skip
PART_OF_TIME_FOR_CERTIFICATES = _number(
    "PART_OF_TIME_FOR_CERTIFICATES", 0.85, "part of the time left", 0, 1,
    why="Certificates have this part of what a time limit leaves: what is decided is not lost because it is not confirmed.",
)  # fmt: skip
JUDGED_STATES = _number(
    "JUDGED_STATES", 2_000, "states", 0, 10**9,
    why="Verdicts are confirmed state by state where a model has no more states, unless more is asked for.",
)  # fmt: skip
JUDGED_STEPS = _number(
    "JUDGED_STEPS", 20_000, "steps", 0, 10**10,
    why="A judge looks unasked at no more steps, positions of a game, or nodes of decision diagrams: about a tenth of a second.",
)  # fmt: skip
JUDGED_STEPS_IF_ASKED = _number(
    "JUDGED_STEPS_IF_ASKED", 1_000_000, "steps", 0, 10**10,
    why="A judge looks at no more steps or nodes when it is asked: some seconds.",
)  # fmt: skip
PARTS_OF_A_SLOW_TRY = _number(
    "PARTS_OF_A_SLOW_TRY", 1_000, "subexpressions", 1, 10**9,
    why="A value that is tried under a constraint of so many parts counts as two, under twice as many as three, and so on.",
    measured="reduce Tcp/tcp.v: 45 µs a value under constraints of 12,575 parts",
)  # fmt: skip
JUDGED_AUTOMATON_STATES = _number(
    "JUDGED_AUTOMATON_STATES", 200, "states", 1, 10**6,
    why="A formula whose automaton, which the judges do not reduce, gets more states is not looked through.",
)  # fmt: skip
JUDGED_COMBINATIONS = _number(
    "JUDGED_COMBINATIONS", 4_096, "combinations", 1, 10**6,
    why="A judge gives up where the choices of one operator's operands meet in more combinations.",
)  # fmt: skip
CERTIFICATE_STEPS_UNFOLDED = _number(
    "CERTIFICATE_STEPS_UNFOLDED", 50, "steps", 0, 10**4,
    why="Formulas with larger bounds are not certified, since bounds are unfolded step by step.",
)  # fmt: skip
CERTIFICATE_FORMULA_PARTS = _number(
    "CERTIFICATE_FORMULA_PARTS", 2_000, "parts", 1, 10**6,
    why="A formula of PSL that takes more steps or parts as a formula of LTL is not certified.",
)  # fmt: skip
WALK_VALUES_IN_VAIN = _number(
    "WALK_VALUES_IN_VAIN", 10_000, "values", 0, 10**9,
    why="The interpreter tries this many values in vain, and ten more for each variable, before a SAT solver looks for a step.",
)  # fmt: skip
FACTOR_VALUES = _number(
    "FACTOR_VALUES", 64, "values", 1, 10**4,
    why="In formulas for z3, a factor with at most this many values is replaced by a case over them.",
)  # fmt: skip

# reduce

BLOCKS_DIRECTLY = _number(
    "BLOCKS_DIRECTLY", 128, "blocks", 1, 10**9,
    why="With more classes, `auto` leaves the direct way to a quotient; by simulation, it begins with reachable states.",
)  # fmt: skip
BLOCKS_BY_SIGNATURES = _number(
    "BLOCKS_BY_SIGNATURES", 2_000, "blocks", 1, 10**9,
    why="Where there are more classes on the way, states are listed in place of signatures, if they can be.")  # fmt: skip
STATES_LISTED_FIRST = _number(
    "STATES_LISTED_FIRST", 1 << 17, "states", 0, 10**9,
    why="Where there are many classes, no more states than these are listed before signatures are tried.")  # fmt: skip
RELATION_NODES_OF_SIGNATURES = _number(
    "RELATION_NODES_OF_SIGNATURES", 100_000, "nodes", 0, 10**9,
    why="Signatures, also of control automata, are computed by a relation in one piece if it is at most this large.")  # fmt: skip
GROUP_ELEMENTS = _number(
    "GROUP_ELEMENTS", 1_000, "elements", 1, 10**6,
    why="All elements of a symmetry group of at most this order are tried one after the other; of a larger one, only some.",
)  # fmt: skip
ORBITS_ON_DIAGRAMS = _number(
    "ORBITS_ON_DIAGRAMS", 300, "orbits", 1, 10**9,
    why="Where there are more orbits, `auto` lists the states, if they are not too many for that.")  # fmt: skip
DENSE_SET_NODES = _number(
    "DENSE_SET_NODES", 2_000, "nodes", 1, 10**9,
    why="Sets with more nodes are cut down to about this many before representatives are looked for in them.")  # fmt: skip
LATCHES_WORTH_SPLITTING = _number(
    "LATCHES_WORTH_SPLITTING", 6, "latches", 2, 10**6,
    why="A machine with fewer latches is reduced as it is, since to take it apart would cost more.")  # fmt: skip
LATCHES_OF_A_PART = _number(
    "LATCHES_OF_A_PART", 0.25, "part of the latches", 0.0, 0.5,
    why="The smaller part of a machine that is taken apart has at least this part of its latches.")  # fmt: skip
WORK_BEFORE_HELPERS = _number(
    "WORK_BEFORE_HELPERS", 1_000_000.0, "units of work", 0.0, 1e12,
    why="Parts of a model are given to other processes after this much work, two to four times what a process takes to start.",
)  # fmt: skip

# automata and logic

AUTOMATON_STATES_TO_COMPARE = _number(
    "AUTOMATON_STATES_TO_COMPARE", 250, "states", 1, 10**5,
    why="Larger automata are not reduced by simulation, which compares all pairs of states.",
)  # fmt: skip
AUTOMATON_STATES_TO_REFINE = _number(
    "AUTOMATON_STATES_TO_REFINE", 60, "states", 1, 10**5,
    why="Larger automata are reduced once only, and no alternatives are put off: repetition takes long there and seldom helps.",
)  # fmt: skip
AUTOMATON_STATES_TO_LIST = _number(
    "AUTOMATON_STATES_TO_LIST", 5, "states", 0, 10**5,
    why="Automata with fewer states are not reduced further by listing their letters: they did not become smaller.",
)  # fmt: skip
AUTOMATON_ATOMS_TO_LIST = _number(
    "AUTOMATON_ATOMS_TO_LIST", 8, "atoms", 0, 12,
    why="With more atoms, there may be too many letters to list.",
)  # fmt: skip
BUCHI_SETS_IN_ALL_ORDERS = _number(
    "BUCHI_SETS_IN_ALL_ORDERS", 3, "acceptance sets", 0, 7,
    why="Up to this many acceptance sets are counted in all orders, to find the smallest automaton.",
)  # fmt: skip
LOOKAHEAD_ATTACK_STEPS = _number(
    "LOOKAHEAD_ATTACK_STEPS", 3_000, "steps", 1, 10**9,
    why="A pair of states that is not decided in this many steps does not count as related.",
)  # fmt: skip
LTL_CONSTANT_PART_STATES = _number(
    "LTL_CONSTANT_PART_STATES", 20, "states", 0, 10**4,
    why="A part of a formula is examined for being constant as long as its automaton has no more states.",
)  # fmt: skip
TRUTH_TABLE_ATOMS = _number(
    "TRUTH_TABLE_ATOMS", 12, "atoms", 0, 16,
    why="Sets of letters are truth tables up to this many atoms, of half a kilobyte each; beyond, decision diagrams are faster.",
)  # fmt: skip

# model, encode and formats

WEAKENED_PARTS = _number(
    "WEAKENED_PARTS", 20_000, "parts", -1, 10**9,
    why="Constraints with more parts, times the variables that they read, are not tested before all of these have values.",
)  # fmt: skip
CASE_BRANCHES_TO_SHARE = _number(
    "CASE_BRANCHES_TO_SHARE", 8, "branches", 1, 10**6,
    why="A case with fewer branches is encoded again where it is written again.",
)  # fmt: skip
OPERANDS_JOINED_AT_ONCE = _number(
    "OPERANDS_JOINED_AT_ONCE", 8, "operands", 1, 10**6,
    why="Before each further operand of a long conjunction, the order of variables may change: in a bad one, nodes double.",
)  # fmt: skip
SIMULATED_STEPS = _number(
    "SIMULATED_STEPS", 32, "steps", 1, 10**4,
    why="Signals are candidates for being equal if they agree in a simulation of this many steps.",
)  # fmt: skip
EQUAL_GATE_BITS = _number(
    "EQUAL_GATE_BITS", 14, "bits", 1, 18,
    why="Gates that read more bits of the state are not compared: their truth tables would be large.",
)  # fmt: skip
EQUAL_GATE_CUBES = _number(
    "EQUAL_GATE_CUBES", 64, "cubes", 1, 10**4,
    why="An equation of two gates that takes more cubes is not used.",
)  # fmt: skip

AUT_READING_THREADS = _number(
    "AUT_READING_THREADS", 4, "threads", 1, 256,
    why="More threads than these do not read an Aldébaran text faster.", measured="decision 11",
)  # fmt: skip
AUT_PIECE = _number(
    "AUT_PIECE", 1 << 20, "bytes", 1, 1 << 40,
    why="An Aldébaran text is read by threads in parts of this length or more, and is written in such parts.",
    measured="decision 11",
)  # fmt: skip
AUT_TRANSITIONS_FOR_A_WRITER = _number(
    "AUT_TRANSITIONS_FOR_A_WRITER", 1 << 14, "transitions", 0, 10**9,
    why="The text of more transitions is made by a thread while it is written to a file.", measured="decision 11",
)  # fmt: skip
AUT_BYTES_FOR_A_GPU = _number(
    "AUT_BYTES_FOR_A_GPU", 128 << 20, "bytes", 0, 1 << 40,
    why="Where CuPy is installed, graphs with longer texts are reduced by arrays, which may be on a GPU.",
)  # fmt: skip
TEXT_SLICE = _number(
    "TEXT_SLICE", 4 << 20, "bytes", 1, 1 << 30,
    why="The reader of a large graph looks after this many bytes at whether it should stop; then freed memory is given back.",
)  # fmt: skip
GATES_WITHOUT_NUMPY = _number(
    "GATES_WITHOUT_NUMPY", 20_000, "gates", 0, 10**9,
    why="Fewer gates of a binary AIGER file are read one by one, in a millisecond for each thousand; loading NumPy takes fifty.",
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
    why="Models with larger quotients are compared on sets of pairs, and get no formula that distinguishes their paths.",
)  # fmt: skip
WORK_UNASKED = _number(
    "WORK_UNASKED", 2e7, "work", 0.0, 1e12,
    why="What nobody asked for, such as a picture or the number of transitions of a model, may take this much work.",
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
