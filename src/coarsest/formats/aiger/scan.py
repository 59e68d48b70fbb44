"""The bytes of an AIGER file to a circuit: both forms, versions 1.0 and 1.9.

Nothing is allocated because a header says so: every count is first compared with the bytes that are there.

Reference: Biere 2007, "The AIGER and-inverter graph (AIG) format version 20071012"; Biere, Heljanko, Wieringa 2011, "AIGER 1.9
           and beyond".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from coarsest.errors import InputError, ModelProblem, NameProblem, SyntaxProblem
from coarsest.formats.aiger.bytes_of_gates import gates_of
from coarsest.model.checks.dependencies import circle
from coarsest.model.circuit import Circuit, Gate, Latch
from coarsest.text import Span, excerpt
from coarsest.text.printable import shortened

HEADER = "the first line is aag or aig, then the numbers M I L O A and perhaps B C J F"
SYMBOL = re.compile(rb"([ilobcjf])([0-9]{1,18}) (.*)")
NUMBER = re.compile(rb"[0-9]{1,18}")
IDLE: Final = 1_000_000
"""The number of inputs that take no bytes of the file: the first line of a small file must not allocate much memory."""


def scan(data: bytes, name: str) -> Circuit:
    """The circuit that an AIGER file describes."""
    return _File(data, name).circuit()


class _File:
    """A file, read from its beginning up to `at`."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.name, self.at = data, name, 0
        self.begin = 0
        """The beginning of the line before `at`."""
        self.is_binary = data.startswith(b"aig")
        self.counts = self._header()
        self.largest = 2 * self.counts[0] + 1

    def circuit(self) -> Circuit:
        _, inputs, latches, outputs, gates, bad, constraints, justice, fairness = self.counts
        input_literals = self._inputs(inputs)
        latch_rows = [self._latch(2 * (inputs + 1 + number)) for number in range(latches)]
        output_literals, bad_literals = self._literals(outputs, "an output"), self._literals(bad, "a bad state")
        constraint_literals = self._literals(constraints, "a constraint")
        sizes = [self._size() for _ in range(justice)]
        justice_literals = [self._literals(size, "a justice literal") for size in sizes]
        fairness_literals = self._literals(fairness, "a fairness constraint")
        rows = self._binary_gates(inputs + latches, gates) if self.is_binary else self._gates(gates)
        symbols, comment = self._symbols()
        circuit = Circuit(
            input_literals, latch_rows, rows, output_literals, bad_literals, constraint_literals, justice_literals,
            fairness_literals, symbols, comment,
        )  # fmt: skip
        return circuit if self.is_binary else self._in_order(circuit)

    # The header

    def _header(self) -> tuple[int, ...]:
        words = self._line().split()
        if not words or words[0] not in (b"aag", b"aig"):
            raise self._wrong("this is not an AIGER file", hint=HEADER)
        if not 6 <= len(words) <= 10:
            raise self._wrong(f"found {len(words) - 1} numbers in the header, expected 5 to 9", hint=HEADER)
        for word in words[1:]:
            if not word.isdigit():
                raise self._wrong(f"found `{_shown(word)}`, expected a number", word, hint=HEADER)
            if not NUMBER.fullmatch(word):
                raise self._wrong("no circuit is this large", word, hint=HEADER)
        counts = (*map(int, words[1:]), 0, 0, 0, 0)[:9]
        self._require_room(counts)
        return counts

    def _require_room(self, counts: tuple[int, ...]) -> None:
        """Raise an error if the numbers of a header contradict one another, or the length of the file."""
        most, inputs, latches, _, gates = counts[:5]
        used = inputs + latches + gates
        if most < used or (self.is_binary and most != used):
            relation = "be" if self.is_binary else "be at least"
            hint = f"the first number is the largest variable; here it has to {relation} {used}"
            raise self._wrong(f"{most} variables, but {used} inputs, latches and gates", hint=hint)
        needed = 2 * (sum(counts[2:]) + (0 if self.is_binary else inputs + 2 * gates))
        rest = len(self.data) - self.at
        if needed > rest + 1 or inputs > rest + IDLE:
            message = f"the header announces more than fits into the {rest} bytes that follow"
            raise self._wrong(message, hint="the file is cut off, or its header is wrong")

    # Lines

    def _line(self) -> bytes:
        self.begin = self.at
        end = self.data.find(b"\n", self.at)
        end = len(self.data) if end < 0 else end
        self.at = min(end + 1, len(self.data))
        return self.data[self.begin : end]

    def _numbers(self, least: int, most: int, what: str) -> list[int]:
        """The literals of the next line: at least `least`, at most `most`."""
        if self.at >= len(self.data):
            raise self._ended(what)
        words = self._line().split()
        if not least <= len(words) <= most:
            expected = str(least) if least == most else f"{least} or {most}"
            raise self._wrong(f"found {len(words)} numbers, expected {expected}: {what}")
        numbers = []
        for word in words:
            if not (word.isdigit() and len(word) <= 19):
                raise self._wrong(f"found `{_shown(word)}`, expected a literal: {what}", word)
            number = int(word)
            if number > self.largest:
                raise self._wrong(f"{number} is not a literal, the largest is {self.largest}", word, hint="the header says so")
            numbers.append(number)
        return numbers

    def _literals(self, count: int, what: str) -> list[int]:
        return [self._numbers(1, 1, what)[0] for _ in range(count)]

    def _size(self) -> int:
        if self.at >= len(self.data):
            raise self._ended("the size of a justice property")
        word = self._line().strip()
        if not NUMBER.fullmatch(word) or 2 * int(word) > len(self.data) - self.at + 1:
            message = f"found `{_shown(word)}`, expected the size of a justice property, no larger than the rest of the file"
            raise self._wrong(message, word)
        return int(word)

    def _inputs(self, count: int) -> Sequence[int]:
        if self.is_binary:
            return range(2, 2 * count + 2, 2)
        return [self._fresh(self._numbers(1, 1, "an input")[0]) for _ in range(count)]

    def _latch(self, literal: int) -> Latch:
        if self.is_binary:
            row = [literal, *self._numbers(1, 2, "a latch is its next literal, and perhaps a reset value")]
        else:
            row = self._numbers(2, 3, "a latch is its literal, the next one, and perhaps a reset value")
            self._fresh(row[0])
        if len(row) == 3 and row[2] not in (0, 1, row[0]):
            hint = f"write 0, 1, or {row[0]} where the latch may begin with any value"
            raise self._wrong(f"a latch cannot be reset to {row[2]}", hint=hint)
        return Latch(*row)

    def _fresh(self, literal: int) -> int:
        if literal < 2 or literal & 1:
            raise self._wrong(f"{literal} cannot be defined: it is a constant or negated", hint="write an even number from 2 on")
        return literal

    # Gates

    def _gates(self, count: int) -> list[Gate]:
        rows = []
        for _ in range(count):
            row = self._numbers(3, 3, "an and-gate is its literal and two others")
            self._fresh(row[0])
            rows.append(Gate(*row))
        return rows

    def _binary_gates(self, before: int, count: int) -> list[Gate]:
        rows, self.at, problem = gates_of(self.data, self.at, before, count)
        if problem:
            message = f"at byte {self.at}, in the and-gates: {problem}"
            raise SyntaxProblem(message, self._whole(), hint="the file is cut off or corrupted")
        return rows

    def _in_order(self, circuit: Circuit) -> Circuit:
        """The same circuit with every gate after the gates that it reads. Every literal must be defined exactly once."""
        defined: dict[int, Gate | None] = {0: None}
        for literal in (*circuit.inputs, *(row[0] for row in (*circuit.latches, *circuit.gates))):
            if literal in defined:
                raise NameProblem(f"the literal {literal} is defined twice", self._whole(), hint="each variable has one line")
            defined[literal] = None
        defined.update((gate.literal, gate) for gate in circuit.gates)
        used = [*circuit.outputs, *circuit.bad, *circuit.constraints, *circuit.fairness, *(row.next for row in circuit.latches)]
        used += [literal for row in circuit.justice for literal in row]
        used += [literal for gate in circuit.gates for literal in (gate.left, gate.right)]
        for literal in used:
            if literal & ~1 not in defined:
                hint = "define it as an input, a latch or an and-gate"
                raise NameProblem(f"the literal {literal} is used, but {literal & ~1} is not defined", self._whole(), hint=hint)
        if all(gate.literal > gate.left and gate.literal > gate.right for gate in circuit.gates):
            gates: Iterable[Gate] = sorted(circuit.gates)
        else:
            gates = self._sorted(circuit.gates, defined)
        return Circuit(
            circuit.inputs, circuit.latches, list(gates), circuit.outputs, circuit.bad, circuit.constraints, circuit.justice,
            circuit.fairness, circuit.symbols, circuit.comment,
        )  # fmt: skip

    def _sorted(self, gates: Sequence[Gate], defined: dict[int, Gate | None]) -> Iterable[Gate]:
        def below(literal: int) -> list[int]:
            gate = defined[literal]
            return [] if gate is None else [gate.left & ~1, gate.right & ~1]

        done: dict[int, bool] = {}
        around = circle([gate.literal for gate in gates], below, done)
        if around is not None:
            shown = " → ".join(map(str, [*around[:6], *(["…"] if len(around) > 6 else []), around[0]]))
            raise ModelProblem(f"the and-gate {around[0]} depends on itself", self._whole(), hint=f"the cycle is {shown}")
        return (gate for literal in done if (gate := defined[literal]) is not None)

    # Symbols and comments

    def _symbols(self) -> tuple[dict[str, str], str]:
        """The names, and the comment after the line `c`."""
        sizes = dict(zip("iloabcjf", self.counts[1:]))
        names: dict[str, str] = {}
        while self.at < len(self.data):
            line = self._line().rstrip(b"\r")
            if line == b"c":
                return names, self.data[self.at :].decode("utf-8", "replace")
            match = SYMBOL.fullmatch(line)
            if match is None:
                if not line.strip() and self.at == len(self.data):
                    break
                hint = "a symbol is written as in `i0 request`, and a comment begins with the line `c`"
                raise self._wrong(f"found `{_shown(line)}`, expected a symbol or a comment", hint=hint)
            letter, number = match.group(1).decode(), int(match.group(2))
            if number >= sizes[letter]:
                raise self._wrong(f"there is no `{letter}{number}`", match.group(1) + match.group(2))
            names[f"{letter}{number}"] = match.group(3).decode("utf-8", "backslashreplace")
        return names, ""

    # Errors

    def _whole(self) -> Span:
        return Span(excerpt(self.data, self.name, 0), 0, 1)

    def _wrong(self, message: str, word: bytes | None = None, *, hint: str = "") -> InputError:
        line = excerpt(self.data, self.name, self.begin)
        start = max(0, line.text.find(word.decode("utf-8", "replace"))) if word else 0
        end = start + len(word) if word else len(line.text)
        return SyntaxProblem(message, Span(line, start, max(start + 1, end)), hint=hint)

    def _ended(self, what: str) -> InputError:
        self.begin = self.data.rfind(b"\n", 0, max(0, len(self.data) - 1)) + 1
        return self._wrong(f"the file ends, expected {what}", hint="the file is cut off, or its header is wrong")


def _shown(word: bytes) -> str:
    return shortened(word.decode("utf-8", "replace"))
