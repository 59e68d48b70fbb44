"""Order files: one name per line from the top of the order down, as NuSMV writes them.

A name is that of a variable or, with `.0`, `.1`, … behind it, of one of its bits. What stands behind a name on its line, lines
that begin with `--` or `#`, and empty lines mean nothing. In the files of VIS, `x<1>` is a bit and `mem<*1*>` an element of an
array; its names for the values after a step (`x$NS`) say nothing new.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from coarsest.files import write_whole
from coarsest.text import Diagnostic, Source, Span
from coarsest.text.near import nearest

_LINE = re.compile(r"^[ \t]*(?!--|#)(\S+)", re.MULTILINE)
_BIT = re.compile(r"\.\d+$")
_ELEMENT_OF_VIS, _BIT_OF_VIS = re.compile(r"<\*(\d+)\*>"), re.compile(r"<(\d+)>$")


class FileOrder(Struct, frozen=True):
    """All the known names in the order of a file, those it does not mention at the end; and what was odd about the file."""

    names: list[str]
    warnings: list[Diagnostic]


def parse_order(source: Source, names: Sequence[str]) -> FileOrder:
    """Put the known names (of variables or of bits) into the order of the file.

    A variable stands for all its bits, and the first bit mentioned for its variable, whichever of the two are known.

    >>> parse_order(Source("m.ord", "b.1\\nb.0\\n-- the end\\na"), ["a", "b", "c"]).names
    ['b', 'a', 'c']
    >>> parse_order(Source("m.ord", "b\\na.0"), ["a.1", "a.0", "b.1", "b.0"]).names
    ['b.1', 'b.0', 'a.0', 'a.1']
    >>> parse_order(Source("m.ord", "b<*1*><0> latch 3\\nb<*1*><0>$NS shadow 4"), ["a", "b[1]"]).names
    ['b[1]', 'a']
    """
    among = set(names)
    bits: dict[str, list[str]] = {}
    for name in names:
        if _BIT.search(name):
            bits.setdefault(_BIT.sub("", name), []).append(name)
    order: dict[str, None] = {}
    warnings: list[Diagnostic] = []
    for line in _LINE.finditer(source.text):
        name = _BIT_OF_VIS.sub(r".\1", _ELEMENT_OF_VIS.sub(r"[\1]", line.group(1)))
        if name.endswith("$NS"):
            continue
        span = Span(source, line.start(1), line.end(1))
        variable = _BIT.sub("", name)
        if name in among:
            if name in order:
                warnings.append(Diagnostic(f"'{name}' is mentioned twice", span, "the first place counts", "warning"))
            order[name] = order.get(name)
        elif name in bits:
            order.update(dict.fromkeys(bits[name]))
        elif variable in among:
            order[variable] = order.get(variable)
        else:
            close = nearest(name, names)
            hint = f"did you mean '{close[0]}'?" if close else ""
            warnings.append(Diagnostic(f"the model has no variable '{name}'", span, hint, "warning"))
    order.update(dict.fromkeys(names))
    return FileOrder(list(order), warnings)


def write_order(path: str | os.PathLike[str], names: Iterable[str]) -> None:
    """Write an order file, whole or not at all."""
    write_whole(path, "".join(f"{name}\n" for name in names))
