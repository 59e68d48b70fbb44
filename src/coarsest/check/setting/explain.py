"""Why a CTL formula is true or false in a state: tree-shaped evidence.

Reference: Clarke, Grumberg, McMillan, Zhao 1995; Shoham, Grumberg 2003 for evidence that branches.
Symbols:   –
Invariant: an explanation is built only for a state in which the formula has the value explained.
Deviates:  a claim about all paths is not unfolded: it rests on the fixpoint, and says so.
Cost:      one path search per explained operator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic

from coarsest.check.setting.ctl import CtlOnStates
from coarsest.evidence.explanation import Explanation
from coarsest.logic.branching.ctl import bounds, is_temporal
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.show import show
from coarsest.model.trace import Trace
from coarsest.search.witness import Path, fair_lasso, shortest
from coarsest.space.space import S

LONGEST_PATH: Final = 10_000
"""A longer path is not listed for a bounded operator."""

Parts = Sequence[tuple[int, Explanation]]


class Explainer(Generic[S]):
    """Explains formulas that a checker has evaluated."""

    def __init__(self, checker: CtlOnStates[S], as_trace: Callable[[Path[S]], Trace]) -> None:
        self.checker = checker
        self.space = checker.space
        self.run = checker.run
        self.as_trace = as_trace
        self._backwards = not checker.arena.exact  # the way in which the formula was evaluated

    def explain(self, state: S, formula: Expr) -> Explanation:
        """Why the formula is true, or false, in the state."""
        holds = bool(state & self.checker.satisfying(formula))
        if not is_temporal(formula):
            return self._here(state, formula, holds, f"{show(formula)} is {_word(holds)} here")
        assert isinstance(formula, Apply)
        op = formula.op
        if op in ("not", "and", "or", "implies", "iff", "xnor", "xor"):
            return self._connective(state, formula, holds)
        if (op[0] == "E") == holds:
            return self._shown_by_path(self.checker.arena.forget(state), formula, holds)
        quantity = "every path" if op[0] == "A" else "no path"
        because = f"on {quantity} from here: {show(formula)} is {_word(holds)}"
        return Explanation(formula, holds, because, self._trace([state]), complete=False)

    def _here(self, state: S, formula: Expr, holds: bool, because: str, parts: Parts = ()) -> Explanation:  # noqa: FBT001
        return Explanation(formula, holds, because, self._trace([state]), tuple(parts))

    def _trace(self, states: Sequence[S], loop: int | None = None) -> Trace:
        return self.as_trace(Path(tuple(states), loop))

    def _connective(self, state: S, formula: Apply, holds: bool) -> Explanation:  # noqa: FBT001
        """One part that decides where one does; all of them where all are needed."""
        decisive = {"and": False, "or": True}
        args = formula.args
        values = [bool(state & self.checker.satisfying(arg)) for arg in args]
        reasons: Sequence[Expr] = args
        if formula.op in decisive and holds == decisive[formula.op]:
            reasons = [min((arg for arg, value in zip(args, values) if value == holds), key=is_temporal)]
        elif formula.op == "implies" and holds:
            reasons = args[1:] if values[0] else args[:1]
        parts = [(0, self.explain(state, arg)) for arg in reasons]
        because = " and ".join(f"{show(part.formula)} is {_word(part.holds)}" for _, part in parts)
        return self._here(state, formula, holds, f"{because} here", parts)

    # Operators that one path shows: existential ones that hold, universal ones that fail

    def _shown_by_path(self, start: S, formula: Apply, holds: bool) -> Explanation:  # noqa: FBT001
        op = formula.op
        if op in ("ABF", "ABG", "EBF", "EBG", "ABU", "EBU"):
            return self._bounded(start, formula, holds)
        sets = [self.checker.satisfying(arg) for arg in formula.args]
        sets = sets if holds else [self.checker.complement(s) for s in sets]
        match op:
            case "EX" | "AX":
                return self._one_step(start, formula, sets[0], holds)
            case "EF" | "AG":
                return self._reaching(start, formula, self.space.states, sets[0], holds)
            case "EU":
                return self._reaching(start, formula, sets[0], sets[1], holds)
            case "EG" | "AF":
                return self._lasting(start, formula, sets[0], holds)
        # A[p U q] fails: q never comes, or p ends before q comes
        not_p, not_q = sets
        if start & self.checker.some_until(not_q, not_p & not_q):
            return self._reaching(start, formula, not_q, not_p & not_q, holds)
        return self._lasting(start, formula, not_q, holds)

    def _one_step(self, start: S, formula: Apply, goal: S, holds: bool) -> Explanation:  # noqa: FBT001
        goal = goal & self.checker.fair
        here = self.space.pick(start & self.space.pre(goal))
        after = self.space.pick(self.space.post(here) & goal)
        part = self.explain(after, formula.args[0])
        because = f"a step leads to a state where {show(part.formula)} is {_word(part.holds)}"
        return Explanation(formula, holds, because, self._trace([here, after]), ((1, part),))

    def _reaching(self, start: S, formula: Apply, through: S, goal: S, holds: bool) -> Explanation:  # noqa: FBT001
        path = shortest(self.space, self.run, start, through, goal & self.checker.fair, backwards=self._backwards)
        last = len(path) - 1
        parts = [(last, self.explain(path[-1], arg)) for arg in (formula.args if not holds else formula.args[-1:])]
        along = {"EU": formula.args[0], "AU": formula.args[-1]}.get(formula.op)
        if along is not None and is_temporal(along):
            parts = [(i, self.explain(state, along)) for i, state in enumerate(path[:-1])] + parts
        goals = " and ".join(f"{show(part.formula)} is {_word(part.holds)}" for position, part in parts if position == last)
        because = f"after {_steps(last)}, {goals}" if last else f"{goals} here"
        return Explanation(formula, holds, because, self._trace(path), tuple(parts))

    def _lasting(self, start: S, formula: Apply, region: S, holds: bool) -> Explanation:  # noqa: FBT001
        hull = self.checker.hull(region)
        lasso = fair_lasso(self.space, self.run, start & region, region, hull, backwards=self._backwards)
        subject = formula.args[-1]
        parts: Parts = ()
        if is_temporal(subject):
            parts = [(i, self.explain(state, subject)) for i, state in enumerate(lasso.states)]
        because = f"on this path {show(subject)} is always {_word(holds)}"
        return Explanation(formula, holds, because, self.as_trace(lasso), tuple(parts))

    def _bounded(self, start: S, formula: Apply, holds: bool) -> Explanation:  # noqa: FBT001
        """A path along the stages of the bounded fixpoint."""
        low, high = bounds(formula)
        sets = [self.checker.satisfying(arg) for arg in formula.args[2:]]
        sets = sets if holds else [self.checker.complement(s) for s in sets]
        if formula.op in ("EBF", "ABG", "EBU"):
            through = sets[0] if formula.op == "EBU" else self.space.states
            high = min(high, low + self._distance(through, sets[-1], high - low))
        if high > LONGEST_PATH:
            because = f"a path of up to {high} steps shows it, too long to be listed"
            return Explanation(formula, holds, because, self._trace([self.space.pick(start)]), complete=False)
        stages = self._stages(formula.op, sets, low, high)
        path = [self.space.pick(start & stages[0])]
        for stage in stages[1:]:
            if self._shows_already(formula.op, len(path) - 1, path[-1], sets, low):
                break
            path.append(self.space.pick(self.space.post(path[-1]) & stage))
        because = f"this path of {_steps(len(path) - 1)} shows it"
        parts = [(i, self.explain(state, arg)) for i, state in enumerate(path) for arg in formula.args[2:] if is_temporal(arg)]
        return Explanation(formula, holds, because, self._trace(path), tuple(parts))

    def _distance(self, through: S, goal: S, most: int) -> int:
        """The number of steps backwards from the goal after which nothing new is reached, or `most`."""
        reached, distance = goal & self.checker.fair, 0
        while distance < most:
            self.run.step("explain", distance=distance)
            grown = reached | (through & self.space.pre(reached))
            if grown == reached:
                break
            reached, distance = grown, distance + 1
        return distance

    def _stages(self, op: str, sets: Sequence[S], low: int, high: int) -> list[S]:
        """stages[i]: the states that can stand at position i of a path that shows the claim."""
        fair = self.checker.fair
        every = self.space.states
        stages: list[S] = []
        later = self.space.empty
        for position in range(high, -1, -1):
            step = self.space.pre(later) if position < high else every
            if op in ("EBF", "ABG", "EBU"):  # reach the goal between the bounds
                through = sets[0] if op == "EBU" else every
                goal = sets[-1] & fair if position >= low else self.space.empty
                here = goal | (through & step if position < high else self.space.empty)
            elif op in ("EBG", "ABF"):  # stay between the bounds
                here = (sets[0] if position >= low else every) & (step if position < high else fair)
            else:  # A[p BU q] fails: q comes nowhere between the bounds while p lasts
                not_p, not_q = sets
                if position < low:
                    here = (not_p & fair) | step
                else:
                    here = not_q & ((not_p & fair) | step) if position < high else not_q & fair
            stages.append(here)
            later = here
        return stages[::-1]

    def _shows_already(self, op: str, position: int, state: S, sets: Sequence[S], low: int) -> bool:
        """Does the path show the claim already?"""
        if op in ("EBF", "ABG", "EBU"):
            return position >= low and bool(state & sets[-1] & self.checker.fair)
        if op == "ABU":
            not_p, not_q = sets
            return bool(state & not_p & self.checker.fair) and (position < low or bool(state & not_q))
        return False


def _word(holds: bool) -> str:  # noqa: FBT001
    return "true" if holds else "false"


def _steps(count: int) -> str:
    return f"{count} step{'' if count == 1 else 's'}"
