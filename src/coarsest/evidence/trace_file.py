"""Traces read back from JSON, as `check --trace json` and `check --json` write them, and what they show."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from coarsest.errors import EvidenceRejected, InputError
from coarsest.evidence.lasso import confirm_lasso, confirm_steps
from coarsest.evidence.replay import confirm_last_step, confirm_trace
from coarsest.evidence.trace import Trace
from coarsest.logic.ctl import is_temporal
from coarsest.logic.expr import Apply, Expr, Value
from coarsest.logic.words import word_constant
from coarsest.model.cone_of_influence import restrict_to
from coarsest.model.interpret import Interpreter
from coarsest.model.machine import Machine, PropertyKind
from coarsest.model.types import RealType, Type, WordType, contains
from coarsest.model.watch import is_about_steps


def trace_of(thing: Mapping[str, Any], machine: Machine) -> Trace:
    """The trace that an object with `states`, `inputs` and `loop` describes; raises EvidenceRejected where it is none."""
    states, inputs, loop = thing.get("states"), thing.get("inputs") or [], thing.get("loop")
    if not isinstance(states, list) or not states or not isinstance(inputs, list):
        raise EvidenceRejected("a trace has a list of `states`, and perhaps of `inputs`")
    if loop is not None and (not isinstance(loop, int) or isinstance(loop, bool) or not 0 <= loop < len(states)):
        raise EvidenceRejected(f"`loop` is {loop!r}, but must be null or the number of one of {len(states)} states")
    return Trace(tuple(_values(state, machine) for state in states), tuple(_values(step, machine) for step in inputs), loop)


def _values(thing: Any, machine: Machine) -> dict[str, Value]:
    if not isinstance(thing, dict):
        raise EvidenceRejected("a state is an object with the values of variables")
    unknown = thing.keys() - machine.variables.keys()
    if unknown:
        raise EvidenceRejected(f"the model has no variable {min(unknown)}")
    return {name: _value(machine.variables[name].type, value, name) for name, value in thing.items()}


def _value(kind: Type, value: Any, name: str) -> Value:
    try:
        match kind:
            case WordType() if isinstance(value, str):
                value = word_constant(value)
            case RealType() if isinstance(value, str | int) and not isinstance(value, bool):
                value = Fraction(value)
    except (InputError, ValueError, ZeroDivisionError):
        raise EvidenceRejected(f"{name} is {value!r}, which is no value of {kind}") from None
    if not isinstance(value, bool | int | str | Fraction) and not isinstance(kind, WordType):
        raise EvidenceRejected(f"{name} is {value!r}, which is no value of {kind}")
    if not contains(kind, value):
        raise EvidenceRejected(f"{name} is {value!r}, which is no value of {kind}")
    return value  # type: ignore[no-any-return]


def confirm_counterexample(machine: Machine, kind: PropertyKind, formula: Expr, trace: Trace) -> bool:
    """Is the trace one of the machine's on which the formula is false? Raises EvidenceRejected if not.

    False where it is a path of the machine, but the formula speaks of more than one path. A trace may leave out variables that
    neither the formula nor its own variables depend on.
    """
    machine = _part_of(machine, trace, formula)
    good = formula if kind is PropertyKind.INVARIANT else _always(kind, formula)
    if good is not None and trace.loop is None:
        if is_about_steps(machine, good):
            confirm_trace(machine, trace, violates=None)
            confirm_last_step(machine, trace, violates=good)
        else:
            confirm_trace(machine, trace, violates=good)
        return True
    if kind is PropertyKind.CTL_STAR and isinstance(formula, Apply) and formula.op == "A" and _is_linear(formula.args[0]):
        kind, formula = PropertyKind.LTL, formula.args[0]
    if kind is PropertyKind.LTL:
        confirm_lasso(machine, trace, formula)
        return True
    if kind is PropertyKind.PSL:
        from coarsest.evidence.psl_on_lasso import confirm_false
        from coarsest.logic.psl_from_expr import psl_from_expr

        confirm_lasso(machine, trace, None)
        return confirm_false(psl_from_expr(formula), trace, Interpreter(machine))
    interpreter = Interpreter(machine)
    problem = interpreter.why_not_initial(trace.states[0])
    if problem:
        raise EvidenceRejected(f"the first state is not initial: {problem}")
    confirm_steps(interpreter, trace)
    return False


def _part_of(machine: Machine, trace: Trace, formula: Expr) -> Machine:
    """The part of the machine that the trace is about, which must be a machine of its own."""
    named = frozenset(trace.states[0]).union(*trace.inputs[:1])
    if named == machine.variables.keys():
        return machine
    equations = (machine.initial_values, machine.current_values, machine.next_values)
    needed = {v for values in equations for name in named & values.keys() for v in machine.variables_of(values[name])}
    constraints = (*machine.initial_constraints, *machine.invariant_constraints, *machine.transition_constraints)
    fairness = (*machine.justice, *(expr for pair in machine.compassion for expr in pair))
    needed |= {v for expr in (formula, *constraints, *fairness) for v in machine.variables_of(expr)}
    inputs = {v.name for v in machine.input_variables}
    missing = needed - named - (inputs if not trace.inputs else set())
    if missing:
        raise EvidenceRejected(f"the trace says nothing of {min(missing)}, which what it shows depends on")
    return restrict_to(machine, named | (needed & inputs))


def _always(kind: PropertyKind, formula: Expr) -> Expr | None:
    """What is false in the last state of a path that refutes `AG p` or `G p`."""
    match kind, formula:
        case (PropertyKind.CTL, Apply("AG", (inner,))) | (PropertyKind.LTL, Apply("G", (inner,))) if not is_temporal(inner):
            return inner
    return None


def _is_linear(formula: Expr) -> bool:
    from coarsest.evidence.truths import is_linear

    return is_linear(formula)
