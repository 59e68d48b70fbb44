"""Circuits as BENCH: gates are `AND`, `NOT` and `BUFF`. What must never happen becomes an output, since BENCH cannot express it.

All flip-flops begin with 0. A latch that begins with 1 is written as the negation of a flip-flop. A latch that may begin with any
value has the value of an additional input at first; another flip-flop, which is 0 only at first, says when that is.
"""

from __future__ import annotations

import re

from coarsest.formats.named_circuit import NamedCircuit
from coarsest.model.circuit import Circuit

_NO_NAME = re.compile(r"[\s()=,#]")
"""Characters that no name of BENCH contains."""


def to_text(circuit: Circuit, name: str) -> str:
    """The text of a circuit; outputs come first, then bad states.

    >>> from coarsest.model.circuit import Gate, Latch
    >>> print(to_text(Circuit([2], [Latch(4, 6)], [Gate(6, 5, 2)], [7], symbols={"i0": "go", "l0": "on", "o0": "off"}), "m"))
    # m
    INPUT(go)
    OUTPUT(off)
    on = DFF(n3)
    n2_not = NOT(on)
    n3 = AND(n2_not, go)
    off = NOT(n3)
    <BLANKLINE>
    """
    return _Gates(circuit, _NO_NAME).text(name)


class _Gates(NamedCircuit):
    def text(self, name: str) -> str:
        for literal, following, reset in self.circuit.latches:
            latch = self.signals[literal]
            if reset == 0:
                self._line(latch, "DFF", self.signal(following))
            elif reset == 1:
                self._line(latch, "NOT", self._flip_flop(latch, self.signal(following ^ 1)))
            else:
                self._begin_with_any(latch, self.signal(following))
        for literal, left, right in self.circuit.gates:
            self._line(self.signals[literal], "AND", self.signal(left), self.signal(right))
        for output, literal in self.outputs:
            self.define(output, literal)
        head = [f"# {' '.join(name.split())}", *(f"INPUT({signal})" for signal in self.inputs)]
        return "\n".join([*head, *(f"OUTPUT({signal})" for signal, _ in self.outputs), *self.lines, ""])

    def define(self, name: str, literal: int) -> None:
        if literal < 2:
            self.lines.append(f"{name} = {('GND', 'VDD')[literal]}")
        else:
            self._line(name, "NOT" if literal & 1 else "BUFF", self.signals[literal & ~1])

    def _line(self, name: str, gate: str, *operands: str) -> None:
        self.lines.append(f"{name} = {gate}({', '.join(operands)})")

    def _flip_flop(self, latch: str, following: str) -> str:
        memory = self.free(f"{latch}_memory", "")
        self._line(memory, "DFF", following)
        return memory

    def _begin_with_any(self, latch: str, following: str) -> None:
        first, memory = self.free(f"{latch}_first", ""), self._flip_flop(latch, following)
        self.inputs.append(first)
        if -1 not in self.signals:  # signals that are true after the first moment, and at it
            self.signals[-1], self.signals[-2] = self.free("begun", ""), self.free("begun_not", "")
            self._line(self.signals[-1], "DFF", self.signal(1))
            self._line(self.signals[-2], "NOT", self.signals[-1])
        parts = [self.free(f"{latch}_{when}", "") for when in ("later", "at_first")]
        self._line(parts[0], "AND", self.signals[-1], memory)
        self._line(parts[1], "AND", self.signals[-2], first)
        self._line(latch, "OR", *parts)
