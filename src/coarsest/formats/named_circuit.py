"""Circuits of numbers on their way to formats in which every signal has a name: BLIF and BENCH."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence

from coarsest.model.circuit import Circuit


class NamedCircuit(ABC):
    """The signals of a circuit, each with a name that no other has; outputs come first, then bad states."""

    def __init__(self, circuit: Circuit, no_name: re.Pattern[str]) -> None:
        """What `no_name` matches in a name becomes an underscore."""
        self.circuit, self._no_name = circuit, no_name
        self._taken: set[str] = set()
        self.lines: list[str] = []
        self.signals: dict[int, str] = {}
        """Names by literals; those of negations and constants as they are needed."""
        self.inputs = self._named("i", "input", circuit.inputs)
        self._named("l", "latch", [row.literal for row in circuit.latches])
        claims = [("o", "output", circuit.outputs), ("b", "bad", circuit.bad)]
        self.outputs = [(self.free(circuit.symbols.get(f"{letter}{number}", ""), f"{title}_{number}"), literal)
                        for letter, title, literals in claims for number, literal in enumerate(literals)]  # fmt: skip
        for gate in circuit.gates:
            self.signals[gate.literal] = self.free("", f"n{gate.literal >> 1}")

    def _named(self, letter: str, title: str, literals: Sequence[int]) -> list[str]:
        names = [self.free(self.circuit.symbols.get(f"{letter}{number}", ""), f"{title}_{number}")
                 for number in range(len(literals))]  # fmt: skip
        self.signals.update(zip(literals, names))
        return names

    def free(self, symbol: str, otherwise: str) -> str:
        """A name like the symbol, if there is one, which is taken from now on."""
        name = self._no_name.sub("_", symbol.strip()) or otherwise
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def signal(self, literal: int) -> str:
        """The name of a literal; a negation or a constant is made where it is asked for first."""
        if literal not in self.signals:
            self.signals[literal] = self.free("", f"n{literal >> 1}_not" if literal > 1 else f"always_{literal}")
            self.define(self.signals[literal], literal)
        return self.signals[literal]

    @abstractmethod
    def define(self, name: str, literal: int) -> None:
        """Add the line that says that a signal is a literal."""
