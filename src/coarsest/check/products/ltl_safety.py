"""LTL safety by reachability: a violation is a finite prefix, after which anything may come.

Reference: Sebastiani, Singerman, Tonetta, Vardi 2004, section 4 (their option -safety); Kupferman, Vardi 2001.
Symbols:   F are the `bad` states of a product: those at bad vertices of an automaton, or those in which a tableau promises
           nothing; E[true U F] is the search.
Invariant: a bad state is reached from a start exactly along prefixes whose every continuation violates the formula (automaton),
           or that tell so by the formula's own rules (tableau; the proof is with the tableau). Every violation has such a prefix.
Deviates:  the search goes forwards, and a bad state counts if a fair path of the system goes on from it. Beside an automaton,
           whether a formula is one of safety is seen from the automaton of its violations where its operators do not show it.
Cost:      reachability on the product.
"""

from __future__ import annotations

from collections.abc import Callable

from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.bdd.transfer import transfer
from coarsest.check.products.ltl import Product, Set, bad_vertices
from coarsest.check.products.stutter import with_stutter
from coarsest.check.setting.arena import Arena
from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.show import show
from coarsest.run import Run
from coarsest.search.paths import path_to
from coarsest.search.reachability import BreadthFirst
from coarsest.search.witness import Path
from coarsest.space.space import StateSpace


def insist_safety(formula: Expr, method: str, run: Run) -> None:
    """Raise Unsupported unless every violation of the formula has a prefix that is one, and the LTL method can tell which."""
    violation = from_expr(formula).negation
    if violation.is_syntactic_guarantee:
        return
    if method == "tableau":
        message = f"with its negations pushed inwards, '{show(formula)}' is not made of X, G and V alone"
        hint = "a tableau tells bad prefixes of no other formulas: leave --safety out, or ask an automaton with --ltl partitioned"
        raise Unsupported(message, formula.span, hint=hint)
    if bad_vertices(ltl_to_buchi(violation, run, smallest=False)) is None:
        message = f"'{show(formula)}' is not a safety formula: some of its violations show only for ever"
        raise Unsupported(message, formula.span, hint="leave --safety out")


def violating_prefix(product: Product, system: Arena[Set], fair: Set, run: Run) -> Callable[[], Path[Set]] | None:
    """A path of the product to a bad state, in a state of the system from which a fair path starts."""
    assert product.bad is not None, "the product tells bad prefixes"
    space = product.space
    (going_on,) = transfer([fair.function], fair.manager, space.manager)
    goal = space.set(going_on) & product.bad
    whole: StateSpace[Set] = with_stutter(space, system) if system.may_be_stuck and system.stuck else space
    rings = BreadthFirst(whole, product.start).meet(goal, run)
    return None if rings is None else lambda: Path(tuple(path_to(whole, rings, goal)))
