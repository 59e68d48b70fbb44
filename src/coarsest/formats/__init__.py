"""What files hold, and who reads and writes them: the one table. A new format is one folder and one line here.

A format's modules are imported when they are first used.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from enum import Enum
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from coarsest import tuning
from coarsest.errors import FileProblem, InputError
from coarsest.files import STANDARD_INPUT, Contents, read_contents, write_whole
from coarsest.lts.tables import suffixes_of
from coarsest.phases import CLOCK
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.automata.automaton import Automaton
    from coarsest.lts.labelled import Graph
    from coarsest.model.assertion_graph import AssertionGraph
    from coarsest.model.machine import Machine
    from coarsest.run import Run


class FileKind(Enum):
    """What a file holds."""

    MACHINE = "machine"
    GRAPH = "graph"
    AUTOMATON = "automaton"
    ASSERTION_GRAPHS = "assertion graphs"
    TABLE = "table"


GRAPHS = (FileKind.GRAPH, FileKind.AUTOMATON)
"""What can be read as an explicit graph: an automaton is one, with guards as its actions."""


class Format(NamedTuple):
    """A language: what its files hold, their endings, and the modules with its reader and its writer.

    The reader has `read(text)`; if it `wants_bytes`, it has `read(contents)`, and nothing is decoded before. A reader of graphs
    takes `run=…`, a reader of automata or assertion graphs the machine that they are about, and a reader of machines may have
    `read_with(text, details)`, too. The writer of graphs has `pieces(graph)`, that of tables `pieces(graph, path)`, any other
    `write(…)`. Databases read tables. A module whose name begins with a dot is in this folder.
    """

    name: str
    holds: FileKind
    suffixes: tuple[str, ...]
    title: str
    reader: str = ""
    writer: str = ""
    wants_bytes: bool = False

    def read(self, contents: Contents, *, details: str = "", **given: Any) -> Any:
        """The machine, graph or other content that the bytes of a file describe."""
        reader, content = import_module(self.reader, __name__), contents if self.wants_bytes else contents.text()
        if not details:
            return reader.read(content, **given)
        if not hasattr(reader, "read_with"):
            raise FileProblem(f"the format {self.name} takes no details, found `{details}`", hint=f"write {self.name} alone")
        return reader.read_with(content, details)


_FORMATS: dict[str, Format] = {}
FORMATS: Mapping[str, Format] = MappingProxyType(_FORMATS)
"""All formats by their names, the usual one of each kind first."""


def register(format: Format) -> None:
    """Add a format: from then on, every command knows its files."""
    _FORMATS[format.name] = format


def unregister(name: str) -> None:
    """Forget a format."""
    del _FORMATS[name]


for _format in (
    Format("smv", FileKind.MACHINE, (".smv",), "SMV, the language of NuSMV", ".smv.read", ".smv.write"),
    Format("program", FileKind.MACHINE, (".prog",), "boolean programs", ".program.read"),
    Format("lustre", FileKind.MACHINE, (".lus",), "Lustre", ".lustre.read"),
    Format("aiger", FileKind.MACHINE, (".aag", ".aig"), "and-inverter graphs", ".aiger.read", wants_bytes=True),
    Format("yosys", FileKind.MACHINE, (".sv",), "SystemVerilog through Yosys", ".yosys.read", wants_bytes=True),
    Format("filelist", FileKind.MACHINE, (".f",), "lists of design files", ".yosys.filelist"),
    Format("sby", FileKind.MACHINE, (".sby",), "projects of SymbiYosys", ".yosys.sby"),
    Format("blif", FileKind.MACHINE, (".blif",), "Berkeley logic interchange format", ".blif.read"),
    Format("blif-mv", FileKind.MACHINE, (".mv",), "BLIF with several values and non-determinism", ".blif_mv.read"),
    Format("btor2", FileKind.MACHINE, (".btor2", ".btor"), "word-level circuits", ".btor2.read"),
    Format("bench", FileKind.MACHINE, (".bench",), "circuits of ISCAS'89", ".bench.read"),
    Format("vis", FileKind.MACHINE, (".v",), "Verilog as VIS reads it", ".vis.read", wants_bytes=True),
    Format("aut", FileKind.GRAPH, (".aut",), "Aldébaran", ".aut.read", ".aut.write", wants_bytes=True),
    Format("ba", FileKind.GRAPH, (".ba",), "Büchi automata of RABIT", ".ba.read", ".ba.write", wants_bytes=True),
    Format("npz", FileKind.GRAPH, (".npz",), "arrays of NumPy", ".npz.arrays", ".npz.arrays", wants_bytes=True),
    Format("hoa", FileKind.AUTOMATON, (".hoa",), "Hanoi omega-automata", ".hoa.read", ".hoa.write"),
    Format("ag", FileKind.ASSERTION_GRAPHS, (".ag",), "assertion graphs", ".assertion_graph.read", ".assertion_graph.write"),
    Format("parquet", FileKind.TABLE, suffixes_of("parquet"), "Parquet tables of transitions", writer=".tables.write"),
    Format("csv", FileKind.TABLE, suffixes_of("csv"), "tables of transitions in text", writer=".tables.write"),
):
    register(_format)


# What is this file?


def format_of(path: str | os.PathLike[str]) -> Format | None:
    """The format of a file by its ending; None for standard input, and for an ending that no format has.

    >>> format_of("models/mutex.smv").name
    'smv'
    """
    name = os.fspath(path).lower()
    return next((format for format in FORMATS.values() if name.endswith(format.suffixes)), None)


def or_no_file(text: str, problem: InputError) -> InputError:
    """The problem of a text that was read as a formula: a missing file, if the text looks like the name of a file."""
    if format_of(text) is None or text.split() != [text]:
        return problem
    hint = f"check the spelling of the path; as a formula: {problem.diagnostic.message}"
    return FileProblem(f"there is no file '{text}'", hint=hint)


def kind_of(path: str | os.PathLike[str], format: str | None = None) -> FileKind | None:
    """What a file holds, by the named format, or else by its ending; None if neither says.

    >>> kind_of("philosophers.aut"), kind_of("-", "lustre:top"), kind_of("letter.txt")
    (<FileKind.GRAPH: 'graph'>, <FileKind.MACHINE: 'machine'>, None)
    """
    claimed = format_of(path) if format is None else format_named(format.partition(":")[0])
    return None if claimed is None else claimed.holds


def format_named(name: str) -> Format | None:
    """The format with this name, or with files of this ending.

    >>> format_named("aag").name, format_named("nothing")
    ('aiger', None)
    """
    return FORMATS.get(name) or format_of(f".{name}")


def holds_automaton(path: str | os.PathLike[str], format: str | None = None) -> bool:
    """Does a file hold an automaton on infinite words? Such a file may be read as a graph, too.

    >>> holds_automaton("bakery.ba"), holds_automaton("until.hoa"), holds_automaton("lift.aut")
    (True, True, False)
    """
    claimed = format_of(path) if format is None else FORMATS.get(format)
    return claimed is not None and claimed.name in ("hoa", "ba")


def names_of(*kinds: FileKind) -> list[str]:
    """The names of the formats for these kinds of files."""
    return [format.name for format in FORMATS.values() if format.holds in kinds]


def endings(*kinds: FileKind, written: bool = False) -> list[str]:
    """The endings of files of these kinds; with `written`, only of formats that we write."""
    formats = (format for format in FORMATS.values() if format.holds in kinds and (format.writer or not written))
    return [suffix for format in formats for suffix in format.suffixes]


# Machines


_COMMANDS_FOR = MappingProxyType(
    {
        FileKind.GRAPH: "explicit graphs are for coarsest check, reach, reduce, compare, simulate, show and convert",
        FileKind.AUTOMATON: "explicit graphs are for coarsest check, reach, reduce, compare, simulate, show and convert",
        FileKind.ASSERTION_GRAPHS: "assertion graphs are for coarsest gste and show",
        FileKind.TABLE: "graphs in tables are for coarsest reduce",
    }
)


_HELD = MappingProxyType(
    {
        FileKind.MACHINE: "a model", FileKind.GRAPH: "a graph", FileKind.AUTOMATON: "an automaton",
        FileKind.ASSERTION_GRAPHS: "assertion graphs", FileKind.TABLE: "a table",
    }
)  # fmt: skip


def machine_format(path: str, *, option: str = "format") -> str:
    """The name of the format of a machine's file; standard input (`-`) is SMV. If the file name does not say, an option must."""
    format = FORMATS["smv"] if path == STANDARD_INPUT else format_of(path)
    if format is not None and format.holds is FileKind.MACHINE:
        return format.name
    if format is not None:
        raise FileProblem(f"'{path}' is the name of {_HELD[format.holds]}, not of a model", hint=_COMMANDS_FOR[format.holds])
    from coarsest.formats.files_of_others import advice_on

    advice = advice_on(path)
    if advice:
        raise FileProblem(f"'{path}' is not a model that coarsest reads", hint=advice)
    suffixes = ", ".join(endings(FileKind.MACHINE))
    hint = f"models end in {suffixes}; if the file is in one of these languages under another name, say which: --{option} NAME"
    raise FileProblem(f"the format of '{path}' is not known by its name", hint=hint)


def machine_named(name: str) -> Format:
    """The format for machines with this name, or with files of this ending."""
    format = format_named(name)
    if format is None or format.holds is not FileKind.MACHINE:
        machines = names_of(FileKind.MACHINE)
        close = nearest(name, machines)
        hint = f"did you mean {close[0]}?" if close else f"formats are {', '.join(machines)}"
        raise FileProblem(f"there is no format `{name}`", hint=hint)
    return format


@CLOCK.phase("parse")
def read_machine(contents: Contents, format: str | None = None) -> Machine:
    """The machine that a file describes. Without `format`, the name of the file says how to read it.

    The reader gets the text after a colon as details: `lustre:top` is the node `top` of a Lustre program.
    """
    name, _, details = (format or machine_format(contents.name)).partition(":")
    if format is None and name == "vis":
        return _read_verilog(contents)
    return cast("Machine", machine_named(name).read(contents, details=details))


def _read_verilog(contents: Contents) -> Machine:
    """The machine of a `.v` file. Its text shows whether it is Verilog of VIS or of today; an error names the other way, too."""
    from coarsest.formats.vis.dialect import is_for_yosys

    name, other, title = ("yosys", "vis", "as VIS does") if is_for_yosys(contents) else ("vis", "yosys", "through Yosys")
    try:
        return cast("Machine", FORMATS[name].read(contents))
    except InputError as problem:
        message, span, hint, _ = problem.diagnostic
        advice = f"--format {other} reads it {title}"
        raise problem.__class__(message, span, hint=f"{hint}; {advice}" if hint else advice) from None


def write_machine(machine: Machine, format: str) -> str:
    """The machine as text in a format."""
    writer = machine_named(format).writer
    if not writer:
        hint = "models are written as .smv; circuits of any model as .aag, .aig, .blif or .bench"
        raise FileProblem(f"the format `{format}` is read but not written", hint=hint)
    return cast("str", import_module(writer, __name__).write(machine))


# Graphs


def read_graph(path: str | os.PathLike[str], *, format: str | None = None, run: Run | None = None) -> Graph:
    """The graph of a file, in the named format or by its ending; standard input (`-`) is Aldébaran text if no format is named."""
    name = os.fspath(path)
    language = FORMATS.get(format) if format else FORMATS["aut"] if name == STANDARD_INPUT else format_of(name)
    if language is None or language.holds not in GRAPHS:
        hint = f"formats are {', '.join(names_of(*GRAPHS))}"
        raise FileProblem(f"there is no format `{format}` for graphs", hint=hint) if format else _no_graph(name, written=False)
    if language.holds is FileKind.GRAPH:
        contents = read_contents(path)
        if len(contents.data) > tuning.TEXT_SLICE:
            from coarsest.memory_use import give_back_at_once

            give_back_at_once()
        return cast("Graph", language.read(contents, run=run))
    from coarsest.formats.automaton_as_graph import automaton_to_graph

    return automaton_to_graph(language.read(read_contents(path)))


def graph_to_pieces(graph: Graph, path: str) -> Iterable[bytes]:
    """The pieces of a graph in the format that a file name asks for; on standard output it is Aldébaran text."""
    require_graph_format(path)
    format = format_of(path) or FORMATS["aut"]
    paths = (path,) if format.holds is FileKind.TABLE else ()
    return cast("Iterable[bytes]", import_module(format.writer, __name__).pieces(graph, *paths))


def write_graph(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a graph to a file, whole or not at all, in the format that its name asks for."""
    write_whole(path, graph_to_pieces(graph, os.fspath(path)))


def require_graph_format(path: str) -> None:
    """Refuse, before any work is done, a file name that asks for no format of graphs."""
    format = format_of(path)
    written = format is not None and format.holds in (FileKind.GRAPH, FileKind.TABLE) and format.writer
    if path != STANDARD_INPUT and not written:
        raise _no_graph(path, written=True)
    if format is not None and format.holds is FileKind.TABLE:
        import_module(format.writer, __name__).require_library()


def _no_graph(path: str, *, written: bool) -> FileProblem:
    suffixes = endings(FileKind.GRAPH, FileKind.TABLE, written=True) if written else endings(*GRAPHS)
    hint = f"graphs are {'written' if written else 'read'} as {', '.join(suffixes)}"
    if (format := format_of(path)) is not None and format.holds is not FileKind.GRAPH:
        return FileProblem(f"'{path}' is the name of {_HELD[format.holds]}, not of a graph", hint=hint)
    return FileProblem(f"the format of '{path}' is not known by its name", hint=hint)


# Automata and assertion graphs


def read_automaton(contents: Contents, machine: Machine | None = None, *, format: str | None = None) -> Automaton:
    """The automaton of a file, in the Hanoi format unless its name or `format` says another; it may be about a machine."""
    if machine is None and (format_of(contents.name) if format is None else FORMATS.get(format)) is FORMATS["ba"]:
        from coarsest.formats.ba.automata import graph_to_automaton

        return graph_to_automaton(cast("Graph", FORMATS["ba"].read(contents)))
    return cast("Automaton", _format_or("hoa", contents, format).read(contents, machine=machine))


def require_automaton_format(path: str) -> None:
    """Refuse, before any work is done, a file name that asks for no format of automata."""
    if path != STANDARD_INPUT and not holds_automaton(path):
        raise FileProblem(f"the format of '{path}' is not known by its name", hint="automata are written as .hoa, .ba")


def automaton_to_pieces(automaton: Automaton, path: str, *, name: str = "") -> Iterable[bytes]:
    """The text of an automaton in the format that a file name asks for, in pieces; on standard output it is Hanoi text."""
    require_automaton_format(path)
    if format_of(path) is FORMATS["ba"]:
        from coarsest.formats.ba.automata import automaton_to_graph

        return graph_to_pieces(automaton_to_graph(automaton), path)
    from coarsest.formats.hoa.write import write

    return [write(automaton, name=name, tool="coarsest").encode()]


def read_assertion_graphs(contents: Contents, machine: Machine | None = None) -> tuple[AssertionGraph, ...]:
    """The assertion graphs of a file; they may be about a machine."""
    return cast("tuple[AssertionGraph, ...]", _format_or("ag", contents).read(contents, machine=machine))


def _format_or(usual: str, contents: Contents, name: str | None = None) -> Format:
    """The named format, or that of the file's name, if it is for the same kind of files as the usual one; else the usual one."""
    format = format_of(contents.name) if name is None else FORMATS.get(name)
    return FORMATS[usual] if format is None or format.holds is not FORMATS[usual].holds else format
