"""Arrays to lines of Aldébaran text."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.text.words import copy_blocks, copy_words, digits_word, put_word

Text = NDArray[np.uint8]
Numbers = NDArray[np.signedinteger[Any]]

OPEN: Final = 40
CLOSE: Final = 41
COMMA: Final = 44
SPACE: Final = 32
NEWLINE: Final = 10
ZERO: Final = 48
LONGEST_NUMBER: Final = 20
SHORT = np.uint64(100_000_000)
"""Numbers below this have at most eight digits, which are written as one word."""
AROUND_A_LABEL: Final = 2 * LONGEST_NUMBER + 8
"""The most bytes of a line besides its label. It includes room for what is written too much, word by word."""


@inlined
def _put_number(number: int, text: Text, place: int) -> int:
    """Write a number. Returns where it ends."""
    value = np.uint64(number)
    if value < SHORT:
        digits, length = digits_word(value)
        put_word(text, place, digits)
        return place + length
    place = _put_number_above(value // SHORT, text, place)
    rest = value % SHORT
    for at in range(place + 7, place - 1, -1):
        text[at] = np.uint8(ZERO) + np.uint8(rest % np.uint64(10))
        rest //= np.uint64(10)
    return place + 8


@inlined
def _put_number_above(value: np.uint64, text: Text, place: int) -> int:
    """Write the digits of a number before its last eight ones."""
    power = np.uint64(1)
    while value // power >= np.uint64(10):
        power *= np.uint64(10)
    while power > np.uint64(0):
        text[place] = np.uint8(ZERO) + np.uint8(value // power % np.uint64(10))
        place += 1
        power //= np.uint64(10)
    return place


@compiled
def write_lines(
    offsets: Numbers, actions: Numbers, targets: Numbers, labels: Text, label_offsets: NDArray[np.int64],
    text: Text, reached: NDArray[np.int64],
) -> int:  # fmt: skip
    """Fill `text` with a line for each transition from `reached` (state, transition) on. Returns how many bytes were written.

    `reached` is set to what comes next. Label k is written as `labels[label_offsets[k] : label_offsets[k + 1]]`.
    """
    used, row, labelled = 0, 0, 0  # `row` is where the first line of the state begins, `labelled` where its label does
    state, index = reached[0], reached[1]
    begun = np.int64(-1)
    while index < len(targets):
        while offsets[state + 1] <= index:
            state += 1
        first, last = label_offsets[actions[index]], label_offsets[actions[index] + 1]
        if used + last - first + AROUND_A_LABEL > len(text):
            break
        if state == begun:
            copy_words(text, row, labelled, text, used)
            used += labelled - row
        else:
            begun, row = state, used
            text[used] = OPEN
            used = _put_number(state, text, used + 1)
            text[used], text[used + 1] = COMMA, SPACE
            used += 2
            labelled = used
        copy_blocks(labels, first, last, text, used)
        used += last - first
        text[used], text[used + 1] = COMMA, SPACE
        used = _put_number(targets[index], text, used + 2)
        text[used], text[used + 1] = CLOSE, NEWLINE
        used += 2
        index += 1
    reached[0], reached[1] = state, index
    return used
