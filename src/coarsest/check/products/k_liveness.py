"""Fair paths as long ones: on a finite machine without fair paths, none meets all justice more often than some number of times.

Reference: Claessen, Sörensson 2012, "A liveness checking algorithm that counts".
Symbols:   k is `most`. `watch.round.i` says that all justice was met i times; `watch.round.met.j`, that constraint j was met in
           this round.
Invariant: `watch.round.i` stays true, and implies `watch.round.i-1`.
Deviates:  several constraints are one: a round is over when each was met. No stabilising constraints.
Cost:      k + 1 bits, and one for each constraint if there are several.
"""

from __future__ import annotations

from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from coarsest.model.machine import Machine, Variable
from coarsest.model.trace import Trace
from coarsest.model.types import Boolean

ROUND = "watch.round."
MET = f"{ROUND}met."
"""What the names of variables begin with, before a number. No format lets a model have such names."""


class Counting(Struct, frozen=True):
    """A machine that counts how often all its justice was met, and the condition that this was at most `most` times."""

    machine: Machine
    good: Expr
    most: int


def counting(machine: Machine, most: int) -> Counting:
    """For a machine that is fair by justice alone."""
    over, flags = _round(machine)
    counts = [f"{ROUND}{number}" for number in range(1, most + 2)]
    following: dict[str, Expr] = {name: Apply("and", (Apply("not", (over,)), value)) for name, value in flags.items()}
    before: Expr = TRUE
    for name in counts:
        following[name] = Apply("or", (Name(name), Apply("and", (before, over))))
        before = Name(name)
    product = replace(
        machine,
        variables={**machine.variables, **{name: Variable(name, Boolean(), added=True) for name in following}},
        initial_values={**machine.initial_values, **dict.fromkeys(following, FALSE)},
        next_values={**machine.next_values, **following},
        justice=(),
    )
    return Counting(product, Apply("not", (Name(counts[-1]),)), most)


def _round(machine: Machine) -> tuple[Expr, dict[str, Expr]]:
    """When a round is over and, if there are several constraints, for each the flag that it was met in this round."""
    if len(machine.justice) < 2:
        return (machine.justice or (TRUE,))[0], {}
    now = {f"{MET}{j}": Apply("or", (Name(f"{MET}{j}"), condition)) for j, condition in enumerate(machine.justice)}
    return Apply("and", tuple(now.values())), dict(now)


def lasso_in(trace: Trace, machine: Machine) -> Trace | None:
    """A fair lasso, if a path of the counting machine has a state of this machine twice, with a whole round in between."""
    needed = 1 if len(machine.justice) < 2 else 2
    names = [variable.name for variable in machine.state_variables]
    earliest: dict[tuple[object, ...], tuple[int, int]] = {}
    for moment, state in enumerate(trace.states):
        rounds = next(number for number in count(1) if not state.get(f"{ROUND}{number}")) - 1
        loop, before = earliest.setdefault(tuple(state[name] for name in names), (moment, rounds))
        if rounds - before >= needed:
            states = tuple({name: state[name] for name in names} for state in trace.states[:moment])
            return replace(trace, states=states, inputs=trace.inputs[:moment], loop=loop)
    return None
