"""Steps by their actions: the values of some inputs, which an observer sees.

The steps of a space are the union of the steps of its actions. With no inputs observed there is one action, the step itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Generic

from msgspec import Struct

from coarsest.errors import Unsupported
from coarsest.logic.expr import Value
from coarsest.model.machine import Machine
from coarsest.model.types import show_value
from coarsest.run import Run
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import Relation, Step
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.space import S, StepPart

if TYPE_CHECKING:
    from coarsest.lts.csr import Csr
    from coarsest.space.explicit.explicit import ExplicitSet, ExplicitSpace

MOST_ACTIONS = 1024


class Action(Struct, Generic[S], frozen=True):
    """The steps in which the observed inputs have certain values."""

    inputs: Mapping[str, Value]
    steps: StepPart[S]

    @property
    def name(self) -> str:
        return ", ".join(f"{name} = {show_value(value)}" for name, value in self.inputs.items())

    def post(self, states: S) -> S:
        return self.steps.post(states)

    def pre(self, states: S) -> S:
        return self.steps.pre(states)


def input_values(machine: Machine, inputs: Sequence[str]) -> Iterator[dict[str, Value]]:
    """All values of some inputs, together."""
    variables = [machine.variables[name] for name in inputs]
    number = prod(v.type.size for v in variables)
    if number > MOST_ACTIONS:
        message = f"the inputs {', '.join(inputs)} have {number} values, but at most {MOST_ACTIONS} actions are told apart"
        raise Unsupported(message, hint="observe fewer inputs")
    for values in product(*(v.type.values() for v in variables)):
        yield dict(zip(inputs, values))


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


def explicit_actions(space: ExplicitSpace, inputs: Sequence[str], run: Run) -> tuple[Action[ExplicitSet], ...]:
    """One action for each value of the inputs; the space must be that of a machine, whose steps are taken once more."""
    import numpy as np

    from coarsest.lts.csr import Csr

    assert space.valuation is not None
    interpreter = space.valuation.interpreter
    states = space.count(space.states)
    places = [[v.name for v in interpreter.input_variables].index(name) for name in inputs]
    edges: dict[tuple[Value, ...], list[tuple[int, int]]] = {}
    for number in range(states):
        run.step("actions", states=number)
        row = tuple(space.valuation.state(number).values())
        for given, after in interpreter.successor_values(row):
            target = space.valuation.number(interpreter.assignment(after))
            if target is not None:
                edges.setdefault(tuple(given[place] for place in places), []).append((number, target))
    found = []
    for values in input_values(interpreter.machine, inputs):
        ends = np.asarray(edges.get(tuple(values.values()), []), dtype=np.int64).reshape(-1, 2)
        found.append(Action(values, _Edges(Csr.from_edges(states, ends[:, 0], ends[:, 1]))))
    return tuple(found)


class _Edges:
    """The steps of one action, on bit sets."""

    def __init__(self, graph: Csr) -> None:
        self._graph = graph

    def post(self, states: ExplicitSet) -> ExplicitSet:
        return type(states)(self._graph.image(states.mask))

    def pre(self, states: ExplicitSet) -> ExplicitSet:
        return type(states)(self._graph.transposed.image(states.mask))


def relation_of(action: Action[SymbolicSet[Any]]) -> Relation[Any]:
    """The step relation of one of the `symbolic_actions`."""
    assert isinstance(action.steps, _Steps)
    return action.steps.relation


class _Steps:
    """The steps of one action, on sets."""

    def __init__(self, space: SymbolicSpace[Any], relation: Relation[Any]) -> None:
        self._space = space
        self.relation = relation

    def post(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        self._space.manager.tidy()
        return self._space.set(self.relation.post(states.function))

    def pre(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        self._space.manager.tidy()
        return self._space.set(self.relation.pre(states.function) & self._space.states.function)
