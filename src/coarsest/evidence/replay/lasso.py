"""LTL on a lasso, from the definition: an independent evaluator that replays counterexamples.

A lasso represents the infinite path states[0], …, states[-1], states[loop], …. With past operators, a position in the loop may
see a different past in each round. After as many rounds as there are past operators nothing changes any more (a bounded operator
counts for the number of rounds that it looks back), so the loop is unrolled that many times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from msgspec import Struct

from coarsest.errors import EvidenceRejected
from coarsest.logic.expr import Apply, Expr, Value, subexpressions
from coarsest.logic.temporal_operators import LTL_OPERATORS, LTL_PAST, bound_of
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.phases import CLOCK, EVIDENCE


class _Word(Struct, frozen=True):
    """Positions 0 … length-1; after the last comes `back`."""

    length: int
    back: int

    def after(self, position: int) -> int:
        return position + 1 if position + 1 < self.length else self.back


def truth_along(formula: Expr, trace: Trace, interpreter: Interpreter) -> list[bool]:
    """Is the formula true at each position of the lasso (the first time it is visited)?"""
    if trace.loop is None:
        raise EvidenceRejected("a finite path shows nothing about an LTL formula: a lasso is needed")

    def atom(expr: Expr) -> list[bool]:
        inputs: Sequence[Mapping[str, Value]] = trace.inputs or [{}] * len(trace)
        arrivals = trace.arrivals
        return [interpreter.satisfies(expr, state, inputs[i], arrivals[i]) for i, state in enumerate(trace.states)]

    return truth_on_word(formula, len(trace), trace.loop, atom)


def truth_on_word(formula: Expr, length: int, loop: int, atom: Callable[[Expr], list[bool]]) -> list[bool]:
    """`truth_along` for `length` positions, the last followed by `loop`; `atom` says where a condition is true."""
    around = length - loop
    past = sum(_rounds(part, around) for part in subexpressions(formula))
    word = _Word(length + past * around, length + (past - 1) * around if past else loop)

    def unrolled(expr: Expr) -> list[bool]:
        values = atom(expr)
        return values + [values[loop + k % around] for k in range(past * around)]

    return _evaluate(formula, word, unrolled, {})[:length]


def _rounds(part: Expr, around: int) -> int:
    """The number of rounds of a loop after which a past operator has the same truth in each round, if its arguments have."""
    match part:
        case Apply("BO" | "BH", (_, high, _)):
            return 1 + bound_of(high) // around
        case Apply(op) if op in LTL_PAST:
            return 1
    return 0


def _evaluate(formula: Expr, word: _Word, atom: Callable[[Expr], list[bool]], truths: dict[int, list[bool]]) -> list[bool]:
    values = truths.get(id(formula))
    if values is None:
        if any(isinstance(part, Apply) and part.op in LTL_OPERATORS for part in subexpressions(formula)):
            assert isinstance(formula, Apply)
            values = _operator(formula, word, atom, truths)
        else:
            values = atom(formula)
        truths[id(formula)] = values
    return values


def _operator(formula: Apply, word: _Word, atom: Callable[[Expr], list[bool]], truths: dict[int, list[bool]]) -> list[bool]:
    op = formula.op
    if op in ("BF", "BG", "BO", "BH"):
        low, high = map(bound_of, formula.args[:2])
        inner = _evaluate(formula.args[2], word, atom, truths)
        return [_within(op, inner, word, position, low, high) for position in range(word.length)]
    parts = [_evaluate(arg, word, atom, truths) for arg in formula.args]
    columns = list(zip(*parts))
    every = range(word.length)
    match op:
        case "not":
            return [not p for (p,) in columns]
        case "and":
            return [all(column) for column in columns]
        case "or":
            return [any(column) for column in columns]
        case "implies":
            return [q or not p for p, q in columns]
        case "iff" | "xnor":
            return [p == q for p, q in columns]
        case "xor":
            return [p != q for p, q in columns]
        case "X":
            return [parts[0][word.after(i)] for i in every]
        case "F":
            return _until([True] * word.length, parts[0], word)
        case "G":
            return _negated(_until([True] * word.length, _negated(parts[0]), word))
        case "U":
            return _until(parts[0], parts[1], word)
        case "V":
            return _negated(_until(_negated(parts[0]), _negated(parts[1]), word))
        case "Y" | "Z":
            return [parts[0][i - 1] if i else op == "Z" for i in every]
        case "O":
            return list(accumulate(parts[0], lambda before, now: before or now))
        case "H":
            return list(accumulate(parts[0], lambda before, now: before and now))
        case "S":
            return _since(parts[0], parts[1])
        case "T":
            return _negated(_since(_negated(parts[0]), _negated(parts[1])))
    raise EvidenceRejected(f"'{op}' is not an operator of LTL")


def _negated(values: Sequence[bool]) -> list[bool]:
    return [not value for value in values]


def _until(p: Sequence[bool], q: Sequence[bool], word: _Word) -> list[bool]:
    """The truth of p U q, from the last position to the first, twice, since the last position leads back into the loop."""
    values = [False] * word.length
    for here in 2 * [*reversed(range(word.length))]:
        values[here] = q[here] or (p[here] and values[word.after(here)])
    return values


def _since(p: Sequence[bool], q: Sequence[bool]) -> list[bool]:
    """The truth of p S q."""
    return list(accumulate(zip(p, q), lambda before, now: now[1] or (now[0] and before), initial=False))[1:]


def _within(op: str, values: list[bool], word: _Word, position: int, low: int, high: int) -> bool:  # noqa: PLR0917
    inside: list[bool] = []
    if op in ("BF", "BG"):
        here = position
        for distance in range(high + 1):
            if distance >= low:
                inside.append(values[here])
            here = word.after(here)
    else:
        inside = [values[position - distance] for distance in range(low, high + 1) if distance <= position]
    return any(inside) if op in ("BF", "BO") else all(inside)


@CLOCK.phase(EVIDENCE)
def confirm_lasso(machine: Machine, trace: Trace, formula: Expr | None) -> None:
    """Check that a lasso is a fair path of the machine on which the formula is false; raises EvidenceRejected.

    A state without successors may be repeated for ever.
    """
    interpreter = Interpreter.of(machine)
    problem = interpreter.why_not_initial(trace.states[0])
    if problem:
        raise EvidenceRejected(f"the first state is not initial: {problem}")
    confirm_steps(interpreter, trace)
    confirm_fair(machine, interpreter, trace)
    if formula is not None and truth_along(formula, trace, interpreter)[0]:
        raise EvidenceRejected("the formula is true on the lasso")


def confirm_steps(interpreter: Interpreter, trace: Trace) -> None:
    """Check that each state follows from the state before it, and that the loop closes."""
    if trace.loop is not None and not 0 <= trace.loop < len(trace):
        raise EvidenceRejected(f"the loop goes back to state {trace.loop}, but there are {len(trace)} states")
    arrivals = trace.arrivals
    if len(trace.inputs) not in (0, len(arrivals)):
        raise EvidenceRejected(f"there are {len(arrivals)} steps, but inputs for {len(trace.inputs)} steps")
    for i, after in enumerate(arrivals):
        before = trace.states[i]
        inputs = trace.inputs[i] if i < len(trace.inputs) else {}
        problem = interpreter.why_not_step(before, inputs, after)
        if problem and not (before == after and next(iter(interpreter.successors(before)), None) is None):
            raise EvidenceRejected(f"step {i + 1} is not a step of the model: {problem}")


def confirm_fair(machine: Machine, interpreter: Interpreter, trace: Trace) -> None:
    """Check that every fairness constraint is met on the loop."""
    if trace.loop is None:
        raise EvidenceRejected("the path does not loop")
    loop = range(trace.loop, len(trace))

    def somewhere(expr: Expr) -> bool:
        return any(interpreter.satisfies(expr, trace.states[i], trace.inputs[i] if trace.inputs else {}) for i in loop)

    for number, justice in enumerate(machine.justice, 1):
        if not somewhere(justice):
            raise EvidenceRejected(f"fairness constraint {number} is never met on the loop")
    for number, (p, q) in enumerate(machine.compassion, 1):
        if somewhere(p) and not somewhere(q):
            raise EvidenceRejected(f"compassion constraint {number} is not met on the loop")
