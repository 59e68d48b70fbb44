"""Circuits as AIGER files, in both forms. They are in version 1.0 if it can express everything in the circuit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from coarsest.model.circuit import Circuit, Gate, Latch


def to_ascii(circuit: Circuit) -> bytes:
    """The text of a circuit.

    >>> print(to_ascii(Circuit(inputs=[2], latches=[Latch(4, 6, 4)], gates=[Gate(6, 5, 2)], outputs=[7])).decode(), end="")
    aag 3 1 1 1 1
    2
    4 6 4
    7
    6 5 2
    """
    rows: list[Sequence[int]] = [(literal,) for literal in circuit.inputs]
    rows += [latch if latch.reset else latch[:2] for latch in circuit.latches]
    rows += _claims(circuit)
    rows += circuit.gates
    return (_lines("aag", circuit, rows) + _names(circuit)).encode()


def to_binary(circuit: Circuit) -> bytes:
    """The binary form: variables are renumbered, inputs first, then latches, then gates."""
    circuit = _renumbered(circuit)
    rows: list[Sequence[int]] = [latch[1:] if latch.reset else latch[1:2] for latch in circuit.latches]
    rows += _claims(circuit)
    gates = bytearray()
    for literal, left, right in circuit.gates:
        large, small = max(left, right), min(left, right)
        gates += bytes(_sevenths(literal - large))
        gates += bytes(_sevenths(large - small))
    return _lines("aig", circuit, rows).encode() + bytes(gates) + _names(circuit).encode()


def _lines(form: str, circuit: Circuit, rows: Iterable[Sequence[int]]) -> str:
    """The header, without zeros that version 1.0 has no room for, and the rows."""
    counts = list(circuit.counts)
    while len(counts) > 5 and not counts[-1]:
        counts.pop()
    return f"{form} {' '.join(map(str, counts))}\n" + "".join(f"{' '.join(map(str, row))}\n" for row in rows)


def _claims(circuit: Circuit) -> list[Sequence[int]]:
    literals = (*circuit.outputs, *circuit.bad, *circuit.constraints, *map(len, circuit.justice))
    rest = (*(literal for row in circuit.justice for literal in row), *circuit.fairness)
    return [(literal,) for literal in (*literals, *rest)]


def _names(circuit: Circuit) -> str:
    """The symbol table and the comment; a name stands on one line."""
    lines = [f"{key} {' '.join(name.split())}\n" for key, name in circuit.symbols.items() if name.strip()]
    return "".join(lines) + (f"c\n{circuit.comment}" if circuit.comment else "")


def _sevenths(number: int) -> Iterator[int]:
    while number >= 0x80:
        yield number & 0x7F | 0x80
        number >>= 7
    yield number


def _renumbered(circuit: Circuit) -> Circuit:
    new = {0: 0}
    for number, literal in enumerate((*circuit.inputs, *(row[0] for row in (*circuit.latches, *circuit.gates))), start=1):
        new[literal] = 2 * number

    def of(literal: int) -> int:
        return new[literal & ~1] ^ (literal & 1)

    def all_of(literals: Iterable[int]) -> list[int]:
        return list(map(of, literals))

    return Circuit(
        all_of(circuit.inputs),
        [Latch(of(row.literal), of(row.next), of(row.reset)) for row in circuit.latches],
        [Gate(*all_of(gate)) for gate in circuit.gates],
        all_of(circuit.outputs), all_of(circuit.bad), all_of(circuit.constraints), list(map(all_of, circuit.justice)),
        all_of(circuit.fairness), circuit.symbols, circuit.comment,
    )  # fmt: skip
