"""LTL: is there a fair path of the machine that violates the formula?

Reference: Clarke, Grumberg, Hamaguchi 1997 (tableau); Vardi, Wolper 1986 (automaton).
Symbols:   –
Invariant: the fair paths of the product are the fair paths of the machine on which the formula is false.
Deviates:  a machine that can get stuck is continued by repeating its last state, also in the product.
Cost:      reachability and one fair hull, on the product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coarsest.automata.ltl_tableau_clarke_grumberg_hamaguchi import product_with_tableau
from coarsest.automata.machine_product import product_with_automaton
from coarsest.check.arena import Arena
from coarsest.check.fair_states import fair_hull
from coarsest.check.reachability import explore
from coarsest.check.stutter import with_stutter
from coarsest.check.witness import Path, fair_lasso
from coarsest.logic.expr import Expr
from coarsest.model.automaton import Automaton
from coarsest.model.machine import Machine
from coarsest.run import Run
from coarsest.system.build import BuildOptions, build
from coarsest.system.partitioned import PartitionedSpace
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


def automaton_product(machine: Machine, violating: Automaton, options: BuildOptions, run: Run) -> Product:
    """The product with an automaton that accepts the violating paths."""
    space = build(product_with_automaton(machine, violating), run, options)
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
    space: PartitionedSpace[Set], run: Run, start: Set, *, fair_algorithm: str = "auto"
) -> Path[Set] | None:
    """The same on sets that are split by the vertices of the automaton; the path is one of the system."""
    begin = space.at(space.automaton.initial, start)
    reached = explore(space, run, begin)
    inside = Within(space, reached)
    hull = fair_hull(inside, run, reached, fair_algorithm)
    if not hull:
        return None
    lasso = fair_lasso(inside, run, begin, reached, hull)
    return Path(tuple(space.of_system(state) for state in lasso.states), lasso.loop)
