"""From a machine to its explicit state space, state by state with the interpreter.

Reference: breadth-first search.
Symbols:   –
Invariant: states are numbered in the order in which they were found; those before `explored` have all their edges.
Deviates:  –
Cost:      one call of the interpreter per state, and some ten thousand steps a second: for machines with few states, and as the
           twin of the symbolic carrier.
"""

from __future__ import annotations

from array import array
from typing import Final

import numpy as np

from coarsest.errors import LimitExceeded
from coarsest.lts.csr import Csr
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.machine import Machine
from coarsest.run import Run
from coarsest.space.explicit.listed import STATES_PER_STEP, ListedSpace
from coarsest.space.explicit.valuation import Valuation

MOST_STATES: Final = 1_000_000
MOST_STEPS: Final = 5_000_000
"""More are not listed: they take some hundred bytes each, and the interpreter some minutes."""
TRIES_PER_STEP: Final = 20_000
"""Values that are tried, on the way to a single state, before the limits are looked at."""


def enumerate_machine(machine: Machine, run: Run | None = None, *, reachable_only: bool = True) -> ListedSpace:
    """The explicit state space of a machine: its reachable states, or all that satisfy the invariant constraints."""
    return StatesSoFar(machine, run or Run()).space(reachable_only=reachable_only)


class StatesSoFar:
    """The states found so far, and the steps between them."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self.run = run
        self.interpreter = Interpreter(machine)
        self.rows: list[Values] = []
        self._numbers: dict[Values, int] = {}
        self._sources, self._targets = array("q"), array("q")
        self._tries = 0

    def space(self, *, reachable_only: bool = True) -> ListedSpace:
        """All there are to be found."""
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
