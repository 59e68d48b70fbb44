"""SystemVerilog to machines, through Yosys: it elaborates the design and writes BTOR2, which we read.

Assertions become invariants, assumptions constraints. With one clock that nothing else looks at, a step of the machine is an
active edge of it, and asynchronous resets act at those edges; otherwise a step is any moment, and the clocks are inputs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from coarsest.errors import FileProblem, InputError, ModelProblem, SyntaxProblem
from coarsest.files import Contents, read_text
from coarsest.formats.btor2.lines import nodes_of
from coarsest.formats.btor2.read import read as read_btor2
from coarsest.formats.netlist import title_of
from coarsest.formats.yosys.call import Remark, call_yosys
from coarsest.formats.yosys.claims import with_claims
from coarsest.formats.yosys.left_out import (
    DUMP_DESIGN,
    DUMP_READ,
    WRITE_AS_ASSERTIONS,
    Bind,
    binds_of,
    counted,
    delete_checkers,
    is_about_checkers,
    roles_of,
    warnings_about,
    without,
)
from coarsest.formats.yosys.names import span_of, with_names
from coarsest.logic.expr import Name, subexpressions
from coarsest.lts.tables.scratch import Scratch
from coarsest.model.checks.dependencies import ordered_definitions
from coarsest.model.machine import Machine
from coarsest.text import Diagnostic, Source, Span

MOST_WARNINGS = 10
"""More of what Yosys finds doubtful is not shown."""
ONE_CLOCK, ALL_MOMENTS = "async2sync", "clk2fflogic"
_EDGES = ("posedge", "negedge", "event")
_MISSING = re.compile(r"Module `\\?([A-Za-z_]\w*)' referenced in module .* is not part of the design")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


class _Design(NamedTuple):
    """A text of Verilog, and how Yosys is told where it is."""

    source: Source
    path: str
    beside: str
    """The folder in which files are looked for that it includes, and modules that it lacks."""
    folder: Path
    top: str
    binds: list[Bind]


def read(contents: Contents) -> Machine:
    """The machine of a design whose top module Yosys finds."""
    return read_with(contents, "")


def read_with(contents: Contents, details: str) -> Machine:
    """The machine of a design with this top module."""
    source = contents.text()
    if details and not _NAME.fullmatch(details):
        raise InputError(f"`{details}` is not the name of a module", hint="--format yosys:top")
    if not source.text.strip():
        raise SyntaxProblem("the file is empty, expected a module", Span(source, 0, 1))
    with Scratch() as scratch:
        folder = scratch.resolve()
        path, binds = _path_for_yosys(contents, folder), binds_of(source)
        beside = os.path.dirname(path)
        if binds:
            path = os.path.basename(path)
            (folder / path).write_bytes(without(binds, source.text).encode("utf-8", "replace"))
        design = _Design(source, path, beside, folder, details, binds)
        warnings = _run(design, ONE_CLOCK)
        clock = _only_clock(design)
        if clock is None:
            warnings = [*_run(design, ALL_MOMENTS), _about_clocks(source)]
        warnings += warnings_about(folder, binds, lambda place: span_of(place, lambda file: _source_of(file, design)))
        text = (folder / "design.btor2").read_text(encoding="utf-8", errors="replace")
        roles, note = roles_of(folder), counted(folder)
        named = with_names(text, lambda file: _source_of(file, design), roles)
    machine = with_claims(read_btor2(Source(f"{source.name} (as BTOR2)", named.text)), named.places, named.roles)
    machine = _without(clock or "", machine)
    return replace(
        machine, name=title_of(source, ".sv", ".v"), source=source, warnings=tuple(warnings), notes=(f"{source.name}: {note}",)
    )


def _path_for_yosys(contents: Contents, folder: Path) -> str:
    """The file as it is, so that others beside it can be included; a text without a file gets one."""
    if os.path.isfile(contents.name):
        return os.path.relpath(os.path.realpath(contents.name), folder).replace(os.sep, "/")
    data = contents.data if isinstance(contents.data, bytes) else contents.data[:]
    (folder / "design.sv").write_bytes(data)
    return "design.sv"


# The call


def _run(design: _Design, clocks: str) -> list[Diagnostic]:
    """Let Yosys write BTOR2; what it finds wrong is raised, what it finds doubtful given back.

    A module that is missing is looked for in a file of its name beside the first, until there are all or none.
    """
    paths = [design.path]
    while True:
        went_well, remarks = call_yosys(_script(paths, design, clocks), design.folder)
        errors = [remark for remark in remarks if remark.level == "ERROR"]
        if went_well and not errors:
            remarks = [remark for remark in remarks if not is_about_checkers(remark, design.binds)]
            return [_diagnostic(remark, design) for remark in remarks[:MOST_WARNINGS]]
        missing = _MISSING.match(errors[0].text)
        more = _file_of(missing[1], design) if missing else ""
        if not more or more in paths:
            raise _problem(errors[0], design)
        paths.append(more)


def _script(paths: Sequence[str], design: _Design, clocks: str) -> str:
    for path in paths:
        if re.search(r'["\n\\]', path):
            raise FileProblem(f"Yosys cannot read a file called '{path}'", hint="rename it")
    top_module = f"-top {design.top}" if design.top else "-auto-top"
    beside = design.beside or "."
    return "; ".join(
        [
            *(f'read_verilog -sv -formal -I "{beside}" "{path}"' for path in paths),
            *delete_checkers(design.binds, design.top),
            DUMP_READ,
            f"hierarchy -check {top_module}",
            DUMP_DESIGN,
            "prep -flatten",
            clocks,
            "chformal -early",
            "dffunmap",
            WRITE_AS_ASSERTIONS,
            "write_btor -v -i design.info design.btor2",
        ]
    )


def _file_of(module: str, design: _Design) -> str:
    """The file beside the design that has the name of a module."""
    beside = design.beside
    names = (f"{beside}/{module}{ending}" if beside else f"{module}{ending}" for ending in (".sv", ".v"))
    return next((name for name in names if (design.folder / name).is_file()), "")


def _problem(remark: Remark, design: _Design) -> InputError:
    message, span, hint = _parts(remark, design)
    if "is not part of the design" in message:
        hint = "modules are looked for in the file, in what it includes, and beside it in MODULE.sv or MODULE.v"
    problem = SyntaxProblem if message.startswith("syntax error") else ModelProblem
    return problem(message, span, hint=hint)


def _diagnostic(remark: Remark, design: _Design) -> Diagnostic:
    message, span, hint = _parts(remark, design)
    return Diagnostic(message, span, hint, level="warning")


def _parts(remark: Remark, design: _Design) -> tuple[str, Span | None, str]:
    """What is said, where, and who says it; names of Verilog without the marks of Yosys."""
    message = re.sub(r"\\(?=[A-Za-z_])", "", remark.text.replace(design.path, design.source.name)).replace("`", "'").rstrip(".")
    source = _source_of(remark.file, design)
    if source is None:
        place = f"{remark.file}:{remark.line}: " if remark.file else f"{design.source.name}: "
        return f"{place}{message}", None, "this is what Yosys says"
    return message, _line(source, remark.line), "this is what Yosys says"


def _source_of(file: str, design: _Design) -> Source | None:
    if file == design.path:
        return design.source
    path = design.folder / file
    try:
        return Source(os.path.relpath(path), read_text(path).text) if file and path.is_file() else None
    except FileProblem:
        return None


def _line(source: Source, number: int) -> Span:
    """All of a line but the blanks around it."""
    lines = source.text.split("\n")
    number = max(1, min(number, len(lines)))
    start = sum(len(line) + 1 for line in lines[: number - 1])
    line = lines[number - 1]
    first = start + len(line) - len(line.lstrip())
    return Span(source, first, max(first + 1, start + len(line.rstrip())))


# Clocks


def _only_clock(design: _Design) -> str | None:
    """The name of the one clock, an input of which nothing is used but edges of one kind, or nothing if there is no clock at
    all; None if it is otherwise. Instances have names of their own for it."""
    info = (design.folder / "design.info").read_text(encoding="utf-8", errors="replace")
    edges = [words for words in map(str.split, info.splitlines()) if len(words) == 2 and words[0] in _EDGES]
    text = (design.folder / "design.btor2").read_text(encoding="utf-8", errors="replace")
    nodes = {node.number: node for node in nodes_of(Source(f"{design.source.name} (as BTOR2)", text))}
    same: dict[int, int] = {}
    for number, node in nodes.items():
        is_alias = node.tag == "uext" and node.parameters == (0,) and node.operands[0] > 0
        same[number] = same[node.operands[0]] if is_alias else number
    clocks = {(kind, same.get(int(number), 0)) for kind, number in edges}
    if len(clocks) > 1 or any(kind == "event" for kind, _ in clocks):
        return None
    readers = (node for number, node in nodes.items() if same[number] == number)
    read = {same[abs(operand)] for node in readers for operand in node.operands}
    if not all(clock in nodes and nodes[clock].tag == "input" and clock not in read for _, clock in clocks):
        return None
    return next((nodes[clock].symbol or f"input_{clock}" for _, clock in clocks), "")


def _without(clock: str, machine: Machine) -> Machine:
    """No part of the machine is the clock, or what instances call it: nothing else reads these."""
    gone = {clock}
    for name in ordered_definitions(machine.definitions):
        if any(isinstance(part, Name) and part.name in gone for part in subexpressions(machine.definitions[name])):
            gone.add(name)
    variables, definitions = ({name: entry for name, entry in entries.items() if name not in gone}
                              for entries in (machine.variables, machine.definitions))  # fmt: skip
    return replace(machine, variables=variables, definitions=definitions)


def _about_clocks(source: Source) -> Diagnostic:
    message = "the design has several clocks, or uses one as a value: each step is a moment at which any of them may change"
    return Diagnostic(f"{source.name}: {message}", level="warning")
