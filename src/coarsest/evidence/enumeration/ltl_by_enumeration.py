"""Linear formulas on an explicit graph: is there a fair path that the automaton of a formula accepts?

Reference: Vardi, Wolper, An automata-theoretic approach to automatic program verification, 1986.
Symbols:   –
Invariant: the fair paths of the product are the fair paths of the graph that the automaton accepts.
Deviates:  the automaton is the plain tableau, without any of the reductions that the checker relies on; PSL is translated to LTL
           where that is possible.
Cost:      linear in the steps of the product.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from coarsest import tuning
from coarsest.automata.automaton import Automaton
from coarsest.automata.ltl.name_futures import name_futures, project
from coarsest.automata.ltl.tableau import tableau, within_states
from coarsest.automata.psl.psl_to_automaton import psl_to_automaton
from coarsest.automata.psl.psl_to_ltl import psl_to_ltl
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.enumeration.fair_graph import FairPaths
from coarsest.logic.expr import Expr
from coarsest.logic.linear.ltl import Ltl
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.run import Run

TOO_LARGE = "the automaton of the formula becomes large"


def automaton_of_ltl(formula: Expr, run: Run, *, negated: bool = False) -> Automaton:
    """An automaton for the words that satisfy, or falsify, a formula; raises NotConfirmed if it becomes large."""
    linear = from_expr(formula)
    with within_states(tuning.JUDGED_AUTOMATON_STATES, run):
        return _plain(linear.negation if negated else linear, run)
    raise NotConfirmed(TOO_LARGE)


def automaton_of_psl(formula: Expr, run: Run, *, negated: bool = False) -> Automaton:
    """An automaton for the words that satisfy, or falsify, a formula of PSL; raises NotConfirmed if it becomes large."""
    translated = psl_from_expr(formula)
    with within_states(tuning.JUDGED_AUTOMATON_STATES, run):
        linear = psl_to_ltl(translated, run)
        if linear is not None:
            return _plain(linear.negation if negated else linear, run)
        return psl_to_automaton(translated, negated=negated, run=run, smallest=False)
    raise NotConfirmed(TOO_LARGE)


def _plain(formula: Ltl, run: Run) -> Automaton:
    return project(tableau(name_futures(formula), run), formula.table.alphabet)


def beginnings(
    graph: FairPaths, automaton: Automaton, truths: Sequence[Set[int]], start: Iterable[int], run: Run, *, most_steps: int
) -> set[int]:
    """The nodes among `start` from which a fair path is accepted; `truths` are the nodes at which each atom is true."""
    product = _Product(graph, automaton, truths, run, most_steps)
    first = {node: [product.number(node, state) for state in automaton.initial] for node in start}
    product.explore()
    fair = product.fair_graph()
    accepted = fair.with_fair_path(fair.everything)
    return {node for node, pairs in first.items() if not accepted.isdisjoint(pairs)}


class _Product:
    """Pairs of a node and the state of the automaton that reads it."""

    def __init__(
        self, graph: FairPaths, automaton: Automaton, truths: Sequence[Set[int]], run: Run, most_steps: int
    ) -> None:
        self.graph = graph
        self.automaton = automaton
        self.run = run
        self.most_steps = most_steps
        self.pairs: list[tuple[int, int]] = []
        self.after: list[list[int]] = []
        self.marks: list[list[int]] = []
        self._letters = [0] * len(graph.after)
        for number, nodes in enumerate(truths):
            for node in nodes:
                self._letters[node] |= 1 << number
        self._number_of: dict[tuple[int, int], int] = {}
        self._moves: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def number(self, node: int, state: int) -> int:
        pair = (node, state)
        number = self._number_of.setdefault(pair, len(self.pairs))
        if number == len(self.pairs):
            self.pairs.append(pair)
        return number

    def explore(self) -> None:
        steps = 0
        for k, (node, state) in enumerate(self.pairs):  # grows while it is walked
            if k % 1000 == 0:
                self.run.step("confirm by enumeration", pairs=len(self.pairs))
            moves = self._moves_with(state, self._letters[node])
            successors = self.graph.after[node]
            steps += len(moves) * len(successors)
            if steps > self.most_steps:
                raise NotConfirmed("there are too many steps to examine")
            self.after.append([self.number(successor, target) for target, _ in moves for successor in successors])
            self.marks.append([marks for _, marks in moves for _ in successors])

    def _moves_with(self, state: int, letter: int) -> list[tuple[int, int]]:
        """The states that the automaton can enter with a letter, with the marks of the edges."""
        moves = self._moves.get((state, letter))
        if moves is None:
            contains = self.automaton.alphabet.contains
            edges = self.automaton.edges[state]
            moves = self._moves[state, letter] = [(target, marks) for guard, marks, target in edges if contains(guard, letter)]
        return moves

    def fair_graph(self) -> FairPaths:
        def over(nodes: Set[int]) -> set[int]:
            return {k for k, (node, _) in enumerate(self.pairs) if node in nodes}

        graph = self.graph
        compassion = [(over(p), over(q)) for p, q in graph.compassion]
        return FairPaths(self.after, [over(p) for p in graph.justice], compassion, self.marks, self.automaton.all_sets)
