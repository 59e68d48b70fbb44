"""LTL safety by reachability: a violation is a finite prefix, after which anything may come.

Reference: Sebastiani, Singerman, Tonetta, Vardi 2004, section 4 (their option -safety); Kupferman, Vardi 2001.
Symbols:   F is `bad_vertices`; E[true U F] is the search.
Invariant: the automaton is in a bad vertex exactly after a prefix whose every continuation violates the formula.
Deviates:  the search goes forwards, and a bad vertex counts in states from which a fair path goes on; whether a formula is one of
           safety is seen from the automaton of its violations, not from its operators.
Cost:      reachability on the product.
"""

from __future__ import annotations

from collections.abc import Callable

from coarsest.automata.machine_product import at_states
from coarsest.automata.strength import terminal_states
from coarsest.bdd.transfer import transfer
from coarsest.check.arena import Arena
from coarsest.check.ltl import Product, Set, accepting_vertices
from coarsest.check.paths import path_to
from coarsest.check.reachability import BreadthFirst
from coarsest.check.stutter import with_stutter
from coarsest.check.witness import Path
from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr
from coarsest.logic.show import show
from coarsest.model.automaton import Automaton
from coarsest.run import Run
from coarsest.system.space import StateSpace


def bad_vertices(violating: Automaton) -> frozenset[int] | None:
    """The vertices that accept whatever comes, if no others are needed to accept; None if the automaton does not show safety."""
    accepting = accepting_vertices(violating)
    return accepting if accepting == terminal_states(violating) else None


def insist_safety(formula: Expr, violating: Automaton) -> None:
    """Raise Unsupported unless every violation of the formula has a prefix that is one."""
    if bad_vertices(violating) is None:
        message = f"'{show(formula)}' is not a safety formula: some of its violations show only for ever"
        raise Unsupported(message, formula.span, hint="leave --safety out")


def violating_prefix(
    product: Product, violating: Automaton, system: Arena, fair: Set, run: Run, *, one_hot: bool
) -> Callable[[], Path[Set]] | None:
    """A path of the product to a bad vertex, in a state of the system from which a fair path starts."""
    space = product.space
    (going_on,) = transfer([fair.function], fair.manager, space.manager)
    bad = bad_vertices(violating) or frozenset()
    goal = space.set(going_on) & space.where(at_states(sorted(bad), one_hot=one_hot)) if bad else space.empty
    whole: StateSpace[Set] = with_stutter(space, system) if system.may_be_stuck and system.stuck else space
    rings = BreadthFirst(whole, product.start).meet(goal, run)
    return None if rings is None else lambda: Path(tuple(path_to(whole, rings, goal)))
