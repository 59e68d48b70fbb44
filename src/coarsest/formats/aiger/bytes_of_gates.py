"""The and-gates of a binary AIGER file, all at once: each is two differences, seven bits to a byte, the lowest first.

The literal of a gate follows from its position; the first difference is from there to the larger operand, the second from the
larger operand to the smaller.

Reference: Biere 2007, "The AIGER and-inverter graph (AIG) format version 20071012", section 4.
Symbols:   `begins` and `ends` are the positions of the first and of the last bytes of numbers.
Invariant: –
Deviates:  the numbers of a large file are decoded at once, in arrays; those of a small file one by one, in less time than
           importing NumPy takes.
Cost:      linear; a few arrays of eight bytes for each byte of the gates.
"""

from __future__ import annotations

from typing import Final

from coarsest import tuning
from coarsest.model.circuit import Gate

LONGEST: Final = 5
"""The number of bytes of a difference below 2^31; circuits have no larger variables."""


def gates_of(data: bytes, start: int, before: int, count: int) -> tuple[list[Gate], int, str]:
    """The gates after `before` other variables, and the position after their last byte; or no gates, the position of an error,
    and a message.

    >>> gates_of(bytes([6 - 4, 4 - 2]), 0, 2, 1)
    ([Gate(literal=6, left=4, right=2)], 2, '')
    >>> gates_of(bytes([0x80]), 0, 2, 1)[2]
    'the file ends after 0 of 2 numbers'
    """
    if count <= tuning.GATES_WITHOUT_NUMPY and (read := _one_by_one(data, start, before, count)) is not None:
        return *read, ""
    import numpy as np

    content = np.frombuffer(data, dtype=np.uint8, offset=min(start, len(data)))[: 2 * LONGEST * count]
    ends = np.flatnonzero(content < 0x80)[: 2 * count]
    if len(ends) < 2 * count:
        return [], start + len(content), f"the file ends after {len(ends)} of {2 * count} numbers"
    begins = np.concatenate(([0], ends[:-1] + 1))
    lengths = ends + 1 - begins
    if lengths.max() > LONGEST:
        return [], start + int(begins[lengths.argmax()]), f"a number of more than {LONGEST} bytes"
    content = content[: ends[-1] + 1]
    shifts = 7 * (np.arange(len(content)) - np.repeat(begins, lengths))
    differences = np.add.reduceat((content & 0x7F).astype(np.int64) << shifts, begins)
    literals = 2 * (before + 1 + np.arange(count, dtype=np.int64))
    left = literals - differences[::2]
    right = left - differences[1::2]
    wrong = np.flatnonzero((left < 0) | (right < 0) | (left >= literals))
    if len(wrong):
        index = int(wrong[0])
        message = f"and-gate {int(literals[index])} would read itself, a later variable, or a negative literal"
        return [], start + int(begins[2 * index]), message
    rows = list(map(Gate._make, zip(literals.tolist(), left.tolist(), right.tolist())))
    return rows, start + int(ends[-1]) + 1, ""


def _one_by_one(data: bytes, start: int, before: int, count: int) -> tuple[list[Gate], int] | None:
    """The gates, and the position after them. None if something is wrong: the arrays then show what it is."""
    rows, at, literal = list[Gate](), start, 2 * before
    try:
        for _ in range(count):
            literal += 2
            operand, operands = literal, list[int]()
            for _ in range(2):
                byte, shift = data[at], 7
                difference = byte & 0x7F
                at += 1
                while byte >= 0x80:
                    byte = data[at]
                    difference |= (byte & 0x7F) << shift
                    shift += 7
                    at += 1
                if shift > 7 * LONGEST:
                    return None
                operand -= difference
                operands.append(operand)
            left, right = operands
            if right < 0 or left >= literal:
                return None
            rows.append(Gate(literal, left, right))
    except IndexError:
        return None
    return rows, at
