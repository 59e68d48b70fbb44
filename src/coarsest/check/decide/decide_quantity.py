"""COMPUTE MIN and MAX: a number instead of a verdict."""

from __future__ import annotations

from msgspec import Struct

from coarsest.check.setting.context import Context, Decision
from coarsest.check.setting.hollow import warn_of_dead_ends, warn_of_unfair_start
from coarsest.errors import InputError
from coarsest.evidence.verdict import Holds
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.show import show
from coarsest.search.quantities import fewest_steps, most_steps


class Quantity(Struct, frozen=True):
    """The answer to a COMPUTE specification."""

    summary: str


def decide_quantity(context: Context, formula: Expr) -> Decision:
    """The fewest or the most steps from states with p to states with q, over reachable states on fair paths."""
    if not (isinstance(formula, Apply) and formula.op in ("MIN", "MAX")):
        raise InputError("COMPUTE takes MIN [p, q] or MAX [p, q]", formula.span)
    setting = context.setting([formula])
    warn_of_dead_ends(context, setting)
    warn_of_unfair_start(context, setting)
    checker, space = setting.ctl, setting.arena.space
    start, goal = (checker.satisfying(arg) & checker.fair for arg in formula.args)
    if not start:
        unfair = checker.satisfying(formula.args[0])
        where = "no fair path starts in a reachable state with" if unfair else "no reachable state has"
        return Decision(Holds(Quantity(f"{where} {show(formula.args[0])}")), facts={"value": "undefined"})
    if formula.op == "MIN":
        steps = fewest_steps(space, context.run, start, goal)
        found = "no path leads there" if steps is None else f"the shortest path takes {steps} step{'s' * (steps != 1)}"
    else:
        steps = most_steps(space, context.run, start, goal, checker.fair)
        found = "some path never gets there" if steps is None else f"the longest path takes {steps} step{'s' * (steps != 1)}"
    return Decision(Holds(Quantity(found)), facts={"value": "infinity" if steps is None else steps})
