"""The explicit state space of a machine with one state for each orbit, found while the machine is explored.

Reference: Barner, Grumberg 2003, section 2.8: the quotient M_G by a function ξ that takes states to representatives; and
           definition 2.16, M_m, where an orbit has several.
Symbols:   ξ is `Representatives.of`.
Invariant: states are representatives; those before `explored` have an edge to the representative of each of their successors.
Deviates:  on the fly: only representatives are numbered and explored.
Cost:      one call of the interpreter for each representative; the successors of many are taken to theirs at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from coarsest.logic.expr import Value
from coarsest.lts.csr import Csr, Mask
from coarsest.model.interpret.interpret import Values
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.representatives import Representatives
from coarsest.run import Run
from coarsest.space.carrier import Action, ClassOf
from coarsest.space.explicit.enumerate import StatesSoFar
from coarsest.space.explicit.explicit import ExplicitSet
from coarsest.space.explicit.listed import ListedSpace
from coarsest.space.explicit.listed_spaces import ListedSpaces
from coarsest.space.explicit.valuation import Valuation
from coarsest.space.space import State

STATES_AT_ONCE: Final = 2000
"""About this many successors are taken to their representatives at once."""


class OrbitSpace(ListedSpace):
    """The representatives of a machine's reachable states. A step to a state is one to the state that represents it."""

    def __init__(self, graph: Csr, initial: Mask, valuation: Valuation, representatives: Representatives) -> None:
        super().__init__(graph, initial, valuation, only_reachable=True)
        self.representatives = representatives

    def representative(self, state: Mapping[str, Value]) -> dict[str, Value]:
        rows = self.representatives.of([self._values(state)])
        return self.interpreter.assignment(self.representatives.columns.state(rows[0]))

    def state(self, values: Mapping[str, Value]) -> ExplicitSet:
        return super().state(self.representative(values))

    def finder(self, classes: Sequence[ExplicitSet]) -> ClassOf:
        """The class of a state is that of its representative."""
        of_representative = super().finder(classes)
        return lambda state: of_representative(self.representative(state))

    def step_between(self, before: State, after: State) -> tuple[dict[str, Value], dict[str, Value]] | None:
        """Inputs, and a successor whose representative is `after`; None if there is no such step."""
        steps = list(self.interpreter.successor_values(self._values(before)))
        goal = self.representatives.columns.rows([self._values(after)])
        if steps:
            arriving = (self.representatives.of([reached for _, reached in steps]) == goal).all(axis=1)
            if arriving.any():
                inputs, reached = steps[int(np.argmax(arriving))]
                names = (variable.name for variable in self.interpreter.input_variables)
                return dict(zip(names, inputs)), self.interpreter.assignment(reached)
        return None

    def _values(self, state: Mapping[str, Value]) -> Values:
        return tuple(state[variable.name] for variable in self.interpreter.state_variables)

    def inputs_between(self, before: State, after: State) -> dict[str, Value] | None:
        step = self.step_between(before, after)
        return None if step is None else step[0]

    def actions(self, inputs: Sequence[str], run: Run) -> tuple[Action[ExplicitSet], ...]:
        raise AssertionError("a step by an input may be one by another input elsewhere in the orbit")


class RepresentativesSoFar(StatesSoFar):
    """The representatives found so far, and the steps between them."""

    def __init__(self, machine: Machine, generators: Sequence[Permutation], run: Run) -> None:
        super().__init__(machine, run)
        names = [variable.name for variable in self.interpreter.state_variables]
        own = [sigma.within(names) for sigma in generators]
        self.representatives = Representatives(names, [sigma for sigma in own if sigma is not None], run)
        self._by_row: dict[bytes, int] = {}

    def listed(self, *, reachable_only: bool = True) -> OrbitSpace:
        assert reachable_only, "unreachable states are in no orbit that is searched"
        initial = self._numbers_of(list(self.interpreter.initial_values(trying=self.trying)))
        self.explore()
        mask = np.zeros(len(self.rows), dtype=np.bool_)
        mask[initial] = True
        return OrbitSpace(self.graph(), mask, Valuation(self.interpreter, self.rows), self.representatives)

    def explore(self) -> None:
        explored = 0
        while explored < len(self.rows):
            self.look()
            sources: list[int] = []
            successors: list[Values] = []
            while explored < len(self.rows) and len(successors) < STATES_AT_ONCE:
                steps = self.interpreter.successor_values(self.rows[explored], trying=self.trying)
                after = dict.fromkeys(after for _, after in steps)
                successors += after
                sources += [explored] * len(after)
                explored += 1
            edges = np.unique(np.array([sources, self._numbers_of(successors)], dtype=np.int64), axis=1)
            self._sources.frombytes(edges[0].tobytes())
            self._targets.frombytes(edges[1].tobytes())

    def _numbers_of(self, states: Sequence[Values]) -> list[int]:
        """The numbers of the representatives of states; a new representative gets the next number."""
        if not states:
            return []
        numbers = []
        for row in self.representatives.of(states):
            number = self._by_row.setdefault(row.tobytes(), len(self.rows))
            if number == len(self.rows):
                self.rows.append(self.representatives.columns.state(row))
            numbers.append(number)
        return numbers


class OrbitSpaces(ListedSpaces):
    """Lists representatives of machines, and of products with automata whose variables the generators do not touch."""

    def __init__(self, options: BuildOptions, run: Run, generators: Sequence[Permutation]) -> None:
        super().__init__(options, run)
        self.generators = generators

    def _new_lister(self, machine: Machine, *, lists_steps: bool) -> RepresentativesSoFar:
        return RepresentativesSoFar(machine, self.generators, self.run)
