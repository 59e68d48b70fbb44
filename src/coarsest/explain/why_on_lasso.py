"""Why a linear formula is true or false at the start of a lasso, in one sentence.

    first.at = looking is true at state 1, and first.at = critical is false from there on

The sentence follows the formula down to conditions on states and names the states that decide. If a part looks back, and its past
differs from one round of the loop to the next, the sentence is about this part as it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Final

from msgspec import Struct

from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Apply, Constant, Expr, subexpressions
from coarsest.logic.operators import BOOLEAN_CONNECTIVES
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import LTL_PAST
from coarsest.model.trace import Trace

MOST_CLAUSES: Final = 4
"""The limit for the clauses of a sentence, since nobody would read more."""

Truth = Callable[[Expr], Sequence[bool]]


class When(Enum):
    """The states that a clause is about."""

    AT = "at"  # the state
    FROM = "from"  # the state and all states after it
    AGAIN = "again"  # the state, which is in the loop
    THROUGH = "through"  # the states from `since` on, up to and including the state


class Clause(Struct, frozen=True):
    """`formula is true at state 3`."""

    formula: Expr
    holds: bool
    when: When
    state: int
    since: int = 0

    def text(self, before: int | None) -> str:
        """In words; `before` is the state that was mentioned last."""
        subject = show(self.formula)
        if self.when is When.FROM and self.state == 0:
            return f"{subject} is {'always' if self.holds else 'never'} true"
        return f"{subject} is {'true' if self.holds else 'false'} {self._when(self.state == before)}"

    def _when(self, there: bool) -> str:  # noqa: FBT001
        match self.when:
            case When.FROM:
                return "from there on" if there else f"from state {self.state} on"
            case When.AGAIN:
                return f"again and again, at state {self.state} of the loop"
            case When.THROUGH if self.since < self.state:
                return f"from state {self.since} to state {self.state}"
            case When.THROUGH if self.since > self.state:
                return f"from state {self.since} on until state {self.state} comes again"
        return "there" if there else f"at state {self.state}"


def why_on_lasso(formula: Expr, trace: Trace, truth: Truth) -> str:
    """The sentence; `truth` gives the truth of a part in each state of the lasso, on its first visit."""
    clauses = decisive_facts(formula, trace, truth)
    shown = []
    before: int | None = None
    for clause in clauses[:MOST_CLAUSES]:
        shown.append(clause.text(before))
        before = clause.state
    if len(clauses) > MOST_CLAUSES:
        shown.append("so on")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])}, and {shown[-1]}"


def decisive_facts(formula: Expr, trace: Trace, truth: Truth) -> list[Clause]:
    """The clauses that make the formula true or false at the start."""
    holds = truth(formula)[0]
    facts = list(dict.fromkeys(_Reasoner(trace, truth).clauses(formula, 0, holds)))
    return facts or [Clause(formula, holds, When.AT, 0)]


class _Reasoner:
    def __init__(self, trace: Trace, truth: Truth) -> None:
        self.trace = trace
        self.truth = truth
        self.loop = trace.loop if trace.loop is not None else len(trace) - 1

    def clauses(self, formula: Expr, at: int, holds: bool) -> Iterator[Clause]:  # noqa: FBT001
        if not is_temporal(formula):
            if not isinstance(formula, Constant):
                yield Clause(formula, holds, When.AT, at)
            return
        assert isinstance(formula, Apply)
        op, args = formula.op, formula.args
        if op in BOOLEAN_CONNECTIVES:
            for arg in self._decisive(formula, at, holds):
                yield from self.clauses(arg, at, self.truth(arg)[at])
        elif op in ("F", "G"):
            yield from self._lasting(args[0], at, holds) if (op == "G") == holds else self._somewhere(args[0], at, holds)
        elif op == "X" and not self._wraps(args[0], at):
            yield from self.clauses(args[0], at + 1 if at + 1 < len(self.trace) else self.loop, holds)
        elif op in ("U", "V"):
            yield from self._until(formula, at, holds)
        elif op in LTL_PAST:
            yield from self._past(formula, at, holds)
        else:
            yield Clause(formula, holds, When.AT, at)

    def _decisive(self, formula: Apply, at: int, holds: bool) -> Sequence[Expr]:  # noqa: FBT001
        """The arguments of a connective that make it true or false; if one is enough, the simplest."""
        args = formula.args
        values = [self.truth(arg)[at] for arg in args]
        enough = {"and": [False] * len(args), "or": [True] * len(args), "implies": [False, True]}.get(formula.op)
        if enough is None or holds != (formula.op != "and"):
            return args
        return [min((arg for arg, value, good in zip(args, values, enough) if value == good), key=is_temporal)]

    def _after(self, at: int) -> list[int]:
        """The states from here on, each once, in the order of their first visit."""
        return [*range(at, len(self.trace)), *range(self.loop, at)]

    def _wraps(self, formula: Expr, at: int) -> bool:
        """Would the next state be visited a second time, by a formula that looks back?"""
        return at + 1 == len(self.trace) and _looks_back(formula)

    def _find(self, formula: Expr, at: int, holds: bool) -> int | None:  # noqa: FBT001
        """The first state from here on in which the formula has this truth."""
        values = self.truth(formula)
        states = range(at, len(self.trace)) if _looks_back(formula) else self._after(at)
        return next((i for i in states if values[i] == holds), None)

    def _somewhere(self, formula: Expr, at: int, holds: bool) -> Iterator[Clause]:  # noqa: FBT001
        state = self._find(formula, at, holds)
        if state is None:
            yield Clause(Apply("F" if holds else "G", (formula,)), holds, When.AT, at)
        else:
            yield from self.clauses(formula, state, holds)

    def _lasting(self, formula: Expr, at: int, holds: bool) -> Iterator[Clause]:  # noqa: FBT001
        """The formula has this truth from here on. If it is about an event that comes, the event comes again and again."""
        coming = "F" if holds else "G"
        if isinstance(formula, Apply) and formula.op == coming and not is_temporal(formula.args[0]):
            values = self.truth(formula.args[0])
            state = next(i for i in range(self.loop, len(self.trace)) if values[i] == holds)
            yield Clause(formula.args[0], holds, When.AGAIN, state)
        else:
            yield Clause(formula, holds, When.FROM, at)

    def _until(self, formula: Apply, at: int, holds: bool) -> Iterator[Clause]:  # noqa: FBT001
        """If p U q is true, q comes. If it is false, q never comes, or p and q are both false before. Release is the dual."""
        p, q = formula.args
        if holds == (formula.op == "U"):  # q has this truth at some time
            state = self._find(q, at, holds)
            if state is None or (state != at and _looks_back(p)):
                yield Clause(formula, holds, When.AT, at)
                return
            yield from self.clauses(q, state, holds)
            if state != at:
                before = state - 1 if state != self.loop or state > at else len(self.trace) - 1
                yield Clause(p, holds, When.THROUGH, before, at)
            return
        state = self._find(p, at, holds)
        if _looks_back(formula):
            yield Clause(formula, holds, When.AT, at)
        elif self._find(q, at, not holds) is None or state is None:
            yield Clause(q, holds, When.FROM, at)
        else:
            yield from self.clauses(p, state, holds)
            yield Clause(q, holds, When.THROUGH, state, at)

    def _past(self, formula: Apply, at: int, holds: bool) -> Iterator[Clause]:  # noqa: FBT001
        """The clauses about earlier states."""
        op, args = formula.op, formula.args
        if op in ("Y", "Z") and at > 0:
            yield from self.clauses(args[0], at - 1, holds)
        elif op in ("O", "H"):
            values = self.truth(args[0])[: at + 1]
            if (op == "H") == holds:
                yield Clause(args[0], holds, When.THROUGH, at)
            else:
                yield from self.clauses(args[0], len(values) - 1 - list(values)[::-1].index(holds), holds)
        else:
            yield Clause(formula, holds, When.AT, at)


def _looks_back(formula: Expr) -> bool:
    return any(isinstance(part, Apply) and part.op in LTL_PAST for part in subexpressions(formula))
