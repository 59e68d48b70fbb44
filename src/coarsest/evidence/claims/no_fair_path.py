"""The claim that no fair path violates a formula, as an invariant of a machine with a watcher that counts, or saves a state.

Reference: Claessen, Sörensson 2012, "A liveness checking algorithm that counts"; Biere, Artho, Schuppan 2002, "Liveness checking
           as safety checking".
Symbols:   –
Invariant: a fair path can be watched so that everything that it must meet infinitely often is met more than any number of times;
           and so that a state is saved to which it returns after having met all this.
Deviates:  compassion is justice with a variable that may promise that its first part is never met again.
Cost:      one variable for each round; a copy of the state.

The names and meanings of the variables are those of the engines that write such certificates. Nothing else is shared with them.
"""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.evidence.claims.ltl_watcher import PREFIX, Watcher
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Type


class _Extended:
    """A watcher with more variables."""

    def __init__(self, watcher: Watcher, machine: Machine) -> None:
        self.watcher = replace(
            watcher,
            variables=dict(watcher.variables), initial=list(watcher.initial), steps=list(watcher.steps),
        )  # fmt: skip
        self.needed: list[Expr] = [*machine.justice, *watcher.justice]
        """The conditions that a fair path meets infinitely often."""
        for number, (p, q) in enumerate(machine.compassion):
            never = self.variable(f"{PREFIX}never.{number}")
            self.watcher.steps.append(Apply("implies", (never, Apply("and", (Apply("not", (p,)), Apply("next", (never,)))))))
            self.needed.append(Apply("or", (never, q)))

    def variable(self, name: str, kind: Type | None = None, *, first: Expr | None = None) -> Name:
        self.watcher.variables[name] = Variable(name, kind or Boolean())
        if first is not None:
            self.watcher.initial.append(Apply("=", (Name(name), first)))
        return Name(name)

    def becomes(self, variable: Name, value: Expr) -> None:
        self.watcher.steps.append(Apply("=", (Apply("next", (variable,)), value)))


def counting_rounds(watcher: Watcher, machine: Machine, most: int) -> tuple[Watcher, Expr]:
    """A watcher that counts how often everything that is needed was met, and the condition that the count exceeds `most`."""
    extended = _Extended(watcher, machine)
    needed = extended.needed or [TRUE]
    over: Expr = needed[0]
    if len(needed) > 1:
        flags = [extended.variable(f"{PREFIX}round.met.{number}", first=FALSE) for number in range(len(needed))]
        met = [Apply("or", (flag, condition)) for flag, condition in zip(flags, needed)]
        over = Apply("and", tuple(met))
        for flag, value in zip(flags, met):
            extended.becomes(flag, Apply("and", (Apply("not", (over,)), value)))
    before: Expr = TRUE
    for number in range(1, most + 2):
        count = extended.variable(f"{PREFIX}round.{number}", first=FALSE)
        extended.becomes(count, Apply("or", (count, Apply("and", (before, over)))))
        before = count
    return extended.watcher, before


def saving_a_state(watcher: Watcher, machine: Machine) -> tuple[Watcher, Expr]:
    """A watcher that saves a state at some time, and the condition that the path has returned to it after everything was met."""
    own = [*machine.of_kind(Kind.STATE), *watcher.variables.values()]
    extended = _Extended(watcher, machine)
    own += [variable for name, variable in extended.watcher.variables.items() if name not in watcher.variables]
    saved = extended.variable(f"{PREFIX}again.0", first=FALSE)
    later = Apply("next", (saved,))
    extended.watcher.steps.append(Apply("implies", (saved, later)))
    returned: list[Expr] = [saved]
    for variable in own:
        now, copy = Name(variable.name), extended.variable(f"{PREFIX}{variable.name}.copy.0", variable.type)
        extended.becomes(copy, Apply("case", (saved, copy, TRUE, now)))
        returned.append(Apply("=", (now, copy)))
    for number, condition in enumerate(extended.needed):
        flag = extended.variable(f"{PREFIX}again.met.{number}", first=FALSE)
        extended.becomes(flag, Apply("and", (later, Apply("or", (condition, Apply("and", (saved, flag)))))))
        returned.append(flag)
    return extended.watcher, Apply("and", tuple(returned))
