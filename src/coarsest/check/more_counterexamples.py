"""Further counterexamples to an invariant: with other ends and, where there are no more of these, by other paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from coarsest.check.decide.classify import searched_as_invariant
from coarsest.evidence.verdict import Answer, Fails
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, conjunction
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.trace import Trace

if TYPE_CHECKING:
    from coarsest.check.answers import Checker


def further_counterexamples(
    checker: Checker, claim: Property, answer: Answer, most: int, show: Sequence[Expr] = ()
) -> Iterator[Answer]:
    """Answers with other counterexamples: the property is asked again of all states, or steps, except the ends met before.

    Where only some expressions are shown, ends at which they have the same values count as one, and so do the paths to an end.
    """
    machine = checker.session.machine
    good = searched_as_invariant(claim, machine, checker.session.options)
    if good is None:
        return
    ends: list[Expr] = []
    traces: list[Trace] = []
    while len(ends) < most and isinstance(answer.verdict, Fails) and answer.verdict.trace is not None:
        traces.append(answer.verdict.trace)
        ends.append(_end(machine, good, answer.verdict.trace, show))
        weaker = claim.as_invariant(Apply("or", (good, *ends)))
        (answer,) = checker.answers([weaker])
        if isinstance(answer.verdict, Fails):
            yield replace(answer, kind=str(claim.kind))
    if not show and traces and not isinstance(answer.verdict, Fails):
        yield from _by_other_paths(checker, claim, good, traces, most + 1 - len(traces))


def _by_other_paths(checker: Checker, claim: Property, good: Expr, traces: list[Trace], most: int) -> Iterator[Answer]:
    """Paths that leave an earlier one: each of its states is forbidden in turn, the last one first, beside those that were
    forbidden for that path. A path of the machine with these constraints is a path of the machine."""
    session = checker.session
    plain = claim.as_invariant(good)
    waiting: list[tuple[Trace, tuple[Expr, ...]]] = [(trace, ()) for trace in traces]
    for trace, already in waiting:  # the list grows
        for state in reversed(trace.states[:-1]):
            if most <= 0:
                return
            forbidden = (*already, Apply("not", (_is(state),)))
            machine = replace(session.machine, invariant_constraints=(*session.machine.invariant_constraints, *forbidden))
            (answer,) = type(checker)(machine, session.build, session.options, session.run).answers([plain])
            other = answer.verdict.trace if isinstance(answer.verdict, Fails) else None
            if other is not None and all(other.states != earlier.states for earlier, _ in waiting):
                waiting.append((other, forbidden))
                most -= 1
                yield replace(answer, kind=str(claim.kind), warnings=())


def _is(values: Mapping[str, Value]) -> Expr:
    return conjunction([Apply("=", (Name(name), Constant(value))) for name, value in values.items()])


def _end(machine: Machine, good: Expr, trace: Trace, show: Sequence[Expr]) -> Expr:
    """The last state, or the last step up to where it leads."""
    of_steps = is_about_steps(machine, good)
    inputs = trace.inputs[-1] if trace.inputs and of_steps else {}
    state = trace.states[-2] if of_steps else trace.states[-1]
    if not show:
        return _is({**state, **inputs})
    interpreter = Interpreter(Machine(machine.name, machine.variables, machine.definitions))
    parts = [expr for expr in show if of_steps or not is_about_steps(machine, expr)]
    values = [interpreter.value(expr, state, trace.states[-1], inputs) for expr in parts]
    single = [(expr, value) for expr, value in zip(parts, values) if not isinstance(value, ValueChoice)]
    return conjunction([Apply("=", (expr, Constant(value))) for expr, value in single])
