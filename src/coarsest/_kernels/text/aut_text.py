"""Lines of Aldébaran text to arrays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.text.name_table import KEY, NUMBER, key_of, slot_of, table_of
from coarsest._kernels.text.words import BLOCK, WORD, block_equal, digits_of, low_zeros, place_of, word_at

Text = NDArray[np.uint8]
Numbers = NDArray[np.signedinteger[Any]]

SPACE: Final = 32
TAB: Final = 9
RETURN: Final = 13
NEWLINE: Final = 10
QUOTE: Final = 34
OPEN: Final = 40
CLOSE: Final = 41
COMMA: Final = 44
ZERO: Final = 48
WRONG: Final = -1


@inlined
def _after_spaces(text: Text, place: int, end: int) -> int:
    while place < end and (text[place] == SPACE or text[place] == TAB):
        place += 1
    return place


@inlined
def _number(text: Text, place: int, end: int) -> tuple[int, int]:
    """A number and where it ends; WRONG if there is no number, or if it is very large."""
    if place + WORD <= end:
        digits, short = digits_of(word_at(text, place))
        if 0 < digits < WORD:
            return short, place + digits
    value = 0
    begin = place
    while place < end:
        digit = int(text[place]) - ZERO
        if digit < 0 or digit > 9:
            break
        value = value * 10 + digit
        place += 1
    if place == begin or place - begin > 18:
        return WRONG, place
    return value, place


@inlined
def _ending(text: Text, place: int, end: int) -> tuple[int, int]:
    """At `, number )` and the end of a line: the number and where the next line begins; otherwise WRONG."""
    place = _after_spaces(text, place, end)
    if place == end or text[place] != COMMA:
        return WRONG, place
    number, place = _number(text, _after_spaces(text, place + 1, end), end)
    place = _after_spaces(text, place, end)
    if number == WRONG or place == end or text[place] != CLOSE:
        return WRONG, place
    place += 1
    while place < end and (text[place] == SPACE or text[place] == TAB or text[place] == RETURN):
        place += 1
    if place < end and text[place] != NEWLINE:
        return WRONG, place
    return number, min(place + 1, end)


@inlined
def _first_of(text: Text, place: int, end: int, stop: int) -> int:
    """The next position of a given byte, or of the end of a line."""
    while place + BLOCK <= end:
        marks = block_equal(text, place, stop) | block_equal(text, place, NEWLINE)
        if marks:
            return place + int(low_zeros(marks))
        place += BLOCK
    while place < end and text[place] != stop and text[place] != NEWLINE:
        place += 1
    return place


@inlined
def _label(text: Text, place: int, end: int) -> tuple[int, int, int, int]:
    """From a label to the end of its line: where the label begins and ends, the target, and where the next line begins."""
    stop = QUOTE if place < end and text[place] == QUOTE else COMMA
    last = place + 1 if stop == QUOTE else place
    last = _first_of(text, last, end, stop)
    if stop == QUOTE and last < end and text[last] == QUOTE:
        last += 1
    target, following = _ending(text, last, end)
    if target == WRONG:  # commas or quotation marks inside: the label ends at the last comma of the line
        last = place_of(text, last, end, NEWLINE) - 1
        while last > place and text[last] != COMMA:
            last -= 1
        target, following = _ending(text, last, end)
    while last > place and (text[last - 1] == SPACE or text[last - 1] == TAB):
        last -= 1
    if last - place > 1 and text[place] == QUOTE and text[last - 1] == QUOTE:
        return place + 1, last - 1, target, following
    return place, last, target, following


@compiled
def parse_lines(
    text: Text, begin: int, end: int, states: int, sources: Numbers, actions: Numbers, targets: Numbers,
    name_places: NDArray[np.int64], found: NDArray[np.int64],
) -> int:  # fmt: skip
    """Read the lines of `text[begin:end]`, each of which is a transition, into three arrays; empty lines are skipped.

    Actions are numbered as they appear; the name of number k is `text[name_places[k, 0] : name_places[k, 1]]`, without
    quotation marks. `found` has the numbers of transitions and actions, before and after. Returns `end`, or the beginning of the
    first line that is wrong, names a state that is not below `states`, or does not fit into an array.
    """
    transitions, names = found[0], found[1]
    size = 64
    while size < 4 * names:
        size *= 2
    table = table_of(text, names, name_places, size)
    place = begin
    while place < end:
        start = place
        place = _after_spaces(text, place, end)
        if place == end:
            break
        if text[place] == RETURN or text[place] == NEWLINE:
            place += 1
            continue
        if text[place] != OPEN:
            place = start
            break
        source, place = _number(text, _after_spaces(text, place + 1, end), end)
        place = _after_spaces(text, place, end)
        if source == WRONG or place == end or text[place] != COMMA:
            place = start
            break
        first, last, target, place = _label(text, _after_spaces(text, place + 1, end), end)
        if target == WRONG or source >= states or target >= states or transitions == len(sources):
            place = start
            break
        key = key_of(text, first, last)
        slot = slot_of(text, first, last, key, name_places, table)
        number = table[slot, NUMBER]
        if number < 0:
            if names == len(name_places):
                place = start
                break
            number = names
            name_places[number, 0] = first
            name_places[number, 1] = last
            table[slot, KEY], table[slot, NUMBER] = np.int64(key), number
            names += 1
            if 4 * names > size:
                size *= 4
                table = table_of(text, names, name_places, size)
        sources[transitions] = source
        actions[transitions] = number
        targets[transitions] = target
        transitions += 1
    found[0], found[1] = transitions, names
    return place
