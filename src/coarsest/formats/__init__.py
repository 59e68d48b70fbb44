"""Input languages, each a folder. A new one is one folder and one line here.

A format's module is imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple, cast

from coarsest.errors import FileProblem
from coarsest.formats.graphs import graph_format_of
from coarsest.model.machine import Machine
from coarsest.text import Source
from coarsest.text.near import nearest


class Format(NamedTuple):
    """A language: the endings of its files, and the modules with its `read(source)` and `write(machine)`."""

    name: str
    suffixes: tuple[str, ...]
    title: str
    reader: str
    writer: str = ""


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "smv": Format("smv", (".smv",), "SMV, the language of NuSMV", "coarsest.formats.smv.read", "coarsest.formats.smv.write"),
        "program": Format("program", (".prog",), "boolean programs", "coarsest.formats.program.read"),
        "lustre": Format("lustre", (".lus",), "Lustre", "coarsest.formats.lustre.read"),
    }
)


def format_of(path: str, *, option: str = "format") -> str:
    """The name of the format of a file, by its suffix; standard input (`-`) is SMV. Elsewhere an option has to say it.

    >>> format_of("models/mutex.smv")
    'smv'
    """
    if path == "-":
        return "smv"
    for name, found in FORMATS.items():
        if path.lower().endswith(found.suffixes):
            return name
    known = ", ".join(suffix for found in FORMATS.values() for suffix in found.suffixes)
    hint = f"known endings are {known}; or say the format: --{option} {next(iter(FORMATS))}"
    if graph_format_of(path) is not None:
        hint = "explicit graphs are for coarsest reduce, compare and show"
    elif path.lower().endswith(".ag"):
        hint = "assertion graphs are for coarsest gste and show"
    elif path.lower().endswith((".csv", ".parquet")):
        hint = "graphs in tables are for coarsest reduce"
    raise FileProblem(f"the format of {path} is not known by its name", hint=hint)


def _named(name: str) -> Format:
    found = FORMATS.get(name)
    if found is None:
        close = nearest(name, FORMATS)
        hint = f"did you mean {close[0]}?" if close else f"formats are {', '.join(FORMATS)}"
        raise FileProblem(f"there is no format `{name}`", hint=hint)
    return found


def read(source: Source, format: str | None = None) -> Machine:
    """The machine a text describes. Without `format`, the name of the source tells.

    What follows a colon are details for the reader, as in `lustre:top` for the node `top` of a Lustre program.
    """
    name, _, details = (format or format_of(source.name)).partition(":")
    found = _named(name)
    reader = import_module(found.reader)
    if not details:
        return cast("Machine", reader.read(source))
    if not hasattr(reader, "read_with"):
        raise FileProblem(f"the format {name} takes no details, found `{details}`", hint=f"write {name} alone")
    return cast("Machine", reader.read_with(source, details))


def write(machine: Machine, format: str) -> str:
    """The machine as text in a format."""
    found = _named(format)
    if not found.writer:
        raise FileProblem(f"the format `{format}` is read but not written", hint="write smv instead")
    return cast("str", import_module(found.writer).write(machine))
