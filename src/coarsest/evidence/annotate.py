"""Answers made readable: the variables that matter, and the truth of the property's parts along the trace.

Nothing here decides anything: what is computed, the interpreter computes from the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from coarsest.evidence.explanation import Explanation
from coarsest.evidence.lasso import truth_along
from coarsest.evidence.reading import Reading, TruthRow
from coarsest.evidence.reasons import Reason, unfold
from coarsest.evidence.trace import Trace
from coarsest.evidence.verdict import Answer, Fails, Holds
from coarsest.evidence.why_on_lasso import why_on_lasso
from coarsest.logic.ctl import is_temporal
from coarsest.logic.expr import Apply, Constant, Expr, subexpressions
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import LTL_OPERATORS, PSL_OPERATORS, TEMPORAL_OPERATORS
from coarsest.model.cone_of_influence import cone_variables
from coarsest.model.interpret import Interpreter
from coarsest.model.machine import Machine, Property, PropertyKind

MOST_STATES = 400
"""Along longer traces the truth of parts is not computed: nobody would read it."""
MOST_ROWS = 14


def annotated(answer: Answer, claim: Property, machine: Machine, *, confirm: bool = True) -> Answer:
    """The answer with what helps to read its evidence; `confirm` says whether the evidence was to be confirmed."""
    verdict = answer.verdict
    trace = shown_trace(answer)
    if not isinstance(verdict, Fails | Holds) or (trace is None and verdict.explanation is None):
        return answer
    if confirm and not answer.confirmed and not answer.doubt and verdict.explanation is not None:
        answer = replace(answer, doubt=_doubt(verdict.explanation))
    reading = Reading(
        mentioned=frozenset(machine.variables_of(claim.formula)),
        relevant=cone_variables(machine, [claim.formula]),
        fair=bool(machine.justice or machine.compassion) and claim.kind is not PropertyKind.INVARIANT,
    )
    if trace is None or len(trace) > MOST_STATES:
        return replace(answer, reading=reading)
    truths = _Truths(trace, Interpreter(_without_behaviour(machine)))
    if verdict.explanation is not None:
        reading = replace(reading, truths=tuple(truths.of_explanation(verdict.explanation)))
    elif trace.loop is not None and claim.kind is not PropertyKind.INVARIANT:
        reading = replace(reading, truths=tuple(truths.of_lasso(claim.formula)))
        linear = _linear(claim)
        if linear is not None and isinstance(verdict, Fails):
            because = why_on_lasso(linear, trace, truths.along)
            answer = replace(answer, verdict=replace(verdict, explanation=Explanation(claim.formula, False, because, trace)))
    return replace(answer, reading=reading)


def shown_trace(answer: Answer) -> Trace | None:
    """The one trace that stands for the evidence: a counterexample, or the longest path of a witness."""
    match answer.verdict:
        case Fails(Trace() as trace, _):
            return trace
        case Holds(_, Explanation() as explanation) if explanation.shows_a_path:
            return explanation.longest()
    return None


def _doubt(explanation: Explanation) -> str:
    """Why an explanation whose paths were replayed is no proof by itself."""
    if not explanation.complete:
        return "it rests on the fixpoint"
    if all(part.complete for part in explanation.walk()):
        return "other initial states rest on the fixpoint"
    return "claims about all paths rest on the fixpoint"


def _without_behaviour(machine: Machine) -> Machine:
    """Enough of a machine to evaluate expressions in given states."""
    return Machine(machine.name, machine.variables, machine.definitions)


def _linear(claim: Property) -> Expr | None:
    """The linear formula that is false on the counterexample, if it is made of linear operators alone."""
    formula = claim.formula
    if claim.kind is PropertyKind.CTL_STAR and isinstance(formula, Apply) and formula.op == "A":
        formula = formula.args[0]
    return formula if claim.kind in (PropertyKind.LTL, PropertyKind.CTL_STAR) and _is_linear(formula) else None


def _operators(formula: Expr) -> set[str]:
    return {part.op for part in subexpressions(formula) if isinstance(part, Apply)}


def _is_linear(formula: Expr) -> bool:
    return not (_operators(formula) & TEMPORAL_OPERATORS) - LTL_OPERATORS


class _Truths:
    """The truth of formulas in the states of one trace."""

    def __init__(self, trace: Trace, interpreter: Interpreter) -> None:
        self.trace = trace
        self.interpreter = interpreter
        self._known: dict[Expr, list[bool]] = {}

    def along(self, formula: Expr) -> list[bool]:
        if formula not in self._known:
            self._known[formula] = truth_along(formula, self.trace, self.interpreter)
        return self._known[formula]

    def _condition(self, formula: Expr) -> tuple[bool | None, ...]:
        """In each state; unknown in the last one where it depends on inputs that no step gives."""
        inputs = {v.name for v in self.interpreter.input_variables} & self.interpreter.machine.variables_of(formula)
        values: list[bool | None] = []
        for place, state in enumerate(self.trace.states):
            given = self.trace.inputs[place] if place < len(self.trace.inputs) else {}
            values.append(None if inputs - given.keys() else self.interpreter.satisfies(formula, state, given))
        return tuple(values)

    def of_lasso(self, formula: Expr) -> list[TruthRow]:
        """A row for each condition and each linear part."""
        rows = []
        for part in _parts(formula):
            if not is_temporal(part) and not _is_sequence(part):
                rows.append(TruthRow(show(part), self._condition(part)))
            elif _is_linear(part) and not _is_sequence(part):
                rows.append(TruthRow(show(part), tuple(self.along(part))))
        return _readable(rows)

    def of_explanation(self, explanation: Explanation) -> list[TruthRow]:
        """A row for each condition, and for each temporal part what the explanation says of it."""
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
            if reason.claim.formula == formula:
                for place in self._reach(reason):
                    values[place] = reason.claim.holds
        return tuple(values)

    def _reach(self, reason: Reason) -> range:
        """Along a path that leads to a goal, or stays in a region, the claim is as true in each state as in the first."""
        claim = reason.claim
        op = claim.formula.op if isinstance(claim.formula, Apply) else ""
        if not claim.complete or op not in ("AG", "EF", "AF", "EG", "AU", "EU") or reason.at + len(claim.trace) > len(self.trace):
            return range(reason.at, reason.at + 1)
        return range(reason.at, reason.at + len(claim.trace))


def _parts(formula: Expr) -> Iterator[Expr]:
    """The largest conditions and what is made of them, parts before wholes; a negation says no more than what it negates."""
    seen: set[Expr] = set()

    def walk(part: Expr) -> Iterator[Expr]:
        if isinstance(part, Constant) or part in seen:
            return
        seen.add(part)
        if isinstance(part, Apply) and (is_temporal(part) or _is_sequence(part)):
            for arg in part.args:
                yield from walk(arg)
        if not (isinstance(part, Apply) and part.op == "not" and is_temporal(part)):
            yield part

    yield from walk(formula)


def _is_sequence(formula: Expr) -> bool:
    """Does an operator of PSL occur, which only PSL gives a meaning to?"""
    return bool(_operators(formula) & PSL_OPERATORS)


def _readable(rows: list[TruthRow]) -> list[TruthRow]:
    """Not too many, the whole formula among them."""
    return rows if len(rows) <= MOST_ROWS else [*rows[: MOST_ROWS - 1], rows[-1]]
