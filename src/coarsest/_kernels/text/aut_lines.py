"""Arrays to lines of Aldébaran text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined

Text = NDArray[np.uint8]
Numbers = NDArray[np.signedinteger[Any]]

OPEN, CLOSE, COMMA, SPACE, NEWLINE, ZERO = 40, 41, 44, 32, 10, 48
LONGEST_NUMBER = 20
TENS = np.frombuffer(bytes(ZERO + number // 10 for number in range(100)), dtype=np.uint8)
ONES = np.frombuffer(bytes(ZERO + number % 10 for number in range(100)), dtype=np.uint8)
"""Two digits are written for one division."""
AROUND = 2 * LONGEST_NUMBER + 8
"""The most bytes of a line besides its label."""


@inlined
def _put_number(number: int, text: Text, place: int) -> int:
    value = np.uint64(number)  # signed numbers are divided more slowly
    digits = 1
    power = np.uint64(10)
    while value >= power and digits < LONGEST_NUMBER - 1:
        digits += 1
        power *= np.uint64(10)
    at = place + digits
    while value >= np.uint64(100):
        rest = value // np.uint64(100)
        two = np.intp(value - rest * np.uint64(100))
        at -= 2
        text[at], text[at + 1] = TENS[two], ONES[two]
        value = rest
    if value >= np.uint64(10):
        text[place] = TENS[np.intp(value)]
    text[at - 1] = ONES[np.intp(value)]
    return place + digits


@compiled
def write_lines(
    offsets: Numbers, actions: Numbers, targets: Numbers, labels: Text, label_offsets: NDArray[np.int64],
    text: Text, reached: NDArray[np.int64],
) -> int:  # fmt: skip
    """Fill `text` with lines, one for each transition from `reached` (state, transition) on; how many bytes?

    `reached` is set to what comes next. Label k, as it shall be written, is `labels[label_offsets[k] : label_offsets[k + 1]]`.
    """
    used = 0
    state, index = reached[0], reached[1]
    while index < len(targets):
        while offsets[state + 1] <= index:
            state += 1
        first, last = label_offsets[actions[index]], label_offsets[actions[index] + 1]
        if used + last - first + AROUND > len(text):
            break
        text[used] = OPEN
        used = _put_number(state, text, used + 1)
        text[used], text[used + 1] = COMMA, SPACE
        used += 2
        for at in range(first, last):
            text[used] = labels[at]
            used += 1
        text[used], text[used + 1] = COMMA, SPACE
        used = _put_number(targets[index], text, used + 2)
        text[used], text[used + 1] = CLOSE, NEWLINE
        used += 2
        index += 1
    reached[0], reached[1] = state, index
    return used
