"""Linear formulas on an explicit graph: beside an automaton of the violations, is there an accepting path?

Reference: Vardi, Wolper 1986, "An automata-theoretic approach to automatic program verification".
Symbols:   –
Invariant: the automaton reads, with each transition, the truth of the atoms in its source and of its action.
Deviates:  the pairs that can be reached are numbered in the order of a breadth-first search; transitions that no atom tells apart
           share a letter. The lasso goes to the nearest accepting pair on a cycle, and round a shortest cycle through it.
Cost:      linear in the steps between the pairs that can be reached.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.automata.automaton import Automaton
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.check.graphs.ctl_on_graphs import Walk
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.lts import closures
from coarsest.lts.attended import attended
from coarsest.lts.csr import Csr, Mask
from coarsest.run import Run
from coarsest.space.explicit.labelled_graph import GraphStates

Array = NDArray[np.signedinteger[Any]]


def violating_walk(states: GraphStates, formula: Expr, run: Run) -> Walk | None:
    """A path from an initial state on which a linear formula is false; None if it is true on all."""
    automaton = ltl_to_buchi(from_expr(formula).negation, run, smallest=False)
    if not automaton.initial or not states.initial:
        return None
    return _Product(states, automaton, run).accepting_walk()


class _Letters(Struct, frozen=True, eq=False):
    """The letter of each transition by its number, and which atoms are true in each letter."""

    of_transition: Array
    valuations: list[int]


def _letters(states: GraphStates, atoms: tuple[Expr, ...]) -> _Letters:
    """The transitions, told apart by atoms: those with the same truths have one number."""
    number, valuations = np.zeros(states.graph.edges, dtype=np.int32), [0]
    for bit, atom in enumerate(atoms):
        finer = 2 * number + _truths(states, atom)
        occurs = np.bincount(finer, minlength=2 * len(valuations)) > 0
        number = (np.cumsum(occurs) - 1).astype(np.int32)[finer]
        both = [value for old in valuations for value in (old, old | 1 << bit)]
        valuations = [value for value, is_used in zip(both, occurs) if is_used]
    return _Letters(number, valuations)


def _truths(states: GraphStates, atom: Expr) -> Mask:
    """The truth of an atom at each transition: about its action, or about the state that it leaves."""
    match atom:
        case Name(name) if name not in states.labels:
            return np.asarray(states.actions == states.transitions.action_names.index(name))
        case Apply("action", (Constant(str(name)),)):
            return np.asarray(states.actions == states.transitions.action_names.index(name))
    return states.where(atom).mask[states.graph.sources]


def shortened(walk: Walk) -> Walk:
    """The same infinite path as a shorter lasso: the automaton may have gone round where the graph need not.

    >>> shortened(Walk((0, 5, 6, 5, 6, 5), (1, 2, 3, 2, 3, 2), 2))
    Walk(states=(0, 5, 6), actions=(1, 2, 3), loop=1)
    """
    assert walk.loop is not None
    steps, loop = list(zip(walk.states, walk.actions)), walk.loop
    around = steps[loop:]
    period = next(n for n in range(1, len(around) + 1) if len(around) % n == 0 and around == around[:n] * (len(around) // n))
    del steps[loop + period :]
    while loop and steps[loop - 1] == steps[-1]:
        steps.pop()
        loop -= 1
    return Walk(tuple(state for state, _ in steps), tuple(action for _, action in steps), loop)


class _Product:
    """The pairs of states and vertices that can be reached, numbered, and the steps between them."""

    def __init__(self, states: GraphStates, automaton: Automaton, run: Run) -> None:
        self.states, self.automaton, self.run = states, automaton, run
        self.letters = _letters(states, automaton.alphabet.atoms)
        self.codes, self.before, self.steps = self._explored()

    def _moves(self) -> tuple[Array, Array]:
        """For each vertex and letter, the vertices that the automaton may go to, in compressed sparse rows."""
        contains, valuations = self.automaton.alphabet.contains, self.letters.valuations
        rows = [
            sorted({target for guard, _, target in edges if contains(guard, value)})
            for edges in self.automaton.edges for value in valuations
        ]  # fmt: skip
        ways = np.cumsum([0, *map(len, rows)])
        return ways, np.array([target for row in rows for target in row], dtype=np.int64)

    def _explored(self) -> tuple[Array, Array, Csr]:
        graph, vertices = self.states.graph, self.automaton.states
        first = np.flatnonzero(self.states.initial.mask)[:, None] * vertices + np.array(self.automaton.initial)
        start, pairs = np.unique(first), graph.nodes * vertices
        number, codes, before = np.full(pairs, -1), np.empty(pairs, dtype=np.int64), np.empty(pairs, dtype=np.int64)
        number[start] = before[: len(start)] = np.arange(len(start))
        codes[: len(start)] = start
        kernel = kernels("paths.product", graph.edges)
        ways, moves = self._moves()
        letter, letters = self.letters.of_transition, len(self.letters.valuations)
        targets = graph.targets.astype(np.int64, copy=False)  # codes are larger than states
        both = (graph.offsets, targets, letter, letters, ways, moves, vertices, number, codes)
        ((filled, count),) = attended(self.run, "product", partial(kernel.reach_pairs, *both, len(start), before))
        rows, heads = np.empty(filled + 1, dtype=np.int64), np.empty(count, dtype=np.int64)
        attended(self.run, "product", partial(kernel.list_steps, *both, filled, rows, heads))
        return codes[:filled], before[:filled], Csr(rows, heads)

    def accepting_walk(self) -> Walk | None:
        """A walk to the nearest accepting cycle and round it, if there is one."""
        vertices = self.automaton.states
        accepting = np.array([bool(self.automaton.state_marks(vertex)) for vertex in range(vertices)])
        every = np.ones(self.steps.edges, dtype=np.bool_)
        cyclic, component = closures.on_cycles(self.steps, self.run, every)
        good = cyclic & accepting[self.codes % vertices]
        if not good.any():
            return None
        nearest = int(np.argmax(good))
        path = closures.path_back(self.before, nearest)
        pairs, loop = closures.closed(self.steps, self.run, path, component == component[nearest])
        return self._walk(pairs, loop)

    def _walk(self, pairs: list[int], loop: int) -> Walk:
        states, vertices = np.divmod(self.codes[pairs], self.automaton.states)
        steps = list(zip(states.tolist(), vertices.tolist()))
        actions = [self._action(*pair, *after) for pair, after in zip(steps, [*steps[1:], steps[loop]])]
        return shortened(Walk(tuple(states.tolist()), tuple(actions), loop))

    def _action(self, state: int, vertex: int, after: int, entered: int) -> int:
        """An action that leads to a state while the automaton goes from one vertex to another."""
        graph, contains = self.states.graph, self.automaton.alphabet.contains
        for edge in range(int(graph.offsets[state]), int(graph.offsets[state + 1])):
            value = self.letters.valuations[int(self.letters.of_transition[edge])]
            ways = (target == entered and contains(guard, value) for guard, _, target in self.automaton.edges[vertex])
            if int(graph.targets[edge]) == after and any(ways):
                return int(self.states.actions[edge])
        raise AssertionError("every step of the product is a step of the graph")
