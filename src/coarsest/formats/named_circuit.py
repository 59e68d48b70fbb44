"""Circuits, whose signals are numbers, on their way to formats in which every signal has a name: BLIF and BENCH."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence

from coarsest.model.circuit import Circuit


class NamedCircuit(ABC):
    """The signals of a circuit, each with a name that no other has; outputs come first, then bad states."""

    def __init__(self, circuit: Circuit, no_name: re.Pattern[str]) -> None:
        """The characters of a name that `no_name` matches become underscores."""
        self.circuit, self._no_name = circuit, no_name
        self._taken: set[str] = set()
        self.lines: list[str] = []
        self.signals: dict[int, str] = {}
        """Names by literals; negations and constants are added when they are needed."""
        inputs = self._named("i", "input", circuit.inputs)
        latches = self._named("l", "latch", [row.literal for row in circuit.latches])
        self.inputs = [name for name, _ in inputs]
        self.signals.update((literal, name) for name, literal in (*inputs, *latches))
        self.outputs = [*self._named("o", "output", circuit.outputs), *self._named("b", "bad", circuit.bad)]
        for gate in circuit.gates:
            self.signals[gate.literal] = self.free("", f"n{gate.literal >> 1}")

    def _named(self, letter: str, title: str, literals: Sequence[int]) -> list[tuple[str, int]]:
        symbols = self.circuit.symbols
        return [(self.free(symbols.get(f"{letter}{k}", ""), f"{title}_{k}"), literal) for k, literal in enumerate(literals)]

    def free(self, symbol: str, otherwise: str) -> str:
        """A name that no signal has yet: like the symbol, unless that is empty."""
        name = self._no_name.sub("_", symbol.strip()) or otherwise
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def signal(self, literal: int) -> str:
        """The name of a literal; a negation or a constant is defined when it is first asked for."""
        if literal not in self.signals:
            self.signals[literal] = self.free("", f"n{literal >> 1}_not" if literal > 1 else f"always_{literal}")
            self.define(self.signals[literal], literal)
        return self.signals[literal]

    @abstractmethod
    def define(self, name: str, literal: int) -> None:
        """Add the line that says that a signal is a literal."""
