"""Lines of Büchi automata (`.ba`) to arrays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.text.name_table import KEY, NUMBER, Table, key_of, slot_of, table_of

Text = NDArray[np.uint8]
Numbers = NDArray[np.signedinteger[Any]]
Places = NDArray[np.int64]

NEWLINE: Final = 10
SPACE: Final = 32
COMMA: Final = 44
DASH: Final = 45
GREATER: Final = 62
OPEN: Final = 91
TOO_MANY: Final = 1 << 40


@inlined
def _is_blank(byte: int) -> bool:
    return byte == SPACE or 9 <= byte <= 13


@inlined
def _stripped(text: Text, first: int, last: int) -> tuple[int, int]:
    """The same part without blanks around it."""
    while first < last and _is_blank(text[first]):
        first += 1
    while last > first and _is_blank(text[last - 1]):
        last -= 1
    return first, last


@inlined
def _signs(text: Text, place: int, end: int) -> tuple[int, int, int, int]:
    """Where the line ends that begins here, its first comma, the last arrow after it (or -1), and how many arrows there are."""
    comma = arrow = -1
    arrows = 0
    while place < end and text[place] != NEWLINE:
        if text[place] == COMMA and comma < 0:
            comma = place
        elif text[place] == GREATER and place > 0 and text[place - 1] == DASH:
            arrows += 1 if comma < 0 or arrow < 0 else TOO_MANY
            if comma >= 0:
                arrow = place - 1
        place += 1
    return place, comma, arrow, arrows


@inlined
def _room(size: int, names: int) -> int:
    while size < 4 * (names + 2):
        size *= 4
    return size


@inlined
def _number(text: Text, part: tuple[int, int], name_places: Places, table: Table, names: int) -> tuple[int, int]:
    """The number of a name, and how many names there are with it."""
    first, last = part
    key = key_of(text, first, last)
    slot = slot_of(text, first, last, key, name_places, table)
    if table[slot, NUMBER] < 0:
        table[slot, KEY], table[slot, NUMBER] = np.int64(key), names
        name_places[names, 0], name_places[names, 1] = first, last
        names += 1
    return int(table[slot, NUMBER]), names


@compiled
def parse_lines(
    text: Text, begin: int, end: int, sources: Numbers, actions: Numbers, targets: Numbers, listed: Numbers,
    state_places: Places, letter_places: Places, found: NDArray[np.int64],
) -> int:  # fmt: skip
    """Read the lines of `text[begin:end]`: transitions into three arrays, states that stand alone into `listed`.

    States and letters are numbered as they appear; the name of number k is `text[places[k, 0] : places[k, 1]]`. `found` has the
    numbers of transitions, states, letters, listed states, and listed states before the first transition. Returns `end`, or where
    a line begins that is wrong, or that two more states and a letter have no room for.
    """
    transitions, states, letters, lone, initial = found[0], found[1], found[2], found[3], found[4]
    state_table = table_of(text, states, state_places, _room(64, states))
    letter_table = table_of(text, letters, letter_places, _room(64, letters))
    place = begin
    while place < end and states + 2 <= len(state_places) and letters < len(letter_places):
        line_end, comma, arrow, arrows = _signs(text, place, end)
        line = _stripped(text, place, line_end)
        if line[0] < line[1] and arrows == 0:
            if comma >= 0 and text[line[0]] != OPEN:
                break
            listed[lone], states = _number(text, line, state_places, state_table, states)
            lone += 1
            initial += transitions == 0
        elif line[0] < line[1]:
            letter, tail = _stripped(text, line[0], comma), _stripped(text, comma + 1, arrow)
            head = _stripped(text, arrow + 2, line[1])
            if arrow < 0 or arrows >= TOO_MANY or lone > initial:
                break
            if letter[0] == letter[1] or tail[0] == tail[1] or head[0] == head[1]:
                break
            sources[transitions], states = _number(text, tail, state_places, state_table, states)
            targets[transitions], states = _number(text, head, state_places, state_table, states)
            actions[transitions], letters = _number(text, letter, letter_places, letter_table, letters)
            transitions += 1
        if 2 * states + 4 > len(state_table):
            state_table = table_of(text, states, state_places, _room(len(state_table), states))
        if 2 * letters + 2 > len(letter_table):
            letter_table = table_of(text, letters, letter_places, _room(len(letter_table), letters))
        place = min(line_end + 1, end)
    found[0], found[1], found[2], found[3], found[4] = transitions, states, letters, lone, initial
    return place
