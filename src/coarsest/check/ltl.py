"""LTL: is there a fair path of the machine that violates the formula?

Reference: Clarke, Grumberg, Hamaguchi 1997 (tableau); Vardi, Wolper 1986 (automaton).
Symbols:   –
Invariant: the fair paths of the product are the fair paths of the machine on which the formula is false.
Deviates:  a machine that can get stuck is continued by repeating its last state, also in the product.
Cost:      reachability and one fair hull, on the product.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from coarsest.automata.ltl_tableau_clarke_grumberg_hamaguchi import product_with_tableau
from coarsest.automata.machine_product import product_with_automaton
from coarsest.automata.strength import terminal_states
from coarsest.automata.tidy import components_of
from coarsest.check.arena import Arena
from coarsest.check.fair_states import fair_hull
from coarsest.check.paths import path_to
from coarsest.check.reachability import BreadthFirst, explore
from coarsest.check.stutter import with_stutter
from coarsest.check.witness import Path, fair_lasso
from coarsest.logic.expr import Expr
from coarsest.model.automaton import Automaton
from coarsest.model.machine import Machine
from coarsest.run import Run
from coarsest.system.build import BuildOptions, build
from coarsest.system.partitioned import PartitionedSet, PartitionedSpace
from coarsest.system.reachable import Reachable
from coarsest.system.space import StateSpace
from coarsest.system.symbolic import SymbolicSet, SymbolicSpace
from coarsest.system.views import Within

Set = SymbolicSet[Any]


@dataclass(frozen=True, slots=True)
class Product:
    """A machine beside what watches it, and the states in which a violating path may begin."""

    space: SymbolicSpace[Any]
    start: Set


def tableau_product(machine: Machine, violation: Expr, options: BuildOptions, run: Run) -> Product:
    """The product with the tableau of the formula that a violating path satisfies."""
    product, satisfied = product_with_tableau(machine, violation)
    space = build(product, run, options)
    return Product(space, space.initial & space.where(satisfied))


def automaton_product(
    machine: Machine, violating: Automaton, options: BuildOptions, run: Run, *, place: str = "auto", encoding: str = "binary"
) -> Product:
    """The product with an automaton that accepts the violating paths, encoded in variables that go to a place in the order."""
    product = product_with_automaton(machine, violating, one_hot=encoding == "one-hot")
    added = tuple(name for name in product.variables if name not in machine.variables)
    if place == "top":
        options = replace(options, top=added)
    elif place == "bottom":
        options = replace(options, bottom=added)
    space = build(product, run, options)
    return Product(space, space.initial)


def violating_lasso(
    product: Product, system: Arena, run: Run, *, fair_algorithm: str = "auto"
) -> Path[Set] | None:
    """A fair path of the product, if there is one."""
    whole: StateSpace[Set] = product.space
    if system.may_be_stuck and system.stuck:
        whole = with_stutter(product.space, system)
    reached = explore(whole, run, product.start)
    space = Reachable(whole, reached) if isinstance(whole, SymbolicSpace) else Within(whole, reached)
    hull = fair_hull(space, run, reached, fair_algorithm)
    if not hull:
        return None
    return fair_lasso(space, run, product.start, reached, hull)


def partitioned_lasso(
    space: PartitionedSpace[Set], run: Run, start: Set, fair: Set, *, fair_algorithm: str = "auto"
) -> Path[Set] | None:
    """The same on sets that are split by the vertices of the automaton; the path is one of the system.

    `fair` are the states of the system from which a fair path starts. Where every accepting vertex accepts whatever comes, as for
    the violations of a safety formula, reaching one in a fair state is enough.
    """
    begin = space.at(space.automaton.initial, start)
    accepting_all = _accepting_whatever_comes(space.automaton)
    if accepting_all is not None:
        return _prefix_and_fair_path(space, run, begin, accepting_all, fair, fair_algorithm=fair_algorithm)
    reached = explore(space, run, begin)
    inside = Within(space, reached)
    hull = fair_hull(inside, run, reached, fair_algorithm)
    if not hull:
        return None
    lasso = fair_lasso(inside, run, begin, reached, hull)
    return Path(tuple(space.of_system(state) for state in lasso.states), lasso.loop)


def _accepting_whatever_comes(automaton: Automaton) -> frozenset[int] | None:
    """The vertices of accepting components, if each of them accepts every word from there on."""
    found, _ = components_of(automaton)
    accepting = {vertex for component in found if component.accepting for vertex in component.states}
    terminal = terminal_states(automaton)
    return terminal if terminal == accepting else None


def _prefix_and_fair_path(
    space: PartitionedSpace[Set], run: Run, begin: PartitionedSet[Set], goals: frozenset[int], fair: Set, *, fair_algorithm: str
) -> Path[Set] | None:
    goal = space.at(goals, fair)
    rings = BreadthFirst(space, begin).meet(goal, run)
    if rings is None:
        return None
    prefix = [space.of_system(state) for state in path_to(space, rings, goal)]
    system = space.system
    hull = fair_hull(system, run, system.states, fair_algorithm)
    rest = fair_lasso(system, run, prefix[-1], system.states, hull)
    assert rest.loop is not None
    return Path((*prefix, *rest.states[1:]), rest.loop + len(prefix) - 1)
