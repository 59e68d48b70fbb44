"""Fair paths as finite ones: a path that saves a state, and comes back to it after it has met all justice.

Reference: Biere, Artho, Schuppan 2002, "Liveness checking as safety checking".
Symbols:   the copy of the state has variables that are called as the original, between `watch.` and `.copy.0`.
Invariant: until `watch.again.0` is true, the copy is the state before this one; from then on it stays as it is.
Deviates:  that a state is saved is no input: the variable that says so may become true at any step.
Cost:      twice as many bits, and two for justice.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.trace import Trace
from coarsest.model.types import Boolean

SAVED, MET = "watch.again.0", "watch.again.met."
"""The variable that says that a state was saved, and what the names of the variables for justice begin with, before a number.
No format lets a model have such names, or those of copies."""


class Repeating(Struct, frozen=True):
    """A machine whose states remember one of the states before them, and the condition that no path comes back to it."""

    machine: Machine
    good: Expr


def repeating(machine: Machine) -> Repeating:
    """For a machine that is fair by justice alone: no path comes back if and only if there is no fair path."""
    own = list(machine.of_kind(Kind.STATE))
    saved = Name(SAVED)
    variables = {SAVED: Variable(SAVED, Boolean(), added=True)}
    initial: dict[str, Expr] = {SAVED: FALSE}
    following: dict[str, Expr] = {SAVED: Apply("set", (saved, TRUE))}
    for variable in own:
        copy = _copy(variable)
        variables[copy] = Variable(copy, variable.type, added=True)
        following[copy] = Apply("case", (saved, Name(copy), TRUE, Name(variable.name)))
    rules: list[Expr] = []
    for number, condition in enumerate(machine.justice):
        met = Name(f"{MET}{number}")
        variables[met.name] = Variable(met.name, Boolean(), added=True)
        initial[met.name] = FALSE
        now = Apply("or", (condition, Apply("and", (saved, met))))
        rules.append(Apply("iff", (Apply("next", (met,)), Apply("and", (Apply("next", (saved,)), now)))))
    same = [Apply("=", (Name(v.name), Name(_copy(v)))) for v in own]
    back = Apply("and", (saved, *same, *(Name(f"{MET}{number}") for number in range(len(machine.justice)))))
    product = replace(
        machine,
        variables={**machine.variables, **variables},
        initial_values={**machine.initial_values, **initial},
        next_values={**machine.next_values, **following},
        transition_constraints=(*machine.transition_constraints, *rules),
        justice=(),
    )
    return Repeating(product, Apply("not", (back,)))


def _copy(variable: Variable) -> str:
    return f"watch.{variable.name}.copy.0"


def lasso(trace: Trace, machine: Machine) -> Trace:
    """A path that comes back, as a lasso of the original machine."""
    moments = len(trace) - 1
    loop = next(moment for moment, state in enumerate(trace.states) if state[SAVED]) - 1
    names = [variable.name for variable in machine.state_variables]
    states = tuple({name: state[name] for name in names} for state in trace.states[:moments])
    return replace(trace, states=states, inputs=trace.inputs[:moments], loop=loop)
