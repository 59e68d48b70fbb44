"""The states of a machine, listed one by one: states are numbers, sets are bit sets, steps are edges."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import numpy as np

from coarsest.encode.layout import bits_of, code_of
from coarsest.errors import EvidenceRejected
from coarsest.logic.expr import Expr, Value
from coarsest.lts.csr import Csr, Mask, Nodes
from coarsest.model.machine import Machine, Variable
from coarsest.run import Run
from coarsest.space.carrier import IN_NO_CLASS, OVERLAP, Action, ClassOf, input_values
from coarsest.space.decision_rows import distinct
from coarsest.space.explicit.explicit import ExplicitSet, ExplicitSpace
from coarsest.space.explicit.valuation import Codes, Valuation
from coarsest.space.space import Fairness, State, StateSpace
from coarsest.space.views import RestrictedSpace


class ListedSpace(ExplicitSpace):
    """The state space of a machine, by its reachable states or by all of them."""

    is_counted = True
    holds_diagrams = holds_formulas = False

    def __init__(
        self,
        graph: Csr | Callable[[], Csr],
        initial: Mask,
        valuation: Valuation,
        *,
        only_reachable: bool,
        leaving: ExplicitSet | None = None,
    ) -> None:
        """`leaving` has the states with a successor, where they are known before all steps are."""
        super().__init__(graph, initial)
        self._leaving = leaving
        self.valuation = valuation
        self.interpreter = valuation.interpreter
        self.only_reachable = only_reachable
        self._alike: dict[frozenset[str], Codes] = {}

    @property
    def machine(self) -> Machine:
        return self.interpreter.machine

    def pre(self, states: ExplicitSet) -> ExplicitSet:
        return self._leaving if self._leaving is not None and states is self.states else super().pre(states)

    def pre_if_cheap(self, states: ExplicitSet) -> ExplicitSet:
        return self.pre(states)

    @property
    def fairness(self) -> Fairness[ExplicitSet]:
        pairs = tuple((self.where(p), self.where(q)) for p, q in self.machine.compassion)
        return Fairness(tuple(self.where(p) for p in self.machine.justice), pairs)

    def _labelled(self, label: Expr) -> Mask:
        return self.valuation.where(label)

    def describe(self, state: ExplicitSet) -> State:
        return self.valuation.state(int(np.argmax(state.mask)))

    def state(self, values: Mapping[str, Value]) -> ExplicitSet:
        """The set of the one state with these values; empty if there is none."""
        return self._one(self.valuation.number(values))

    def inputs_between(self, before: State, after: State) -> dict[str, Value] | None:
        return self.interpreter.inputs_between(before, after)

    def forget(self, states: ExplicitSet, variables: Collection[Variable]) -> ExplicitSet:
        if not variables:
            return states
        alike = self._without(variables)
        has_member = np.zeros(self.size, dtype=np.bool_)
        has_member[alike[states.mask]] = True
        return ExplicitSet(has_member[alike])

    def count_without(self, states: ExplicitSet, variables: Collection[Variable]) -> int:
        return len(np.unique(self._without(variables)[states.mask])) if variables else self.count(states)

    def _without(self, variables: Collection[Variable]) -> Codes:
        """A number for each state, the same for states that differ in nothing but these variables."""
        hidden = frozenset(variable.name for variable in variables)
        if hidden not in self._alike:
            own = enumerate(self.interpreter.state_variables)
            self._alike[hidden] = self.valuation.alike([place for place, v in own if v.name not in hidden])
        return self._alike[hidden]

    def narrowed(self, reached: ExplicitSet) -> StateSpace[ExplicitSet]:
        return self if reached == self.states else RestrictedSpace(self, reached)

    def finder(self, classes: Sequence[ExplicitSet]) -> ClassOf:
        """By a number for each state: as many sets as there may be classes are not held at once."""
        class_of = np.full(self.size, -1, dtype=np.int64)
        for number, states in enumerate(classes):
            if (class_of[states.mask] >= 0).any():
                raise EvidenceRejected(OVERLAP)
            class_of[states.mask] = number

        def found(state: State) -> int:
            place = self.valuation.number(state)
            if place is None or class_of[place] < 0:
                raise EvidenceRejected(IN_NO_CLASS)
            return int(class_of[place])

        return found

    def rows_of_bits(self, states: ExplicitSet, variables: Sequence[Variable]) -> Mask:
        """The bits of some variables in some states, in increasing order, each row once; the highest bit of each comes first."""
        place = {variable.name: place for place, variable in enumerate(self.interpreter.state_variables)}
        columns = [self.valuation.bits(place[v.name], bits_of(v.type), partial(code_of, v.type)) for v in variables]
        rows = np.concatenate([np.zeros((self.size, 0), dtype=np.bool_), *columns], axis=1)[states.mask]
        return distinct(rows)

    def actions(self, inputs: Sequence[str], run: Run) -> tuple[Action[ExplicitSet], ...]:
        """One action for each value of the inputs: all steps are taken once more."""
        steps: dict[tuple[Value, ...], list[tuple[Nodes, Nodes]]] = {}
        for values, sources, targets in self.valuation.steps_by(inputs, run):
            steps.setdefault(values, []).append((sources, targets))
        result = []
        for given in input_values(self.machine, inputs):
            pieces = steps.get(tuple(given.values()), [(np.zeros(0, dtype=np.int64),) * 2])
            graph = Csr.from_edges(self.size, *(np.concatenate(ends) for ends in zip(*pieces)))
            result.append(Action(given, Edges(graph)))
        return tuple(result)

    def count_steps(self, reached: ExplicitSet, actions: Sequence[Action[ExplicitSet]], run: Run) -> int | None:
        graphs = [edges_of(action) for action in actions] or [self.graph]
        return sum(int(np.diff(graph.offsets)[reached.mask].sum()) for graph in graphs)


class Edges:
    """The steps of one action, on bit sets."""

    def __init__(self, graph: Csr) -> None:
        self.graph = graph

    def post(self, states: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self.graph.image(states.mask))

    def pre(self, states: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self.graph.transposed.image(states.mask))


def edges_of(action: Action[ExplicitSet]) -> Csr:
    """The graph of one of the actions of a listed space."""
    assert isinstance(action.steps, Edges)
    return action.steps.graph
