"""The values of variables in many states at once, by columns: numbers that stand for values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from coarsest.logic.expr import Expr, Value
from coarsest.lts.csr import Mask, Nodes
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.run import Run

Codes: TypeAlias = NDArray[np.int64]

STATES_PER_STEP: Final = 500
"""How many states are looked at between two looks at the limits."""


class Valuation:
    """A value for each state variable in each of the states 0, 1, …; labels are evaluated by the interpreter."""

    def __init__(self, interpreter: Interpreter, rows: Sequence[Values]) -> None:
        self.interpreter = interpreter
        self._rows = rows
        self._columns: dict[int, tuple[Codes, list[Value]]] = {}

    @property
    def count(self) -> int:
        return len(self._rows)

    def row(self, number: int) -> Values:
        return self._rows[number]

    def state(self, number: int) -> dict[str, Value]:
        return self.interpreter.assignment(self._rows[number])

    @cached_property
    def _numbers(self) -> dict[Values, int]:
        return {row: number for number, row in enumerate(self._rows)}

    def number(self, state: Mapping[str, Value]) -> int | None:
        """The state with these values, if it is here."""
        return self._numbers.get(tuple(state[v.name] for v in self.interpreter.state_variables))

    def steps_by(self, inputs: Sequence[str], run: Run) -> Iterator[tuple[tuple[Value, ...], Nodes, Nodes]]:
        """Values of some inputs, with the sources and targets of steps by them, some of them perhaps more than once."""
        places = [[v.name for v in self.interpreter.input_variables].index(name) for name in inputs]
        for number in range(self.count):
            if number % STATES_PER_STEP == 0:
                run.step("actions", states=number)
            by_values: dict[tuple[Value, ...], list[int]] = {}
            for given, after in self.interpreter.successor_values(self.row(number)):
                target = self.number(self.interpreter.assignment(after))
                if target is not None:
                    by_values.setdefault(tuple(given[place] for place in places), []).append(target)
            for values, targets in by_values.items():
                yield values, np.full(len(targets), number), np.array(targets, dtype=np.int64)

    def where(self, label: Expr) -> Mask:
        """The states in which a boolean expression holds: it is evaluated once for each combination of values it reads."""
        read = self.interpreter.variables_read(label)
        names = [self.interpreter.state_variables[position].name for position in read]
        columns = [self._column(position) for position in read]
        combined = self.alike(read)
        _, examples = np.unique(combined, return_index=True)
        holds = np.zeros(len(examples), dtype=np.bool_)
        for combination, example in enumerate(examples):
            state = {name: values[codes[example]] for name, (codes, values) in zip(names, columns)}
            holds[combination] = self.interpreter.satisfies(label, state)
        return holds[combined]

    def alike(self, positions: Sequence[int]) -> Codes:
        """A number for each state, the same for states with the same values of the variables at these positions."""
        combined: Codes = np.zeros(self.count, dtype=np.int64)
        for position in positions:
            codes, values = self._column(position)
            # Renumbered after each column, so that the numbers stay below the number of states times that of values.
            combined = np.unique(combined * len(values) + codes, return_inverse=True)[1].reshape(-1)
        return combined

    def bits(self, position: int, width: int, code: Callable[[Value], int]) -> NDArray[np.bool_]:
        """The bits of one variable in all states, the highest first, if its values are held as these numbers."""
        codes, values = self._column(position)
        numbers = [code(value) for value in values]
        table = np.array([[number >> place & 1 for place in reversed(range(width))] for number in numbers], dtype=np.bool_)
        return table.reshape(len(values), width)[codes]

    def _column(self, position: int) -> tuple[Codes, list[Value]]:
        if position not in self._columns:
            values: dict[Value, int] = {}
            codes = np.fromiter((values.setdefault(row[position], len(values)) for row in self._rows), np.int64, len(self._rows))
            self._columns[position] = codes, list(values)
        return self._columns[position]
