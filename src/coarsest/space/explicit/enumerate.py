"""From a machine to its explicit state space: in columns where arrays can hold the machine, else state by state.

Reference: breadth-first search.
Symbols:   –
Invariant: states are numbered in the order in which they were found; those before `explored` have all their edges.
Deviates:  –
Cost:      state by state, one call of the interpreter per state, and some ten thousand steps a second; in columns, some millions.
"""

from __future__ import annotations

from array import array
from typing import Final, Protocol

import numpy as np

from coarsest.errors import LimitExceeded
from coarsest.logic.expr import Expr, Value
from coarsest.lts.csr import Csr, Mask
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.machine import Machine
from coarsest.run import Run
from coarsest.space.columns.column import NotInColumns
from coarsest.space.columns.explore import Exploration
from coarsest.space.explicit.explicit import ExplicitSet
from coarsest.space.explicit.listed import ListedSpace
from coarsest.space.explicit.packed_valuation import PackedValuation
from coarsest.space.explicit.valuation import STATES_PER_STEP, Valuation
from coarsest.space.space import State

MOST_STATES: Final = 1_000_000
MOST_STEPS: Final = 5_000_000
"""More are not listed: they take some hundred bytes each, and the interpreter some minutes."""
TRIES_PER_STEP: Final = 20_000
"""Values that are tried, on the way to a single state, before the limits are looked at."""


def enumerate_machine(machine: Machine, run: Run | None = None, *, reachable_only: bool = True) -> ListedSpace:
    """The explicit state space of a machine: its reachable states, or all that satisfy the invariant constraints."""
    if reachable_only:
        return lister(machine, run or Run()).space()
    return StatesSoFar(machine, run or Run()).listed(reachable_only=False)


def lister(machine: Machine, run: Run, *, lists_steps: bool = True) -> StateLister:
    """In columns; what arrays cannot hold is left to the interpreter."""
    try:
        return StatesInColumns(machine, run, lists_steps=lists_steps)
    except NotInColumns:
        return StatesSoFar(machine, run)


class StateLister(Protocol):
    """A way to list the reachable states of a machine. It may be left at any time, and goes on from there."""

    @property
    def met(self) -> int:
        """How many states there are so far."""

    @property
    def steps(self) -> int:
        """How many steps between them were met."""

    def first(self, condition: Expr) -> int | None:
        """The first state in which a condition may be true. No more is listed than that takes."""

    def path_to(self, number: int) -> list[int]:
        """The states on a shortest path from an initial state to this one."""

    def state(self, number: int) -> dict[str, Value]:
        """The values of the variables in a state that was met."""

    def inputs_between(self, before: State, after: State) -> dict[str, Value] | None:
        """Inputs of a step from one of them to another."""

    def space(self) -> ListedSpace:
        """All there are."""


class StatesInColumns:
    """The states and steps of a machine, batch by batch. Raises NotInColumns where arrays cannot hold the machine."""

    def __init__(self, machine: Machine, run: Run, *, lists_steps: bool) -> None:
        self.exploration = Exploration(machine, run, lists_steps=lists_steps)
        successors, table = self.exploration.successors, self.exploration.table
        interpreter = Interpreter.of(machine)
        self._valuation = PackedValuation(interpreter, successors, table)
        self.path_to, self.state = self.exploration.path_to, self._valuation.state
        self.inputs_between = interpreter.inputs_between

    @property
    def met(self) -> int:
        return self.exploration.met

    @property
    def steps(self) -> int:
        return self.exploration.steps

    def first(self, condition: Expr) -> int | None:
        try:
            return self.exploration.first(condition)
        except NotInColumns:
            return first_of(self.space().where(condition).mask)

    def space(self) -> ListedSpace:
        exploration = self.exploration
        exploration.finish()
        initial, leaving = np.zeros(exploration.met, dtype=np.bool_), np.ones(exploration.met, dtype=np.bool_)
        initial[: exploration.initial] = True
        for stuck in exploration.stuck:
            leaving[stuck] = False
        return ListedSpace(
            exploration.graph, initial, self._valuation, only_reachable=True, leaving=ExplicitSet(leaving)
        )


def first_of(mask: Mask) -> int | None:
    """The first member of a set of states."""
    return int(np.argmax(mask)) if mask.any() else None


class StatesSoFar:
    """The states found so far, and the steps between them."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self.run = run
        self.interpreter = Interpreter(machine)
        self.rows: list[Values] = []
        self._numbers: dict[Values, int] = {}
        self._sources, self._targets = array("q"), array("q")
        self._tries = 0
        self._space: ListedSpace | None = None

    @property
    def met(self) -> int:
        return len(self.rows)

    @property
    def steps(self) -> int:
        return len(self._targets)

    def state(self, number: int) -> dict[str, Value]:
        return self.interpreter.assignment(self.rows[number])

    def first(self, condition: Expr) -> int | None:
        """All states are listed for it: there are not many where each is a call of the interpreter."""
        return first_of(self.space().where(condition).mask)

    def path_to(self, number: int) -> list[int]:
        """A state was met on a step from the first of those that have a step to it."""
        path, initial = [number], self.space().initial.mask
        while not initial[path[-1]]:
            path.append(self._sources[self._targets.index(path[-1])])
        return path[::-1]

    def inputs_between(self, before: State, after: State) -> dict[str, Value] | None:
        return self.space().inputs_between(before, after)

    def space(self) -> ListedSpace:
        if self._space is None:
            self._space = self.listed()
        return self._space

    def listed(self, *, reachable_only: bool = True) -> ListedSpace:
        if not reachable_only:
            for state in self.interpreter.all_values():
                self.number(state)
        initial = [self.number(state) for state in self.interpreter.initial_values(trying=self.trying)]
        self.explore()
        mask = np.zeros(len(self.rows), dtype=np.bool_)
        mask[initial] = True
        return ListedSpace(self.graph(), mask, Valuation(self.interpreter, self.rows), only_reachable=reachable_only)

    def number(self, state: Values) -> int:
        number = self._numbers.setdefault(state, len(self.rows))
        if number == len(self.rows):
            self.rows.append(state)
            if number % STATES_PER_STEP == 0:
                self.look()
        return number

    def trying(self) -> None:
        self._tries += 1
        if self._tries % TRIES_PER_STEP == 0:
            self.look()

    def look(self) -> None:
        """Tell how far this is, and whether it may go on."""
        self.run.step("enumerate", states=len(self.rows), transitions=len(self._targets))
        for count, most, nouns in ((len(self.rows), MOST_STATES, "states"), (len(self._targets), MOST_STEPS, "steps")):
            if count > most:
                message = f"there are more than {most:,} {nouns}, too many to be listed one by one"
                raise LimitExceeded("states", f"{message}: sets of them can be BDDs (--carrier bdd)")

    def explore(self) -> None:
        for explored, state in enumerate(self.rows):  # grows while it is walked
            if explored % STATES_PER_STEP == 0:
                self.look()
            successors = self.interpreter.successor_values(state, trying=self.trying)
            for after in dict.fromkeys(after for _, after in successors):
                self._sources.append(explored)
                self._targets.append(self.number(after))

    def graph(self) -> Csr:
        ends = (np.frombuffer(column, np.int64) for column in (self._sources, self._targets))
        return Csr.from_edges(len(self.rows), *ends)
