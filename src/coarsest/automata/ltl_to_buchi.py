"""Linear temporal logic to small automata: the whole way.

simplify → name futures below the past → tableau → tidy, bisimulation, simulation → degeneralise → simulation on states.
Where there is a minimal deterministic weak automaton and it is no larger, it is taken instead.

Reference: Duret-Lutz, LTL translation improvements in Spot, 2011 (the order of the steps); each step names its own.
Symbols:   –
Invariant: every step keeps the set of accepted words.
Deviates:  –
Cost:      the tableau is exponential in the formula at worst; a few milliseconds for what people write.
"""

from __future__ import annotations

from coarsest.automata.constant_parts import without_constant_parts
from coarsest.automata.degeneralise import degeneralise
from coarsest.automata.emptiness import is_empty
from coarsest.automata.gather import gather
from coarsest.automata.name_futures import name_futures, project
from coarsest.automata.product import product
from coarsest.automata.reduce import reduce_on_edges, reduce_on_states
from coarsest.automata.tableau import tableau
from coarsest.automata.tidy import tidy, tidy_states
from coarsest.automata.weak_minimisation import is_contained_in_weak, minimal_weak
from coarsest.logic.ltl import Ltl
from coarsest.logic.ltl_at_start import at_start
from coarsest.logic.ltl_simplify import simplify
from coarsest.model.automaton import Automaton
from coarsest.run import Run


def ltl_to_generalised_buchi(formula: Ltl, run: Run | None = None) -> Automaton:
    """An automaton for the words that satisfy the formula, with generalised acceptance on edges."""
    run = run or Run()
    prepared = _prepared(formula, run)
    automaton = _reduced_tableau(prepared, formula, run)
    weak = _weak(automaton, prepared, automaton.states, run)
    return automaton if weak is None else tidy(weak)


def ltl_to_buchi(formula: Ltl, run: Run | None = None) -> Automaton:
    """An automaton for the words that satisfy the formula, with one acceptance set, of states.

    >>> from coarsest.logic.ltl_from_expr import from_expr
    >>> from coarsest.logic.parse import parse_expression
    >>> automaton = ltl_to_buchi(from_expr(parse_expression("G (request -> F grant)")))
    >>> automaton.states, automaton.edge_count, automaton.is_state_based, automaton.is_deterministic
    (2, 4, True, True)
    """
    run = run or Run()
    prepared = _prepared(formula, run)
    generalised = _reduced_tableau(prepared, formula, run)
    automaton = reduce_on_states(degeneralise(generalised), run)
    weak = _weak(generalised, prepared, automaton.states, run)
    return with_one_set(automaton if weak is None else tidy_states(weak))


def with_one_set(automaton: Automaton) -> Automaton:
    """The same automaton with one acceptance set if it has none: everything belongs to it."""
    if automaton.sets:
        return automaton
    edges = [[(guard, 1, target) for guard, _, target in own] for own in automaton.edges]
    return Automaton(automaton.alphabet, automaton.initial, edges, 1)


def _prepared(formula: Ltl, run: Run) -> Ltl:
    simple = simplify(at_start(formula))
    without = without_constant_parts(simple, run)
    return gather(simple if without is simple else simplify(without))


def _reduced_tableau(prepared: Ltl, formula: Ltl, run: Run) -> Automaton:
    """The reduced tableau, over the alphabet of the formula."""
    return reduce_on_edges(_plain_tableau(prepared, formula, run), run)


def _plain_tableau(prepared: Ltl, formula: Ltl, run: Run) -> Automaton:
    return project(tidy(tableau(name_futures(prepared), run)), formula.table.alphabet)


def _weak(automaton: Automaton, formula: Ltl, most_states: int, run: Run) -> Automaton | None:
    """The minimal deterministic weak automaton, if there is one and it has no more states than allowed."""
    weak = minimal_weak(automaton, most_subsets=8 * automaton.states + 20)
    if weak is None:
        return None
    states = tidy(weak).states
    if formula.is_syntactic_obligation:
        return weak if states <= most_states else None
    if states >= most_states or not is_contained_in_weak(automaton, weak):
        return None
    negation = _plain_tableau(_prepared(formula.negation, run), formula, run)
    return weak if is_empty(product(weak, negation)) else None
