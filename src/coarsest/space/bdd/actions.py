"""Steps by their actions: the values of some inputs, which an observer sees.

The steps of a space are the union of the steps of its actions. With no inputs observed there is one action, the step itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coarsest.logic.expr import Expr
from coarsest.run import Run
from coarsest.space.bdd.relation.choice import whole_of
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import ImageMethod, Step
from coarsest.space.carrier import Action, input_values
from coarsest.space.space import StepPart

if TYPE_CHECKING:
    from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace


def symbolic_actions(space: SymbolicSpace[Any], inputs: Sequence[str], run: Run) -> tuple[Action[SymbolicSet[Any]], ...]:
    """One action for each value of the inputs."""
    found: list[Action[SymbolicSet[Any]]] = []
    for values in input_values(space.machine, inputs):
        run.step("actions", actions=len(found))
        literals: dict[int, bool] = {}
        for name, value in values.items():
            literals |= space.layout.literals(space.machine.variables[name], value)
        step = Step(space.manager, space.layout, domains=space.step.domains)
        for conjunct in space.step.conjuncts:
            touched = conjunct.support & literals.keys()
            step.add(space.manager.restrict(conjunct.relation, literals) if touched else conjunct.relation, conjunct.target)
        relation = Monolithic.if_small(step, run) or EarlyQuantification(step, run)
        found.append(Action(values, _Steps(space, relation)))
    return tuple(found)


def steps_where(space: SymbolicSpace[Any], condition: Expr, run: Run) -> StepPart[SymbolicSet[Any]]:
    """The steps in which a condition on state and inputs holds."""
    step = Step(space.manager, space.layout, domains=space.step.domains)
    step.add(space.encoder.constraint(condition), None)
    for conjunct in space.step.conjuncts:
        step.add(conjunct.relation, conjunct.target)
    return _Steps(space, Monolithic.if_small(step, run) or EarlyQuantification(step, run))


def symbolic_steps(
    space: SymbolicSpace[Any], reached: SymbolicSet[Any], actions: Sequence[Action[SymbolicSet[Any]]], run: Run
) -> int | None:
    """How many steps leave the reached states; None if the relation is too large to be one function."""
    relations = [relation_of(action) for action in actions] or [space.relation]
    variables = len(space.bits) + len(space.step.after)
    steps = 0
    for relation in relations:
        whole = _whole(space, relation, run)
        if whole is None:
            return None
        steps += space.manager.count(whole.relation & reached.function, variables)
    return steps


def _whole(space: SymbolicSpace[Any], relation: ImageMethod[Any], run: Run) -> Monolithic[Any] | None:
    whole = whole_of(relation)
    return Monolithic.if_small(space.step, run) if whole is None and relation is space.relation else whole


def relation_of(action: Action[SymbolicSet[Any]]) -> ImageMethod[Any]:
    """The step relation of one of the `symbolic_actions`."""
    assert isinstance(action.steps, _Steps)
    return action.steps.relation


class _Steps:
    """The steps of one action, on sets."""

    def __init__(self, space: SymbolicSpace[Any], relation: ImageMethod[Any]) -> None:
        self._space = space
        self.relation = relation

    def post(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        self._space.manager.tidy()
        return self._space.set(self.relation.post(states.function))

    def pre(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        self._space.manager.tidy()
        return self._space.set(self.relation.pre(states.function) & self._space.states.function)
