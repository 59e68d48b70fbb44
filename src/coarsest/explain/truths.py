"""The truth of a property's parts along a trace, as the interpreter computes it, or as an explanation claims it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from coarsest.evidence.explanation import Explanation
from coarsest.evidence.reading import TruthRow
from coarsest.evidence.replay.lasso import truth_along
from coarsest.explain.reasons import Reason, unfold
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Apply, Constant, Expr, subexpressions
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import CTL_OPERATORS, LTL_OPERATORS, PSL_OPERATORS, TEMPORAL_OPERATORS
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.model.parts.watch import looks_ahead
from coarsest.model.trace import Trace

if TYPE_CHECKING:
    from coarsest.logic.psl.psl import Psl

MOST_ROWS: Final = 14


def _operators(formula: Expr) -> set[str]:
    return {part.op for part in subexpressions(formula) if isinstance(part, Apply)}


def is_linear(formula: Expr) -> bool:
    return not (_operators(formula) & TEMPORAL_OPERATORS) - LTL_OPERATORS


class TraceTruths:
    """The truth of formulas in the states of one trace."""

    def __init__(self, trace: Trace, interpreter: Interpreter) -> None:
        self.trace = trace
        self.interpreter = interpreter
        self._truths: dict[Expr, list[bool]] = {}

    def along(self, formula: Expr) -> list[bool]:
        if formula not in self._truths:
            self._truths[formula] = truth_along(formula, self.trace, self.interpreter)
        return self._truths[formula]

    def _condition(self, formula: Expr) -> tuple[bool | None, ...]:
        """The truth in each state; None if it depends on a variable that was left out, or on a step that does not exist."""
        needed = self.interpreter.machine.variables_of(formula)
        ahead = looks_ahead(self.interpreter.machine, formula)
        values: list[bool | None] = []
        for k, state in enumerate(self.trace.states):
            given = self.trace.inputs[k] if k < len(self.trace.inputs) else {}
            after = self.trace.arrivals[k] if k < len(self.trace.arrivals) else None
            decidable = needed <= state.keys() | given.keys() and not (ahead and after is None)
            values.append(self.interpreter.satisfies(formula, state, given, after) if decidable else None)
        return tuple(values)

    def of_lasso(self, formula: Expr) -> list[TruthRow]:
        """A row for each condition and each linear part."""
        rows = []
        for part in _parts(formula):
            if not is_temporal(part) and not _has_sequences(part):
                rows.append(TruthRow(show(part), self._condition(part)))
            elif is_linear(part) and not _has_sequences(part):
                rows.append(TruthRow(show(part), tuple(self.along(part))))
        return _readable(rows)

    def of_conditions(self, conditions: Iterable[Expr]) -> list[TruthRow]:
        """A row for each condition, unless there are too many to read."""
        return _readable([TruthRow(show(part), self._condition(part)) for part in conditions])

    def of_psl(self, formula: Psl) -> list[TruthRow]:
        """A row for each condition, including those in sequences, and for each formula made of conditions."""
        from coarsest.evidence.replay.psl_on_lasso import PslOnLasso
        from coarsest.logic.psl import psl
        from coarsest.logic.psl.show_psl import show_psl

        lasso = PslOnLasso(self.trace, self.interpreter)
        conditions = [part for part in psl.conditions(formula) if not isinstance(part, Constant)]
        rows = [TruthRow(show(part), self._condition(part)) for part in conditions]
        for part in reversed(list(psl.subformulas(formula))):
            if not isinstance(part, psl.Atom | psl.Not):
                rows.append(TruthRow(show_psl(part), tuple(lasso.truth(part))))
        return _readable(rows)

    def of_explanation(self, explanation: Explanation) -> list[TruthRow]:
        """A row for each condition, and a row for each temporal part that the explanation is about."""
        claims = list(unfold(explanation).on_the_same_path())
        rows = []
        for part in _parts(explanation.formula):
            if is_temporal(part):
                values = self._claimed(part, claims)
                if any(value is not None for value in values):
                    rows.append(TruthRow(show(part), values))
            else:
                rows.append(TruthRow(show(part), self._condition(part)))
        return _readable(rows) if len(self.trace) > 1 else []

    def _claimed(self, formula: Expr, reasons: Sequence[Reason]) -> tuple[bool | None, ...]:
        values: list[bool | None] = [None] * len(self.trace)
        for reason in reasons:
            if reason.claim.formula == formula and not self._rests_on_other_inputs(reason):
                for k in self._reach(reason):
                    values[k] = reason.claim.holds
        return tuple(values)

    def _rests_on_other_inputs(self, reason: Reason) -> bool:
        """Does the trace of a claim end in a state, with inputs, from which the path continues with other inputs?"""
        claim = reason.claim
        if not claim.complete or not isinstance(claim.formula, Apply) or claim.formula.op not in CTL_OPERATORS:
            return False
        end = reason.at + len(claim.trace) - 1
        goes_on = claim.trace.loop is None and end < len(self.trace.inputs)
        return goes_on and bool(inputs_mentioned(self.interpreter.machine, [claim.formula]))

    def _reach(self, reason: Reason) -> range:
        """The states in which a claim has the same truth: all along a path that leads to a goal, or stays in a region."""
        claim = reason.claim
        op = claim.formula.op if isinstance(claim.formula, Apply) else ""
        if not claim.complete or op not in ("AG", "EF", "AF", "EG", "AU", "EU") or reason.at + len(claim.trace) > len(self.trace):
            return range(reason.at, reason.at + 1)
        return range(reason.at, reason.at + len(claim.trace))


def _parts(formula: Expr) -> Iterator[Expr]:
    """The largest conditions and the formulas made of them, parts before wholes, without negations of temporal formulas."""
    earlier: set[Expr] = set()

    def walk(part: Expr) -> Iterator[Expr]:
        if isinstance(part, Constant) or part in earlier:
            return
        earlier.add(part)
        if isinstance(part, Apply) and (is_temporal(part) or _has_sequences(part)):
            for arg in part.args:
                yield from walk(arg)
        if not (isinstance(part, Apply) and part.op == "not" and is_temporal(part)):
            yield part

    yield from walk(formula)


def _has_sequences(formula: Expr) -> bool:
    """Does the formula have an operator that only PSL has?"""
    return bool(_operators(formula) & PSL_OPERATORS)


def _readable(rows: list[TruthRow]) -> list[TruthRow]:
    """The first rows, if there are too many, with the row of the whole formula."""
    return rows if len(rows) <= MOST_ROWS else [*rows[: MOST_ROWS - 1], rows[-1]]
