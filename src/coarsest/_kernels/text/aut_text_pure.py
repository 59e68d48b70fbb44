"""Lines of Aldébaran text to arrays, by regular expressions: the twin of `aut_text`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

Text = NDArray[np.uint8]
Numbers = NDArray[np.signedinteger[Any]]

_LINE = re.compile(rb"(?:[ \t]*\([ \t]*([0-9]{1,18})[ \t]*,[ \t]*([^\n]*?)[ \t]*,[ \t]*([0-9]{1,18})[ \t]*\))?[ \t\r]*(?:\n|\Z)")


def parse_lines(
    text: Text, begin: int, end: int, states: int, sources: Numbers, actions: Numbers, targets: Numbers,
    name_places: NDArray[np.int64], found: NDArray[np.int64],
) -> int:  # fmt: skip
    """Read the lines of `text[begin:end]`, each of which is a transition, into three arrays; empty lines are skipped.

    Actions are numbered as they appear; the name of number k is `text[name_places[k, 0] : name_places[k, 1]]`, without
    quotation marks. `found` has the numbers of transitions and actions, before and after. Returns `end`, or the beginning of the
    first line that is wrong, names a state that is not below `states`, or does not fit into an array.
    """
    data = text[begin:end].tobytes()
    number_of = {text[first:last].tobytes(): number for number, (first, last) in enumerate(name_places[: found[1]].tolist())}
    rows: list[tuple[int, int, int]] = []
    places: list[tuple[int, int]] = []
    room = len(sources) - int(found[0])
    place = 0
    while place < len(data):
        match = _LINE.match(data, place)
        if match is None:
            break
        if match.group(1) is not None:
            first, last = _without_quotes(data, *match.span(2))
            number = number_of.setdefault(data[first:last], len(number_of))
            source, target = int(match.group(1)), int(match.group(3))
            if max(source, target) >= states or len(rows) == room or number == len(name_places):
                break
            if number == found[1] + len(places):
                places.append((begin + first, begin + last))
            rows.append((source, number, target))
        place = match.end()
    for index, array in enumerate((sources, actions, targets)):
        array[found[0] : found[0] + len(rows)] = [row[index] for row in rows]
    name_places[found[1] : found[1] + len(places)] = np.array(places).reshape(-1, 2)
    found += (len(rows), len(places))
    return begin + place


def _without_quotes(data: bytes, first: int, last: int) -> tuple[int, int]:
    quoted = last - first > 1 and data[first] == data[last - 1] == ord('"')
    return (first + 1, last - 1) if quoted else (first, last)
