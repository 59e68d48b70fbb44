"""The steps of an SMT space by the values of observed inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coarsest.errors import Unsupported
from coarsest.model.types import is_finite
from coarsest.run import Run
from coarsest.space.carrier import Action, input_values

if TYPE_CHECKING:
    import z3

    from coarsest.space.smt.smt import SmtSet, SmtSpace


def smt_actions(space: SmtSpace, inputs: Sequence[str], run: Run) -> tuple[Action[SmtSet], ...]:
    """One action for each value of the inputs."""
    for name in inputs:
        kind = space.machine.variables[name].type
        if not is_finite(kind):
            hint = "observe inputs of finite types"
            raise Unsupported(f"the values of the input '{name}' are infinitely many actions: it is {kind}", hint=hint)
    found: list[Action[SmtSet]] = []
    for values in input_values(space.machine, inputs):
        run.step("actions", actions=len(found))
        terms = space.terms
        chosen = [
            terms.equals(terms.now[name], terms.constant(space.machine.variables[name], value)) for name, value in values.items()
        ]
        found.append(Action(values, _Steps(space, terms.values.both(*chosen))))
    return tuple(found)


class _Steps:
    """The steps in which a condition on the inputs holds."""

    def __init__(self, space: SmtSpace, condition: z3.BoolRef) -> None:
        self._space = space
        self._condition = condition

    def post(self, states: SmtSet) -> SmtSet:
        space = self._space
        return space.set(space.step.post(space.terms.values.both(space.within(states.formula), self._condition), space.solver))

    def pre(self, states: SmtSet) -> SmtSet:
        space = self._space
        return space.set(space.step.pre(space.within(states.formula), space.solver, given=self._condition))
