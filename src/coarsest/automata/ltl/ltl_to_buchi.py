"""Linear temporal logic to small automata, with all steps.

simplify → name futures below the past → tableau → tidy, bisimulation, simulation → degeneralise → simulation on states.
If there is a minimal deterministic weak automaton and it is no larger, it is the result. For the `smallest` automaton, other
non-deterministic automata are compared with variants in which alternatives are postponed, or states removed that are unions of
others, and reduced by delay simulation. That takes several times as long, and saves one state in a hundred.

Reference: Duret-Lutz, LTL translation improvements in Spot, 2011 (the order of the steps); each step names its own.
Symbols:   –
Invariant: every step keeps the set of accepted words.
Deviates:  –
Cost:      the tableau is exponential in the formula at worst; a few milliseconds for what people write.
"""

from __future__ import annotations

from collections.abc import Iterator

from coarsest import tuning
from coarsest.automata.automaton import Automaton
from coarsest.automata.ltl.constant_parts import without_constant_parts
from coarsest.automata.ltl.gather import gather
from coarsest.automata.ltl.name_futures import name_futures, project
from coarsest.automata.ltl.tableau import tableau
from coarsest.automata.product import product
from coarsest.automata.shrink.degeneralise import degeneralise
from coarsest.automata.shrink.join_alternatives import join_alternatives
from coarsest.automata.shrink.reduce import reduce_on_edges, reduce_on_states, without_unions_on_edges, without_unions_on_states
from coarsest.automata.shrink.weak_minimisation import is_contained_in_weak, minimal_weak
from coarsest.automata.tidy import is_empty, tidy, tidy_states
from coarsest.logic.linear.ltl import PAST, Ltl
from coarsest.logic.linear.ltl_simplify import simplify
from coarsest.run import Run


def ltl_to_generalised_buchi(formula: Ltl, run: Run | None = None, *, smallest: bool = True) -> Automaton:
    """An automaton for the words that satisfy the formula, with generalised acceptance on edges."""
    run = run or Run()
    prepared = _prepared(formula, run)
    plain = _plain_tableau(prepared, formula, run)
    automaton = reduce_on_edges(plain, run, smallest=smallest)
    weak = _weak(automaton, prepared, automaton.states, run)
    if weak is not None:
        return tidy(weak)
    if smallest and _is_worth_more(automaton, formula):
        others = [without_unions_on_edges(other, run) for other in (automaton, *_joined(plain, run))]
        automaton = min(automaton, *others, key=_size)
    return automaton


def ltl_to_buchi(formula: Ltl, run: Run | None = None, *, smallest: bool = True) -> Automaton:
    """An automaton for the words that satisfy the formula, with one acceptance set, of states.

    >>> from coarsest.logic.linear.ltl_from_expr import from_expr
    >>> from coarsest.logic.parse import parse_expression
    >>> automaton = ltl_to_buchi(from_expr(parse_expression("G (request -> F grant)")))
    >>> automaton.states, automaton.edge_count, automaton.is_state_based, automaton.is_deterministic
    (2, 4, True, True)
    """
    run = run or Run()
    prepared = _prepared(formula, run)
    plain = _plain_tableau(prepared, formula, run)
    generalised = reduce_on_edges(plain, run, smallest=smallest)
    automaton = reduce_on_states(degeneralise(generalised), run, smallest=smallest)
    weak = _weak(generalised, prepared, automaton.states, run)
    if weak is not None:
        return with_one_set(tidy_states(weak))
    if smallest and _is_worth_more(automaton, formula):
        joined = [without_unions_on_edges(other, run) for other in _joined(plain, run)]
        others = [automaton, *(reduce_on_states(degeneralise(other), run) for other in joined)]
        automaton = min(automaton, *(without_unions_on_states(other, run) for other in others), key=_size)
        automaton = min(automaton, _by_delay(automaton, run), key=_size)
    return with_one_set(automaton)


def _by_delay(automaton: Automaton, run: Run) -> Automaton:
    """The automaton reduced by delay and backward simulation, if it is neither small nor has many letters."""
    from coarsest.automata.shrink.minimise import minimise

    if automaton.states < tuning.AUTOMATON_STATES_TO_LIST or len(automaton.alphabet.atoms) > tuning.AUTOMATON_ATOMS_TO_LIST:
        return automaton
    return minimise(automaton, "words", run, lookahead=1)


def with_one_set(automaton: Automaton) -> Automaton:
    """The same automaton with an acceptance set of all edges, if it has no set."""
    if automaton.sets:
        return automaton
    edges = [[(guard, 1, target) for guard, _, target in own] for own in automaton.edges]
    return Automaton(automaton.alphabet, automaton.initial, edges, 1)


def _prepared(formula: Ltl, run: Run) -> Ltl:
    simple = simplify(at_start(formula))
    without = without_constant_parts(simple, run)
    return gather(simple if without is simple else simplify(without))


def _is_worth_more(automaton: Automaton, formula: Ltl) -> bool:
    """Is more work on the size worthwhile? Automata of obligations remain, because their structure shows their strength."""
    if formula.is_syntactic_obligation:
        return False
    return 2 < automaton.states <= tuning.AUTOMATON_STATES_TO_REFINE and not automaton.is_deterministic


def _joined(plain: Automaton, run: Run) -> Iterator[Automaton]:
    """Reduced automata in which alternatives of the tableau are postponed, unless they become large."""
    for everywhere in (False, True):
        joined = join_alternatives(plain, run, most=2 * plain.states + 16, everywhere=everywhere)
        if joined is not None:
            yield reduce_on_edges(joined, run)


def _size(automaton: Automaton) -> tuple[int, int]:
    return automaton.states, automaton.edge_count


def _plain_tableau(prepared: Ltl, formula: Ltl, run: Run) -> Automaton:
    """The tableau, over the alphabet of the formula."""
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


def at_start(formula: Ltl) -> Ltl:
    """A formula with the same truth in the first position (not in others), where there is no past.

    It has no past operators outside of future ones.

    >>> from coarsest.logic.linear.ltl_from_expr import from_expr
    >>> from coarsest.logic.parse import parse_expression
    >>> print(at_start(from_expr(parse_expression("O p & G (q -> O p) & Z r"))))
    p & G (!q | O p)
    """
    table = formula.table
    if not formula.traits & PAST:
        return formula
    match formula.op:
        case "and" | "or":
            return table.make(formula.op, tuple(at_start(arg) for arg in formula.args))
        case "Y":
            return table.false
        case "Z":
            return table.true
        case "S" | "T":
            return at_start(formula.args[1])
    return formula
