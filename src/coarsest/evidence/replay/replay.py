"""Replaying a trace on the model itself, by the interpreter: no engine takes part."""

from __future__ import annotations

from itertools import zip_longest

from coarsest.errors import EvidenceRejected
from coarsest.logic.expr import Expr
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.phases import CLOCK, EVIDENCE
from coarsest.run import Run


@CLOCK.phase(EVIDENCE)
def confirm_trace(machine: Machine, trace: Trace, *, violates: Expr | None) -> None:
    """Check that the trace is a trace of the machine and, if an invariant is given, that its last state violates it.

    Raises EvidenceRejected with the reason if not. A trace whose steps need no inputs may leave them out.
    """
    if not trace.states:
        raise EvidenceRejected("the trace has no states")
    interpreter = Interpreter.of(machine)
    problem = interpreter.why_not_initial(trace.states[0])
    if problem:
        raise EvidenceRejected(f"the first state is not initial: {problem}")
    _confirm_steps(interpreter, trace)
    if violates is not None and interpreter.satisfies(violates, trace.states[-1]):
        raise EvidenceRejected("the last state does not violate the invariant")


def confirm_dead_end(machine: Machine, trace: Trace, run: Run) -> None:
    """Check that the trace ends in a state without steps; raises EvidenceRejected if not."""
    if trace.loop is not None:
        raise EvidenceRejected("a finite path is needed, but this one is a lasso")
    confirm_trace(machine, trace, violates=None)
    interpreter = Interpreter.of(machine)
    last = tuple(trace.states[-1][variable.name] for variable in interpreter.state_variables)
    steps = interpreter.successor_values(last, trying=lambda: run.step("looking for a successor"))
    if next(iter(steps), None) is not None:
        raise EvidenceRejected("a step leads on from the last state")


@CLOCK.phase(EVIDENCE)
def confirm_last_step(machine: Machine, trace: Trace, *, violates: Expr) -> None:
    """Check that the last step of a trace violates a condition on steps; raises EvidenceRejected if not."""
    if len(trace) < 2:
        raise EvidenceRejected("the trace has no step that could violate the condition")
    inputs = trace.inputs[-1] if trace.inputs else {}
    value = Interpreter.of(machine).value(violates, trace.states[-2], after=trace.states[-1], inputs=inputs)
    if value is not False:
        raise EvidenceRejected("the last step does not violate the condition")


def _confirm_steps(interpreter: Interpreter, trace: Trace) -> None:
    arrivals = list(trace.states[1:])
    if trace.loop is not None:
        if not 0 <= trace.loop < len(trace.states):
            raise EvidenceRejected(f"the trace returns to state {trace.loop}, but has only {len(trace.states)} states")
        arrivals.append(trace.states[trace.loop])
    if len(trace.inputs) > len(arrivals):
        raise EvidenceRejected(f"the trace has inputs for {len(trace.inputs)} steps, but only {len(arrivals)} steps")
    steps = zip_longest(trace.states[: len(arrivals)], trace.inputs, arrivals)
    for number, (before, inputs, after) in enumerate(steps, 1):
        problem = interpreter.why_not_step(before, inputs or {}, after)
        if problem:
            step = "the step that closes the loop" if number == len(trace.states) else f"step {number}"
            raise EvidenceRejected(f"{step} is not a step of the model: {problem}")
