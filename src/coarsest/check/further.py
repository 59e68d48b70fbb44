"""Further counterexamples to an invariant: each ends otherwise than those before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from coarsest.check.decide.which import searched_as_invariant
from coarsest.evidence.verdict import Answer, Fails
from coarsest.logic.expr import Apply, Constant, Expr, Name, conjunction
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.interpret.values import Choice
from coarsest.model.machine import Machine, Property, PropertyKind
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.trace import Trace

if TYPE_CHECKING:
    from coarsest.check.answers import Checker


def further_counterexamples(
    checker: Checker, claim: Property, answer: Answer, most: int, show: Sequence[Expr] = ()
) -> Iterator[Answer]:
    """The verdict again, by other counterexamples: the property is asked of all states, or steps, but the ends met before. Where
    only some expressions are shown, ends at which they have the same values are the same."""
    machine = checker.shop.machine
    good = searched_as_invariant(claim, machine, checker.shop.options)
    if good is None:
        return
    ends: list[Expr] = []
    while len(ends) < most and isinstance(answer.verdict, Fails) and answer.verdict.trace is not None:
        ends.append(_end(machine, good, answer.verdict.trace, show))
        weaker = Property(PropertyKind.INVARIANT, _or([good, *ends]), claim.name, claim.text, claim.module)
        (answer,) = checker.answers([weaker])
        if isinstance(answer.verdict, Fails):
            yield replace(answer, kind=str(claim.kind))


def _end(machine: Machine, good: Expr, trace: Trace, show: Sequence[Expr]) -> Expr:
    """The last state, or the last step up to where it leads."""
    of_steps = is_about_steps(machine, good)
    inputs = trace.inputs[-1] if trace.inputs and of_steps else {}
    state = trace.states[-2] if of_steps else trace.states[-1]
    if not show:
        return conjunction([Apply("=", (Name(name), Constant(value))) for name, value in {**state, **inputs}.items()])
    interpreter = Interpreter(Machine(machine.name, machine.variables, machine.definitions))
    parts = [expr for expr in show if of_steps or not is_about_steps(machine, expr)]
    values = [interpreter.value(expr, state, trace.states[-1], inputs) for expr in parts]
    single = [(expr, value) for expr, value in zip(parts, values) if not isinstance(value, Choice)]
    return conjunction([Apply("=", (expr, Constant(value))) for expr, value in single])


def _or(parts: Sequence[Expr]) -> Expr:
    return parts[0] if len(parts) == 1 else Apply("or", tuple(parts))
