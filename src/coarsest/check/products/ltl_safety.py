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

from collections.abc import Callable, Sequence
from typing import Any

from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.bdd.transfer import transfer
from coarsest.check.products.ltl import Product, Set, bad_vertices
from coarsest.check.products.stutter import with_stutter
from coarsest.check.setting.arena import Arena
from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.show import show
from coarsest.reduce.symmetry.group.movers import Mover, mover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.group.verify import Verifier
from coarsest.reduce.symmetry.symmetry_mc_barner_grumberg import symmetry_mc
from coarsest.run import Run
from coarsest.search.paths import path_to
from coarsest.search.reachability import BreadthFirst
from coarsest.search.witness import Path
from coarsest.space.space import StateSpace


def require_safety(formula: Expr, method: str, run: Run) -> None:
    """Raise Unsupported unless every violation of the formula has a prefix that is one, and the LTL method can tell which."""
    violation = from_expr(formula).negation
    if violation.is_syntactic_guarantee:
        return
    if method == "tableau":
        message = f"with its negations pushed inwards, '{show(formula)}' is not made of X, G and V alone"
        hint = "a tableau has bad prefixes for these alone: leave --safety out, or use an automaton with --ltl partitioned"
        raise Unsupported(message, formula.span, hint=hint)
    if bad_vertices(ltl_to_buchi(violation, run, smallest=False)) is None:
        message = f"'{show(formula)}' is not a safety formula: some violations show only in infinitely many steps"
        raise Unsupported(message, formula.span, hint="leave --safety out")


def violating_prefix(
    product: Product, system: Arena[Set], fair: Set, run: Run, *, symmetries: Sequence[Permutation] = ()
) -> Callable[[], Path[Set]] | None:
    """A path of the product to a bad state, in a state of the system from which a fair path starts.

    Symmetries of the system that keep what the watcher reads are symmetries of the product: Barner, Grumberg 2003, lemma 6.2.
    Then representatives are searched. Whether they do is verified on the product.
    """
    assert product.bad is not None, "the product tells bad prefixes"
    space = product.space
    (going_on,) = transfer([fair.function], fair.manager, space.manager)
    goal = space.set(going_on) & product.bad
    whole: StateSpace[Set] = with_stutter(space, system) if system.may_be_stuck and system.stuck else space
    movers = [move for one in symmetries if (move := _symmetry(space, one, [product.start, goal], run)) is not None]
    if movers:
        path = symmetry_mc(whole, goal, movers, run, start=product.start).path
        return None if path is None else lambda: Path(path)
    rings = BreadthFirst(whole, product.start).meet(goal, run)
    return None if rings is None else lambda: Path(tuple(path_to(whole, rings, goal)))


def _symmetry(space: Any, one: Permutation, sets: Sequence[Set], run: Run) -> Mover[Set] | None:
    """What a permutation does to sets, if it is a symmetry of the space and keeps some sets."""
    move = mover(space, one)
    return move if all(move(states) == states for states in sets) and Verifier(space, run).verify(one).is_symmetry else None
