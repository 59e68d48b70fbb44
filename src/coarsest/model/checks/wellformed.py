"""Checks of where inputs and next() are used: no inputs in conditions on states, next() only in steps, and no circles."""

from __future__ import annotations

from collections.abc import Iterable

from coarsest.errors import ModelProblem
from coarsest.logic.expr import Name
from coarsest.model.checks.dependencies import EquationDependencies, Mentions, mentions
from coarsest.model.machine import Kind, Machine, Property


def check_places(machine: Machine, equations: EquationDependencies, claims: Iterable[Property] | None = None) -> None:
    """Raise ModelProblem at a circle of equations, at an input in a condition on states, or at next() outside steps."""
    equations.check()
    places = _Places(machine, equations.definitions)
    for title, values in (("the initial value of {}", equations.initial), ("the value of {}", equations.current)):
        for name, uses in values.items():
            places.state(uses, title.format(f"`{name}`"))
    for name, uses in equations.next.items():
        places.step(uses, f"the next value of `{name}`")
    for title, exprs in (("INIT", machine.initial_constraints), ("INVAR", machine.invariant_constraints)):
        for expr in exprs:
            places.state(mentions(expr), title)
    for expr in machine.transition_constraints:
        places.step(mentions(expr), "TRANS")
    for expr in (*machine.justice, *(part for pair in machine.compassion for part in pair)):
        places.no_next(mentions(expr), "a fairness condition")
    for claim in machine.properties if claims is None else claims:
        if claim.kind.allows_steps:
            places.step(mentions(claim.formula), "a property")
        else:
            places.no_next(mentions(claim.formula), f"a {claim.kind.value.upper()} property")


class _Places:
    def __init__(self, machine: Machine, definitions: dict[str, Mentions]) -> None:
        self.inputs = {variable.name for variable in machine.of_kind(Kind.INPUT)}
        self.definitions = definitions
        self.with_next = self._closed({name for name, mentions in definitions.items() if mentions.next is not None})
        self.with_inputs = self._closed(
            {name for name, mentions in definitions.items() if not self.inputs.isdisjoint((*mentions.now, *mentions.after))}
        )

    def _closed(self, names: set[str]) -> set[str]:
        """The definitions that use one of these, directly or not."""
        users: dict[str, list[str]] = {}
        for name, body in self.definitions.items() if names else ():
            for used in (*body.now, *body.after):
                users.setdefault(used, []).append(name)
        waiting = list(names)
        while waiting:
            for user in users.get(waiting.pop(), ()):
                if user not in names:
                    names.add(user)
                    waiting.append(user)
        return names

    def state(self, mentions: Mentions, title: str) -> None:
        self.no_next(mentions, title)
        for name in mentions.now.values():
            if name.name in self.inputs or name.name in self.with_inputs:
                is_input = name.name in self.inputs
                what = f"the input `{name.name}`" if is_input else f"`{name.name}`, which depends on an input,"
                hint = "an input belongs to a step: use it in TRANS or in next(x) := …"
                raise ModelProblem(f"{what} is used in {title}", name.span, hint=hint)

    def no_next(self, mentions: Mentions, title: str) -> None:
        hint = "next() is for TRANS and for the right side of next(x) := …"
        if mentions.next is not None:
            raise ModelProblem(f"next() is used in {title}", mentions.next.span, hint=hint)
        self._without(mentions.now.values(), self.with_next, f"`{{}}` is used in {title}, but its definition has next()", hint)

    def step(self, mentions: Mentions, title: str) -> None:
        inside = mentions.after.values()
        hint = "an input has no value in the next state"
        self._without(inside, self.inputs, f"next() of the input `{{}}` in {title}", hint)
        self._without(inside, self.with_inputs, f"next(`{{}}`) in {title} depends on an input", hint)
        self._without(inside, self.with_next, f"`{{}}` is inside next() in {title}, but its definition has next()", "")

    @staticmethod
    def _without(names: Iterable[Name], excluded: set[str], message: str, hint: str) -> None:
        for name in names if excluded else ():
            if name.name in excluded:
                raise ModelProblem(message.format(name.name), name.span, hint=hint)
