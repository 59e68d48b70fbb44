"""LTL: is there a fair path of the machine that violates the formula?

Reference: Clarke, Grumberg, Hamaguchi 1997 (tableau); Vardi, Wolper 1986 (automaton).
Symbols:   –
Invariant: the fair paths of the product are the fair paths of the machine on which the formula is false.
Deviates:  a machine that can get stuck is continued by repeating its last state, also in the product.
Cost:      reachability and one fair hull, on the product.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from coarsest import tuning
from coarsest.automata.automaton import Automaton
from coarsest.automata.ltl.ltl_tableau_clarke_grumberg_hamaguchi import product_with_tableau
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.automata.strength import terminal_states
from coarsest.automata.tidy import components_of
from coarsest.automata.translate.machine_product import at_states, product_with_automaton
from coarsest.check.products.stutter import with_stutter
from coarsest.check.setting.arena import Arena
from coarsest.logic.expr import Expr
from coarsest.logic.linear.ltl import Ltl
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.fair_states import fair_hull
from coarsest.search.paths import path_to
from coarsest.search.reachability import BreadthFirst, explore
from coarsest.search.witness import Path, fair_lasso
from coarsest.space.bdd.build import build
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.partitioned import PartitionedSet, PartitionedSpace
from coarsest.space.space import S, StateSpace
from coarsest.space.views import RestrictedSpace

Set = SymbolicSet[Any]
Violation = Callable[[], Path[Set]]
"""Finds a violating path, a lasso, where there is one."""


def automaton_if_small(formula: Ltl, run: Run) -> Automaton | None:
    """An automaton for the formula; None if it takes very much work, as a tableau never does."""
    with run.within(work=tuning.WORK_ON_A_SMALL_AUTOMATON, most={"states": tuning.STATES_OF_A_SMALL_AUTOMATON}):
        return ltl_to_buchi(formula, run, smallest=False)
    return None


class Product(Struct, frozen=True):
    """A machine beside what watches it, and the states in which a violating path may begin."""

    space: SymbolicSpace[Any]
    start: Set
    bad: Set | None = None
    """States that every violating path visits, and after which a path from the start violates the formula whatever comes."""


def tableau_product(machine: Machine, violation: Expr | Ltl, options: BuildOptions, run: Run, *, place: str = "auto") -> Product:
    """The product with the tableau of the formula that a violating path satisfies, its variables at a place in the order.

    A guarantee in negation normal form, which the violations of a safety formula satisfy, has bad states.
    """
    tableau = product_with_tableau(machine, violation)
    space = build(tableau.machine, run, _placed(options, tableau.machine, machine, place))
    shows = isinstance(violation, Ltl) and violation.is_syntactic_guarantee
    start = space.initial & space.where(tableau.satisfied)
    return Product(space, start, space.where(tableau.settled) if shows else None)


def automaton_product(
    machine: Machine, violating: Automaton, options: BuildOptions, run: Run, *, place: str = "auto", encoding: str = "binary"
) -> Product:
    """The product with an automaton that accepts the violating paths, encoded in variables that go to a place in the order."""
    one_hot = encoding == "one-hot"
    product = product_with_automaton(machine, violating, one_hot=one_hot)
    space = build(product, run, _placed(options, product, machine, place))
    bad = bad_vertices(violating)
    if bad is None:
        return Product(space, space.initial)
    return Product(space, space.initial, space.where(at_states(sorted(bad), one_hot=one_hot)) if bad else space.empty)


def _placed(options: BuildOptions, product: Machine, machine: Machine, place: str) -> BuildOptions:
    """Options with the variables that the product adds at the top or the bottom of the order, or wherever the order puts them."""
    added = tuple(name for name in product.variables if name not in machine.variables)
    return replace(options, **{place: added}) if place in ("top", "bottom") else options


def violation_in_product(product: Product, system: Arena[Set], run: Run, *, fair_algorithm: str = "auto") -> Violation | None:
    """A fair path of the product, if there is one."""
    whole: StateSpace[Set] = product.space
    if system.may_be_stuck and system.stuck:
        whole = with_stutter(product.space, system)
    reached = explore(whole, run, product.start, search=system.search)
    space = product.space.narrowed(reached) if whole is product.space else RestrictedSpace(whole, reached)
    hull = fair_hull(space, run, reached, fair_algorithm)
    return (lambda: fair_lasso(space, run, product.start, reached, hull)) if hull else None


def violation_in_partition(
    space: PartitionedSpace[S], run: Run, start: S, fair: S, *, reachable: S, fair_algorithm: str = "auto"
) -> Callable[[], Path[S]] | None:
    """The same on sets that are split by the vertices of the automaton; the path is one of the system.

    `fair` are the states of the system from which a fair path starts, `reachable` those that can be reached from `start`: at an
    initial vertex that it need not leave, the automaton can be with all of these. Where every accepting vertex accepts whatever
    comes, as for the violations of a safety formula, it is enough to reach one in a fair state.
    """
    begin = space.at(space.automaton.initial, start)
    first = begin | space.at(_waiting_vertices(space.automaton), reachable)
    bad = bad_vertices(space.automaton)
    if bad is not None and not space.again:
        goal = space.at(bad, fair)
        if BreadthFirst(space, first).meet(goal, run) is None:
            return None
        return lambda: _prefix_and_fair_path(space, run, begin, goal, fair_algorithm=fair_algorithm)
    reached = explore(space, run, first)
    inside = RestrictedSpace(space, reached)
    hull = fair_hull(inside, run, reached & space.at(accepting_vertices(space.automaton), fair), fair_algorithm)

    def lasso() -> Path[S]:
        return of_system(space, fair_lasso(inside, run, begin, reached, hull))

    return lasso if hull else None


def of_system(space: PartitionedSpace[S], path: Path[PartitionedSet[S]]) -> Path[S]:
    """A path of the product as one of the system."""
    return Path(tuple(map(space.of_system, path.states)), path.loop)


def accepting_vertices(automaton: Automaton) -> frozenset[int]:
    """The vertices on accepting cycles: no others are visited for ever."""
    components, _ = components_of(automaton)
    return frozenset(vertex for component in components if component.accepting for vertex in component.states)


def bad_vertices(violating: Automaton) -> frozenset[int] | None:
    """The vertices that accept whatever comes, if no others are needed to accept; None if the automaton does not show safety."""
    accepting = accepting_vertices(violating)
    return accepting if accepting == terminal_states(violating) else None


def _waiting_vertices(automaton: Automaton) -> list[int]:
    """The initial vertices in which the automaton can stay whatever comes."""
    waiting = []
    for vertex in automaton.initial:
        staying = automaton.alphabet.empty
        for guard, _, target in automaton.edges[vertex]:
            staying = staying | guard if target == vertex else staying
        if staying == automaton.alphabet.full:
            waiting.append(vertex)
    return waiting


def _prefix_and_fair_path(
    space: PartitionedSpace[S], run: Run, begin: PartitionedSet[S], goal: PartitionedSet[S], *, fair_algorithm: str
) -> Path[S]:
    """The shortest way to the goal, which can be reached, and a fair path from there."""
    rings = BreadthFirst(space, begin).meet(goal, run)
    assert rings is not None, "the goal can be reached"
    prefix = [space.of_system(state) for state in path_to(space, rings, goal)]
    system = space.system
    hull = fair_hull(system, run, system.states, fair_algorithm)
    return fair_lasso(system, run, prefix[-1], system.states, hull).after(prefix)
