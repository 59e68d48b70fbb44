"""Lines of Büchi automata (`.ba`) to arrays, without a compiler: the twin of `ba_text`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Text = NDArray[np.uint8]
Numbers = NDArray[np.signedinteger[Any]]
Places = NDArray[np.int64]


def parse_lines(
    text: Text, begin: int, end: int, sources: Numbers, actions: Numbers, targets: Numbers, listed: Numbers,
    state_places: Places, letter_places: Places, found: NDArray[np.int64],
) -> int:  # fmt: skip
    """Read the lines of `text[begin:end]`: transitions into three arrays, states that stand alone into `listed`.

    States and letters are numbered as they appear; the name of number k is `text[places[k, 0] : places[k, 1]]`. `found` has the
    numbers of transitions, states, letters, listed states, and listed states before the first transition. Returns `end`, or where
    a line begins that is wrong, or that two more states and a letter have no room for.
    """
    data = text[:end].tobytes()
    states, letters = _Names(data, state_places, int(found[1])), _Names(data, letter_places, int(found[2]))
    transitions, _, _, lone, initial = found.tolist()
    place = begin
    while place < end and states.count + 2 <= len(state_places) and letters.count < len(letter_places):
        newline = data.find(b"\n", place)
        line_end = end if newline < 0 else newline
        line = data[place:line_end]
        letter, comma, ends = line.partition(b",")
        tail, arrow, head = ends.partition(b"->")
        if b"->" in line:
            if not (letter.strip() and tail.strip() and arrow and head.strip()) or b"->" in head or lone > initial:
                break
            after_comma = place + len(letter) + 1
            sources[transitions] = states.number(tail, after_comma)
            targets[transitions] = states.number(head, after_comma + len(tail) + 2)
            actions[transitions] = letters.number(letter, place)
            transitions += 1
        elif line.strip():
            if comma and not line.lstrip().startswith(b"["):
                break
            listed[lone] = states.number(line, place)
            lone += 1
            initial += transitions == 0
        place = min(line_end + 1, end)
    found[:] = transitions, states.count, letters.count, lone, initial
    return place


class _Names:
    def __init__(self, data: bytes, places: Places, count: int) -> None:
        self._places = places
        self._numbers = {data[first:last]: number for number, (first, last) in enumerate(places[:count].tolist())}

    @property
    def count(self) -> int:
        return len(self._numbers)

    def number(self, text: bytes, place: int) -> int:
        """The number of the name that stands here, perhaps with blanks around it."""
        name = text.strip()
        if name not in self._numbers:
            first = place + text.index(name)
            self._places[self.count] = first, first + len(name)
            self._numbers[name] = self.count
        return self._numbers[name]
