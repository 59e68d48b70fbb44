"""PSL formulas to automata: Büchi automata for all of them, automata of bad prefixes for safety formulas.

A formula is a safety formula by its form if every way to falsify it takes finitely many letters: in the alternating automaton of
its negation no obligation that may last for ever lies on a cycle. `always`, `never`, `{r} |-> FALSE` and weak sequences lead to
such formulas, strong operators do not. The automaton of bad prefixes is the alternating one without alternation: a state is a set
of obligations, and a prefix is bad when nothing is left to be met.

Reference: Kupferman, Vardi, Model checking of safety properties, 2001 (bad prefixes); Beer, Ben-David, Landver, On-the-fly model
           checking of RCTL formulas, 1998 (the same for sequences).
Symbols:   none.
Invariant: the language of the automaton of f and of that of its negation are complements.
Deviates:  informative bad prefixes only: those that show the violation by the form of the formula.
Cost:      see `alternation_removal`; without obligations that are due, 2^n states for n obligations.
"""

from __future__ import annotations

from typing import Any

from coarsest.automata.automaton import Automaton, Edge
from coarsest.automata.components import components
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.automata.psl.alternation_removal import remove_alternation
from coarsest.automata.psl.psl_choices import Choices
from coarsest.automata.psl.psl_obligations import Obligations
from coarsest.automata.psl.psl_to_ltl import formulas_for, psl_to_ltl
from coarsest.automata.shrink.bisimulation import merge_bisimilar
from coarsest.automata.shrink.degeneralise import degeneralise
from coarsest.automata.shrink.reduce import reduce_on_edges, reduce_on_states
from coarsest.automata.tidy import tidy
from coarsest.logic.psl.psl import Psl, has_sequences
from coarsest.run import Run

MOST_STATES_TO_COMPARE = 80
"""Larger automata are not searched for states that simulate others: repetitions make many states that never do."""


def psl_to_automaton(formula: Psl, *, negated: bool, run: Run | None = None, smallest: bool = True) -> Automaton:
    """A Büchi automaton, with acceptance on states, of the infinite words that satisfy a formula, or (`negated`) falsify it.

    >>> from coarsest.logic.expr import Name
    >>> from coarsest.logic.psl.psl import Always, Sequence
    >>> from coarsest.logic.psl.sere import Boolean
    >>> psl_to_automaton(Always(Sequence(Boolean(Name("a")), strong=True)), negated=False).states
    1
    """
    run = run or Run()
    if not has_sequences(formula):
        linear = psl_to_ltl(formula, run)
        assert linear is not None  # only sequences have cycles that are no loops
        return ltl_to_buchi(linear.negation if negated else linear, run, smallest=smallest)
    obligations = Obligations(formulas_for(formula), run)
    automaton = tidy(merge_bisimilar(remove_alternation(Choices(obligations), obligations.of(formula, positive=not negated))))
    if automaton.states > MOST_STATES_TO_COMPARE:
        return degeneralise(automaton)
    return reduce_on_states(degeneralise(reduce_on_edges(automaton, run)), run)


def bad_prefix_automaton(formula: Psl, run: Run | None = None) -> Automaton | None:
    """An automaton of the words that begin with a bad prefix, or None if the formula is not a safety formula by its form.

    A bad prefix has been read when the last state is reached: it has one edge, to itself, which is the only marked one.
    A formula that nothing falsifies has an automaton without states.
    """
    obligations = Obligations(formulas_for(formula), run)
    choices = Choices(obligations)
    start = obligations.of(formula, positive=False)
    if not _is_met_in_time(choices, start):
        return None
    if start == obligations.false:
        return Automaton(obligations.alphabet, (), ())
    return _with_last(merge_bisimilar(_BadPrefixes(choices).explore(start)))


def is_safety(formula: Psl) -> bool:
    """Does it follow from the form of the formula that every violation shows after finitely many letters?"""
    obligations = Obligations(formulas_for(formula))
    return _is_met_in_time(Choices(obligations), obligations.of(formula, positive=False))


def _is_met_in_time(choices: Choices, start: int) -> bool:
    """Is every obligation on a cycle one that must be met after finitely many letters?"""
    obligations = choices.obligations
    successors: list[list[int]] = []
    order = [start]
    number_of = {start: 0}
    for part in order:  # grows while it is walked
        successors.append([])
        for later in sorted({inner for _, parts in choices.of(part) for inner in parts}):
            if later not in number_of:
                number_of[later] = len(order)
                order.append(later)
            successors[-1].append(number_of[later])
    for component in components(successors, [0]):
        on_cycle = len(component) > 1 or component[0] in successors[component[0]]
        if on_cycle and any(obligations.may_last(order[place]) for place in component):
            return False
    return True


def _with_last(automaton: Automaton) -> Automaton:
    """The same automaton without states that do not lead to the one with a marked edge, which comes last."""
    useful = {state for state in range(automaton.states) if automaton.state_marks(state)}
    last = next(iter(useful), None)
    size = -1
    while size != (size := len(useful)):
        useful |= {state for state, own in enumerate(automaton.edges) if any(target in useful for _, _, target in own)}
    if last is None or not useful.intersection(automaton.initial):
        return Automaton(automaton.alphabet, (), ())
    order = [*sorted(useful - {last}), last]
    number_of = {state: number for number, state in enumerate(order)}
    edges: list[list[Edge]] = [
        [(guard, marks, number_of[target]) for guard, marks, target in automaton.edges[state] if target in useful]
        for state in order
    ]
    return Automaton(automaton.alphabet, tuple(number_of[state] for state in automaton.initial), edges, automaton.sets)


class _BadPrefixes:
    """Sets of obligations, breadth first; the empty set comes last."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self._obligations = choices.obligations

    def explore(self, start: int) -> Automaton:
        alphabet = self._obligations.alphabet
        nothing: frozenset[int] = frozenset()
        states = [self._obligations.parts(start)]
        number_of = {states[0]: 0, nothing: -1}
        edges: list[list[tuple[Any, frozenset[int]]]] = []
        for parts in states:  # grows while it is walked
            self._obligations.run.step("bad-prefixes", states=len(states), explored=len(edges))
            edges.append(self._choices.all_of(self._choices.of(part) for part in sorted(parts)) if parts else [])
            for _, later in edges[-1]:
                if later not in number_of:
                    number_of[later] = len(states)
                    states.append(later)
        if states == [nothing]:
            return Automaton(alphabet, (0,), (((alphabet.full, 1, 0),),), sets=1)
        number_of[nothing] = len(states)
        rows: list[tuple[Edge, ...]] = [tuple((guard, 0, number_of[later]) for guard, later in row) for row in edges]
        return Automaton(alphabet, (0,), (*rows, ((alphabet.full, 1, len(states)),)), sets=1)
