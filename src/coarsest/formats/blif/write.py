"""Circuits as BLIF: every gate is a table of two inputs. What must never happen is an output: BLIF has no other word for it."""

from __future__ import annotations

import re

from coarsest.model.circuit import Circuit

_NO_NAME = re.compile(r"[\s#=\\]|^\.")
"""What a name of BLIF does not contain."""


def to_text(circuit: Circuit, name: str) -> str:
    """The text of a circuit; outputs come first, then bad states, then constraints.

    >>> from coarsest.model.circuit import Gate, Latch
    >>> print(to_text(Circuit([2], [Latch(4, 6)], [Gate(6, 5, 2)], [7], symbols={"i0": "go", "l0": "on", "o0": "off"}), "m"))
    .model m
    .inputs go
    .outputs off
    .latch n3 on 0
    .names on go n3
    01 1
    .names n3 off
    0 1
    .end
    <BLANKLINE>
    """
    return _Writing(circuit).text(name)


class _Writing:
    """The signals of a circuit, with names."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self._taken: set[str] = set()
        self._lines: list[str] = []
        self._signals: dict[int, str] = {}
        """Names by literals; those of negations and constants as they are needed."""

    def text(self, name: str) -> str:
        circuit = self.circuit
        inputs = self._named("i", "input", list(circuit.inputs))
        self._named("l", "latch", [row.literal for row in circuit.latches])
        claims = [("o", "output", circuit.outputs), ("b", "bad", circuit.bad)]
        outputs = [(self._free(circuit.symbols.get(f"{letter}{number}", ""), f"{title}_{number}"), literal)
                   for letter, title, literals in claims for number, literal in enumerate(literals)]  # fmt: skip
        for gate in circuit.gates:
            self._signals[gate.literal] = self._free("", f"n{gate.literal >> 1}")
        latches = [f".latch {self._signal(row.next)} {self._signals[row.literal]} {self._first(row.literal, row.reset)}"
                   for row in circuit.latches]  # fmt: skip
        for literal, left, right in circuit.gates:
            self._table([left, right], self._signals[literal])
        for output, literal in outputs:
            self._table([literal], output)
        head = [f".model {_NO_NAME.sub('_', name) or 'main'}", f".inputs {' '.join(inputs)}".rstrip(),
                f".outputs {' '.join(output for output, _ in outputs)}".rstrip()]  # fmt: skip
        return "\n".join([*head, *latches, *self._lines, ".end", ""])

    def _named(self, letter: str, title: str, literals: list[int]) -> list[str]:
        names = [self._free(self.circuit.symbols.get(f"{letter}{number}", ""), f"{title}_{number}")
                 for number in range(len(literals))]  # fmt: skip
        self._signals.update(zip(literals, names))
        return names

    def _free(self, symbol: str, otherwise: str) -> str:
        name = _NO_NAME.sub("_", symbol.strip()) or otherwise
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    @staticmethod
    def _first(literal: int, reset: int) -> int:
        return 3 if reset == literal else reset

    def _table(self, literals: list[int], output: str) -> None:
        """A conjunction; of constants there is a table without inputs."""
        if min(literals) == 0:
            self._lines.append(f".names {output}")
            return
        rest = [literal for literal in literals if literal != 1]
        inputs = "".join(f"{self._signals[literal & ~1]} " for literal in rest)
        row = "".join("0" if literal & 1 else "1" for literal in rest)
        self._lines += [f".names {inputs}{output}", f"{row} 1".strip()]

    def _signal(self, literal: int) -> str:
        if literal not in self._signals:
            self._signals[literal] = self._free("", f"n{literal >> 1}_not" if literal > 1 else f"always_{literal}")
            self._table([literal], self._signals[literal])
        return self._signals[literal]
