"""CTL under fairness, by fixpoints on sets of states.

Reference: Clarke, Emerson, Sistla 1986; Burch, Clarke, McMillan, Dill, Hwang 1992, section 4; fairness as in Clarke, Grumberg,
           Peled 1999, section 6.3.
Symbols:   –
Invariant: `satisfying(f)` holds exactly the states of the space that satisfy f over its fair paths.
Deviates:  the space may be limited to reachable states beforehand; untils are computed by chaining.
Cost:      one fixpoint per temporal operator; under fairness EG takes nested ones. Shared subformulas are computed once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, reduce
from typing import Generic

from coarsest.errors import InputError
from coarsest.logic.branching.ctl import bounds, is_temporal
from coarsest.logic.expr import Apply, Expr
from coarsest.run import Run
from coarsest.search.fair_states import fair_hull
from coarsest.search.until import until
from coarsest.space.space import S, StateSpace


class CtlFixpoints(Generic[S]):
    """The states that satisfy CTL formulas. If the relation is not `total`, only states on infinite paths count as fair."""

    def __init__(self, space: StateSpace[S], run: Run, *, fair_algorithm: str = "auto", total: bool = True) -> None:
        self.space, self.run, self.total, self.fair_algorithm = space, run, total, fair_algorithm
        self._known: dict[int, tuple[Expr, S]] = {}
        self._fixpoints: list[tuple[S | None, S, S]] = []
        """Untils, by what they lead through and to, and hulls of regions: formulas have parts in common, and so has evidence."""

    @cached_property
    def fair(self) -> S:
        """The states from which a fair path starts."""
        fairness = self.space.fairness
        if self.total and not fairness.justice and not fairness.compassion:
            return self.space.states
        return until(self.space, self.run, self.space.states, self.hull(self.space.states))

    def is_settled(self, formula: Expr) -> bool:
        """Have the states been computed in which the formula is true?"""
        return id(formula) in self._known

    def satisfying(self, formula: Expr) -> S:
        """The states in which the formula is true."""
        known = self._known.get(id(formula))
        if known is None:
            known = self._known[id(formula)] = formula, self._compute(formula)
        return known[1]

    def _compute(self, formula: Expr) -> S:
        if not is_temporal(formula):
            return self.space.where(formula)
        assert isinstance(formula, Apply)
        op, args = formula.op, formula.args
        if op in ("ABF", "ABG", "EBF", "EBG", "ABU", "EBU"):
            return self._bounded(formula)
        sets = [self.satisfying(arg) for arg in args]
        match op, sets:
            case "not", [p]:
                return self.complement(p)
            case "and", _:
                return reduce(lambda a, b: a & b, sets)
            case "or", _:
                return reduce(lambda a, b: a | b, sets)
            case "implies", [p, q]:
                return self.complement(p) | q
            case "iff" | "xnor", [p, q]:
                return (p & q) | self.complement(p | q)
            case "xor", [p, q]:
                return (p - q) | (q - p)
            case "EX", [p]:
                return self.some_next(p)
            case "AX", [p]:
                return self.complement(self.some_next(self.complement(p)))
            case "EF", [p]:
                return self.some_until(self.space.states, p)
            case "AG", [p]:
                return self.complement(self.some_until(self.space.states, self.complement(p)))
            case "EG", [p]:
                return self.some_always(p)
            case "AF", [p]:
                return self.complement(self.some_always(self.complement(p)))
            case "EU", [p, q]:
                return self.some_until(p, q)
            case "AU", [p, q]:
                not_q = self.complement(q)
                return self.complement(self.some_until(not_q, not_q - p) | self.some_always(not_q))
        raise InputError(f"'{op}' is not an operator of CTL", formula.span)

    def holds_from(self, start: S, formula: Expr) -> bool:
        """Is the formula true in all states of `start`, from which every state of the space can be reached?

        Then AG p says that p is true in all states on fair paths, and needs no fixpoint.
        """
        match formula:
            case Apply("AG", (p,)):
                return self.fair <= self.satisfying(p)
            case Apply("and", args):
                return all(self.holds_from(start, arg) for arg in args)
        return start <= self.satisfying(formula)

    def complement(self, states: S) -> S:
        return self.space.states - states

    def for_all_inputs(self, states: S) -> S:
        """The value of a path quantifier, from the states where a path begins; where states carry inputs, these are forgotten."""
        return states

    def some_next(self, p: S) -> S:
        """EX p."""
        return self.for_all_inputs(self.space.pre(p & self.fair))

    def some_until(self, through: S, goal: S) -> S:
        """E[through U goal]."""
        fair_goal = goal & self.fair
        return self.for_all_inputs(self._once(through, fair_goal, lambda: until(self.space, self.run, through, fair_goal)))

    def some_always(self, p: S) -> S:
        """EG p."""
        hull = self.hull(p)
        return self.for_all_inputs(self._once(p, hull, lambda: until(self.space, self.run, p, hull)))

    def hull(self, region: S) -> S:
        """The states of a region among which all its fair cycles run."""
        return self._once(None, region, lambda: fair_hull(self.space, self.run, region, self.fair_algorithm))

    def _once(self, through: S | None, goal: S, compute: Callable[[], S]) -> S:
        for earlier, to, fixpoint in self._fixpoints:
            if (earlier is None) == (through is None) and goal == to and through == earlier:
                return fixpoint
        self._fixpoints.append((through, goal, compute()))
        return self._fixpoints[-1][-1]

    def _bounded(self, formula: Apply) -> S:
        low, high = bounds(formula)
        op = formula.op
        sets = [self.satisfying(arg) for arg in formula.args[2:]]
        wanted = sets if op[0] == "E" else [self.complement(s) for s in sets]
        if op in ("EBF", "ABG"):
            found = self._within_bounds(self.space.states, wanted[0], low, high)
        elif op == "EBU":
            found = self._within_bounds(wanted[0], wanted[1], low, high)
        elif op in ("EBG", "ABF"):
            found = self._lasting(wanted[0], low, high)
        else:
            found = self._avoiding(wanted[0], wanted[1], low, high)
        found = self.for_all_inputs(found)
        return found if op[0] == "E" else self.complement(found)

    def _within_bounds(self, through: S, goal: S, low: int, high: int) -> S:
        """E[through BU low..high goal]: the goal after at least `low` and at most `high` steps."""
        pre = self.space.pre
        near = self._repeated(lambda reached: reached | (through & pre(reached)), goal & self.fair, high - low)
        return self._repeated(lambda reached: through & pre(reached), near, low)

    def _lasting(self, p: S, low: int, high: int) -> S:
        """EBG low..high p: on some fair path, p at every step from `low` to `high`."""
        pre = self.space.pre
        lasting = self._repeated(lambda kept: p & pre(kept), p & self.fair, high - low)
        return self._repeated(pre, lasting, low)

    def _avoiding(self, not_p: S, not_q: S, low: int, high: int) -> S:
        """Not A[p BU low..high q]: on some fair path q comes nowhere between the bounds while p lasts."""
        pre, ended = self.space.pre, not_p & self.fair
        avoiding = self._repeated(lambda later: (ended | pre(later)) & not_q, not_q & self.fair, high - low)
        return self._repeated(lambda later: ended | pre(later), avoiding, low)

    def _repeated(self, step: Callable[[S], S], states: S, times: int) -> S:
        """What is left after so many steps: sets return sooner or later, and then only the rest of the period is walked.

        Brent 1980: the set to compare with is changed after 1, 2, 4, … steps.
        """
        mark, patience, since = states, 1, 0
        while times:
            self.run.step("bounded", left=times)
            earlier, states = states, step(states)
            times, since = times - 1, since + 1
            if states == earlier:
                break
            if states == mark:
                times %= since
            elif since == patience:
                mark, patience, since = states, 2 * patience, 0
        return states
