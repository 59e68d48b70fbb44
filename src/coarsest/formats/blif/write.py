"""Circuits as BLIF: every gate is a table of two inputs. A bad state becomes an output, since BLIF cannot express properties."""

from __future__ import annotations

import re

from coarsest.formats.named_circuit import NamedCircuit
from coarsest.model.circuit import Circuit

_NO_NAME = re.compile(r"[\s#=\\]|^\.")
"""Characters that no name of BLIF contains."""


def to_text(circuit: Circuit, name: str) -> str:
    """The text of a circuit; outputs come first, then bad states.

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
    return _Tables(circuit, _NO_NAME).text(name)


class _Tables(NamedCircuit):
    def text(self, name: str) -> str:
        circuit = self.circuit
        latches = [f".latch {self.signal(row.next)} {self.signals[row.literal]} {3 if row.reset == row.literal else row.reset}"
                   for row in circuit.latches]  # fmt: skip
        for literal, left, right in circuit.gates:
            self._table([left, right], self.signals[literal])
        for output, literal in self.outputs:
            self.define(output, literal)
        head = [f".model {_NO_NAME.sub('_', name) or 'main'}", f".inputs {' '.join(self.inputs)}".rstrip(),
                f".outputs {' '.join(output for output, _ in self.outputs)}".rstrip()]  # fmt: skip
        return "\n".join([*head, *latches, *self.lines, ".end", ""])

    def define(self, name: str, literal: int) -> None:
        self._table([literal], name)

    def _table(self, literals: list[int], output: str) -> None:
        """A table for a conjunction; a constant has a table without inputs."""
        if min(literals) == 0:
            self.lines.append(f".names {output}")
            return
        rest = [literal for literal in literals if literal != 1]
        inputs = "".join(f"{self.signals[literal & ~1]} " for literal in rest)
        row = "".join("0" if literal & 1 else "1" for literal in rest)
        self.lines += [f".names {inputs}{output}", f"{row} 1".strip()]
