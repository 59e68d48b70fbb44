"""SystemVerilog to machines, through Yosys: it elaborates the design and writes BTOR2, which we read.

Assertions become invariants, assumptions constraints. With one clock that nothing else looks at, a step of the machine is an
active edge of it, and asynchronous resets act at those edges; otherwise a step is any moment, and the clocks are inputs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from coarsest.errors import FileProblem, InputError, ModelProblem, SyntaxProblem
from coarsest.files import Contents, read_text
from coarsest.formats.btor2.lines import nodes_of
from coarsest.formats.btor2.read import read as read_btor2
from coarsest.formats.netlist import title_of
from coarsest.formats.yosys.call import Remark, call_yosys
from coarsest.formats.yosys.names import VIOLATED, with_names
from coarsest.lts.tables.scratch import Scratch
from coarsest.model.machine import Machine, Property
from coarsest.text import Diagnostic, Source, Span

MOST_WARNINGS = 10
"""More of what Yosys finds doubtful is not shown."""
ONE_CLOCK, ALL_MOMENTS = "async2sync", "clk2fflogic"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


class _Design(NamedTuple):
    """A text of Verilog, and how Yosys is told where it is."""

    source: Source
    path: str
    folder: Path
    top: str


def read(contents: Contents) -> Machine:
    """The machine of a design whose top module Yosys finds."""
    return read_with(contents, "")


def read_with(contents: Contents, details: str) -> Machine:
    """The machine of a design with this top module."""
    source = contents.text()
    if details and not _NAME.fullmatch(details):
        raise InputError(f"`{details}` is no name of a module", hint="--format yosys:top")
    if not source.text.strip():
        raise SyntaxProblem("the file is empty, expected a module", Span(source, 0, 1))
    with Scratch() as scratch:
        folder = scratch.resolve()
        design = _Design(source, _path_for_yosys(contents, folder), folder, details)
        warnings = _run(design, ONE_CLOCK)
        several = not _has_one_clock(design)
        if several:
            warnings = [*_run(design, ALL_MOMENTS), _about_clocks(source)]
        text = (folder / "design.btor2").read_text(encoding="utf-8", errors="replace")
    named, places = with_names(text, source, design.path)
    machine = _with_places(read_btor2(Source(f"{source.name} (as BTOR2)", named)), places)
    return replace(machine, name=title_of(source, ".sv", ".v"), source=source, warnings=tuple(warnings))


def _path_for_yosys(contents: Contents, folder: Path) -> str:
    """The file as it is, so that others beside it can be included; a text without a file gets one."""
    if os.path.isfile(contents.name):
        return os.path.relpath(os.path.realpath(contents.name), folder).replace(os.sep, "/")
    data = contents.data if isinstance(contents.data, bytes) else contents.data[:]
    (folder / "design.sv").write_bytes(data)
    return "design.sv"


# The call


def _run(design: _Design, clocks: str) -> list[Diagnostic]:
    """Let Yosys write BTOR2; what it finds wrong is raised, what it finds doubtful given back."""
    if re.search(r'["\n\\]', design.path):
        raise FileProblem(f"Yosys cannot be told of a file called '{design.source.name}'", hint="rename it")
    beside = os.path.dirname(design.path) or "."
    top = f"-top {design.top}" if design.top else "-auto-top"
    script = [
        f'read_verilog -sv -formal -I "{beside}" "{design.path}"',
        f'hierarchy -check {top} -libdir "{beside}"',
        f"prep -flatten {top}",
        clocks,
        "chformal -early",
        "dffunmap",
        "write_btor -v -i design.info design.btor2",
    ]
    went_well, remarks = call_yosys("; ".join(script), design.folder)
    for remark in remarks:
        if remark.level == "ERROR":
            raise _problem(remark, design)
    if not went_well:
        raise ModelProblem("Yosys did not finish")
    return [_diagnostic(remark, design) for remark in remarks[:MOST_WARNINGS]]


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
    message = re.sub(r"\\(?=[A-Za-z_])", "", remark.text).replace("`", "'").rstrip(".")
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


def _has_one_clock(design: _Design) -> bool:
    """Is there at most one clock, an input of which nothing is used but its edges?"""
    info = (design.folder / "design.info").read_text(encoding="utf-8", errors="replace")
    clocks = [words for words in map(str.split, info.splitlines()) if words and words[0] in ("posedge", "negedge", "event")]
    if not clocks:
        return True
    nodes = nodes_of(Source(design.source.name, (design.folder / "design.btor2").read_text(encoding="utf-8", errors="replace")))
    clock = int(clocks[0][1])
    is_input = any(node.number == clock and node.tag == "input" for node in nodes)
    return (
        len(clocks) == 1 and clocks[0][0] != "event" and is_input and all(clock not in map(abs, node.operands) for node in nodes)
    )


def _about_clocks(source: Source) -> Diagnostic:
    message = "the design has several clocks, or uses one as a value: each step is a moment at which any of them may change"
    return Diagnostic(f"{source.name}: {message}", level="warning")


# Names and places


def _with_places(machine: Machine, places: Mapping[str, Span]) -> Machine:
    """Variables and properties at their places in Verilog, in the order there; an assertion is called as there."""

    def moved(claim: Property) -> Property:
        name = claim.name.removesuffix(VIOLATED)
        return replace(claim, name=name, span=places.get(name))

    variables = {name: replace(variable, span=places.get(name)) for name, variable in machine.variables.items()}
    claims = sorted(map(moved, machine.properties), key=lambda claim: claim.span.start if claim.span is not None else -1)
    return replace(machine, variables=variables, properties=tuple(claims))
