"""Linear temporal logic to transition-based generalised Büchi automata, state by state.

A state is a set of obligations together with a history; two such pairs with the same terms are one state.

Reference: Couvreur, On-the-fly verification of linear temporal logic, 1999, section 4.
Symbols:   an acceptance set per until; an edge belongs to it unless it promises that until.
Invariant: the words accepted from a state are those that satisfy all its obligations after its history.
Deviates:  explicit terms instead of a decision diagram; past operators use a history.
Cost:      the number of sets of obligations that occur, at most 2^|formula|.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from coarsest.automata.automaton import Automaton, Edge, united
from coarsest.automata.ltl.history import PastHistory
from coarsest.automata.ltl.linear_factors import LinearFactors, Terms
from coarsest.logic.linear.ltl import Ltl
from coarsest.run import Budget, Run


def tableau(formula: Ltl, run: Run | None = None) -> Automaton:
    """An automaton for the words that satisfy the formula. No past operator may have a future one inside."""
    return _Tableau(formula, run or Run()).build(formula)


def within_states(states: int, run: Run) -> AbstractContextManager[Budget]:
    """An attempt that ends when an automaton has more states, or takes much more work than this number should."""
    return run.within(work=1000.0 * states, steps=4 * states, most={"states": states})


class _Tableau:
    def __init__(self, formula: Ltl, run: Run) -> None:
        self._alphabet = formula.table.alphabet
        self._run = run
        self._history = PastHistory(formula.table)
        self._factors = LinearFactors(formula.table, self._history, run)
        self._state_of: dict[tuple[int, int], int] = {}
        self._state_with: dict[object, int] = {}
        self._unexplored: list[tuple[int, Terms, int]] = []
        self._edges: list[list[Edge]] = []

    def build(self, formula: Ltl) -> Automaton:
        history = self._history.initial(formula)
        start = self._state(self._factors.obligations(formula), history)
        while self._unexplored:
            self._run.step("tableau", states=len(self._edges), waiting=len(self._unexplored))
            state, terms, history = self._unexplored.pop()
            self._edges[state] = self._expand(terms, history)
        return Automaton(self._alphabet, (start,), *self._with_marks())

    def _state(self, key: int, history: int) -> int:
        """The number of the state with these obligations and this history."""
        key = self._factors.normal(key)
        state = self._state_of.get((key, history))
        if state is None:
            terms = self._factors.of_obligations(key, history)
            later = 0
            for successor in terms:
                later |= self._needed(successor)
            # Two sets of obligations with the same terms and the same update of what these need accept the same words.
            update = tuple(self._history.steps(history, later)) if later else ()
            signature = (tuple(sorted(terms.items(), key=lambda term: term[0])), update)
            state = self._state_with.get(signature)
            if state is None:
                state = self._state_with[signature] = len(self._edges)
                self._edges.append([])
                self._unexplored.append((state, terms, history))
            self._state_of[key, history] = state
        return state

    def _needed(self, key: int) -> int:
        bits = 0
        for formula in self._factors.formulas(key):
            bits |= self._history.needed(formula)
        return bits

    def _expand(self, terms: Terms, history: int) -> list[Edge]:
        """The edges of a state; until the end, an edge carries its promises instead of its marks."""
        edges: list[Edge] = []
        for key, guard in terms.items():
            promises = key & self._factors.promises
            for letters, after in self._history.steps(history, self._needed(key)):
                both = guard & letters
                if both:
                    edges.append((both, promises, self._state(key ^ promises, after)))
        return united(edges)

    def _with_marks(self) -> tuple[list[list[Edge]], int]:
        promises = [1 << bit for bit in range(len(self._factors.waiting)) if self._factors.promises >> bit & 1]
        marks: dict[int, int] = {}
        for made in {made for edges in self._edges for _, made, _ in edges}:
            marks[made] = sum(1 << number for number, bit in enumerate(promises) if not made & bit)
        return [[(guard, marks[made], target) for guard, made, target in edges] for edges in self._edges], len(promises)
