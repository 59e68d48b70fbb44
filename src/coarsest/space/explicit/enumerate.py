"""From a machine to its explicit state space, state by state with the interpreter.

Reference: breadth-first search.
Invariant: states are numbered in the order in which they were found; those before `explored` have all their edges.
Cost:      one call of the interpreter per state: for small machines, and as the twin of the symbolic carrier.
"""

from __future__ import annotations

from array import array

import numpy as np

from coarsest.lts.csr import Csr
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.machine import Machine
from coarsest.run import Run
from coarsest.space.explicit.explicit import ExplicitSpace
from coarsest.space.explicit.valuation import Valuation

STATES_PER_STEP = 500
"""How many states are explored between two looks at the limits."""


def enumerate_machine(machine: Machine, run: Run | None = None, *, reachable_only: bool = True) -> ExplicitSpace:
    """The explicit state space of a machine: its reachable states, or all that satisfy the invariant constraints."""
    run = run or Run()
    interpreter = Interpreter(machine)
    numbers: dict[Values, int] = {}
    rows: list[Values] = []

    def number(state: Values) -> int:
        found = numbers.setdefault(state, len(rows))
        if found == len(rows):
            rows.append(state)
            if found % STATES_PER_STEP == 0:
                run.step("enumerate", states=len(rows), transitions=len(targets))
        return found

    sources, targets = array("q"), array("q")
    if not reachable_only:
        for state in interpreter.all_values():
            number(state)
    initial = [number(state) for state in interpreter.initial_values()]
    explored = 0
    while explored < len(rows):
        if explored % STATES_PER_STEP == 0:
            run.step("enumerate", states=len(rows), transitions=len(targets))
        for after in dict.fromkeys(after for _, after in interpreter.successor_values(rows[explored])):
            sources.append(explored)
            targets.append(number(after))
        explored += 1
    graph = Csr.from_edges(len(rows), np.frombuffer(sources, np.int64), np.frombuffer(targets, np.int64))
    mask = np.zeros(len(rows), dtype=np.bool_)
    mask[initial] = True
    return ExplicitSpace(graph, mask, valuation=Valuation(interpreter, rows))
