"""SystemVerilog to machines, through Yosys: it elaborates the design and writes BTOR2, which we read.

Assertions become invariants, assumptions constraints. If there is one clock, and only its edges are used, a step of the machine
is an active edge of it, and asynchronous resets act at those edges; otherwise every moment is a step, and the clocks are inputs.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from coarsest.errors import FileProblem, InputError, ModelProblem, SyntaxProblem
from coarsest.files import Contents, read_contents, read_text
from coarsest.formats.btor2.read import read as read_btor2
from coarsest.formats.yosys.call import Remark, call_yosys
from coarsest.formats.yosys.claims import with_claims
from coarsest.formats.yosys.clocks import ALL_MOMENTS, ONE_CLOCK, about_clocks, only_clock
from coarsest.formats.yosys.design import HEADERS, Design, files_of, require_design
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
from coarsest.lts.tables.scratch import Scratch
from coarsest.model.machine import Machine
from coarsest.text import Diagnostic, Source, Span
from coarsest.text.printable import title_of

MOST_WARNINGS: Final = 10
"""The number of warnings of Yosys that are shown."""
_READS = re.compile(r"read(_\w+)?\s")
_MISSING = re.compile(r"Module `\\?([A-Za-z_]\w*)' referenced in module .* is not part of the design")


def read(contents: Contents) -> Machine:
    """The machine of a design whose top module Yosys finds."""
    return read_with(contents, "")


def read_with(contents: Contents, details: str) -> Machine:
    """The machine of a design with this top module."""
    return read_design(Design((contents.name,), details), contents)


def read_design(design: Design, main: Contents | None = None) -> Machine:
    """The machine of a design; `main` is the content of its first file, if it has been read."""
    require_design(design)
    with Scratch() as scratch:
        work = _Work(design, scratch.resolve())
        work.arrange(main)
        warnings = _run(work, ALL_MOMENTS if design.several_clocks else ONE_CLOCK)
        clock = None if design.several_clocks else only_clock(work.folder)
        if clock is None and not design.several_clocks:
            warnings = [*_run(work, ALL_MOMENTS), about_clocks(work.title)]
        warnings += warnings_about(work.folder, work.binds, lambda place: span_of(place, work.source_of))
        text = (work.folder / "design.btor2").read_text(encoding="utf-8", errors="replace")
        roles, note = roles_of(work.folder), counted(work.folder)
        named = with_names(text, work.source_of, roles)
    machine = read_btor2(Source(f"{work.title} (as BTOR2)", named.text))
    machine = with_claims(machine, named.places, named.roles, clock or "")
    source = next(iter(work.sources.values()), None)
    return replace(
        machine,
        name=design.top or title_of(source.name if source else work.title, ".sv", ".v"),
        source=source,
        warnings=tuple(warnings),
        notes=(f"{work.title}: {note}",),
    )


class _Work(Struct):
    """The call of Yosys for a design: its folder, and the files with the paths by which Yosys knows them."""

    design: Design
    folder: Path
    paths: list[str] = field(default_factory=list)
    """The files that Yosys reads."""
    sources: dict[str, Source] = field(default_factory=dict)
    """Texts, by the paths of their files for Yosys."""
    beside: list[str] = field(default_factory=list)
    """The folders in which included files and missing modules are looked for."""
    binds: list[Bind] = field(default_factory=list)

    @property
    def title(self) -> str:
        return next((source.name for source in self.sources.values()), "the design")

    def arrange(self, main: Contents | None) -> None:
        """Prepare the folder. Files stay where they are, so that they can include others beside them. A file with a `bind` is
        copied without it, and a text from elsewhere becomes a file."""
        design = self.design
        files = list(dict.fromkeys(files_of(design.files)))
        for name in files:
            self._take(main if main is not None and name == main.name else read_contents(name))
        if design.files and not any(source.text.strip() for source in self.sources.values()):
            source = next(iter(self.sources.values()))
            raise SyntaxProblem("the file is empty, expected a module", Span(source, 0, 1))
        for name, origin in design.copies:
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            contents = Contents(name, origin) if isinstance(origin, bytes) else read_contents(origin)
            path.write_bytes(contents.data)
            self.sources[name] = contents.text()
        for include in design.includes:
            self._look_in(self._relative(include))

    def _take(self, contents: Contents) -> None:
        source = contents.text()
        is_file = os.path.isfile(contents.name)
        path = self._relative(contents.name) if is_file else "design.sv"
        binds = binds_of(source)
        if is_file:
            self._look_in(os.path.dirname(path))
        if binds or not is_file:
            path = f"{len(self.sources)}_{os.path.basename(path)}" if (self.folder / os.path.basename(path)).exists() \
                else os.path.basename(path)  # fmt: skip
            (self.folder / path).write_bytes(without(binds, source.text).encode("utf-8", "replace"))
        self.binds += binds
        self.sources[path] = source
        if not path.endswith(HEADERS):
            self.paths.append(path)

    def _relative(self, name: str) -> str:
        return os.path.relpath(os.path.realpath(name), self.folder).replace(os.sep, "/")

    def _look_in(self, folder: str) -> None:
        if folder not in self.beside:
            self.beside.append(folder)

    def source_of(self, file: str) -> Source | None:
        """The text of a file that Yosys knows by a path."""
        if file in self.sources:
            return self.sources[file]
        path = self.folder / file
        try:
            return Source(os.path.relpath(path), read_text(path).text) if file and path.is_file() else None
        except FileProblem:
            return None

    def file_of(self, module: str) -> str:
        """The file beside the design that has the name of a module."""
        names = (os.path.join(beside, f"{module}{ending}") for beside in self.beside for ending in (".sv", ".v"))
        return next((name for name in names if (self.folder / name).is_file()), "")

    def in_words(self, text: str) -> str:
        """A message of Yosys with the names that people know the files by, and without its escape characters."""
        for path, source in self.sources.items():
            text = text.replace(path, source.name)
        return re.sub(r"\\(?=[A-Za-z_])", "", text).replace("`", "'").rstrip(".")


# The call


def _run(work: _Work, clocks: str) -> list[Diagnostic]:
    """Let Yosys write BTOR2. An error is raised, warnings are the result.

    A missing module is looked for in a file of its name beside the other files.
    """
    paths = list(work.paths)
    while True:
        succeeded, remarks = call_yosys(_script(paths, work, clocks), work.folder)
        errors = [remark for remark in remarks if remark.level == "ERROR"]
        if succeeded and not errors:
            shown = [remark for remark in remarks if not is_about_checkers(remark, work.binds)][:MOST_WARNINGS]
            return [Diagnostic(*_message(remark, work), level="warning") for remark in shown]
        missing = _MISSING.match(errors[0].text)
        more = work.file_of(missing[1]) if missing and not work.design.script else ""
        if not more or more in paths:
            raise _problem(errors[0], work)
        paths.append(more)


def _script(paths: list[str], work: _Work, clocks: str) -> str:
    for path in (*paths, *work.beside):
        if re.search(r'["\n\\]', path):
            raise FileProblem(f"Yosys cannot read a file with the name '{path}'", hint="rename it")
    design = work.design
    options = "".join([
        *(f" -D{define}" for define in design.defines),
        *(f' -I "{folder or "."}"' for folder in work.beside or [""]),
    ])  # fmt: skip
    top_module = f"-top {design.top}" if design.top else "-auto-top"
    parameters = "".join(f" -chparam {parameter.replace('=', ' ', 1)}" for parameter in design.parameters)
    reading = [*(f'read_verilog -sv -formal{options} "{path}"' for path in paths), *delete_checkers(work.binds, design.top)]
    last = max((number for number, line in enumerate(design.script, 1) if _READS.match(line)), default=0)
    return "; ".join(
        [
            *(design.script[:last] or reading),
            DUMP_READ,
            *design.script[last:],
            f"hierarchy -check {top_module}{parameters}",
            DUMP_DESIGN,
            "prep -flatten",
            clocks,
            "chformal -early",
            "dffunmap",
            WRITE_AS_ASSERTIONS,
            "write_btor -v -i design.info design.btor2",
        ]
    )


def _problem(remark: Remark, work: _Work) -> InputError:
    message, span, hint = _message(remark, work)
    if "is not part of the design" in message:
        hint = "modules are looked for in the files, in what they include, and beside them in MODULE.sv or MODULE.v"
    problem = SyntaxProblem if message.startswith("syntax error") else ModelProblem
    return problem(message, span, hint=hint)


def _message(remark: Remark, work: _Work) -> tuple[str, Span | None, str]:
    """The message, the position and the hint for a remark."""
    message = work.in_words(remark.text)
    source = work.source_of(remark.file)
    if source is None:
        where = f"{remark.file}:{remark.line}: " if remark.file else f"{work.title}: "
        return f"{where}{message}", None, "this is a message of Yosys"
    return message, _line(source, remark.line), "this is a message of Yosys"


def _line(source: Source, number: int) -> Span:
    """A line without the blanks around it."""
    lines = source.text.split("\n")
    number = max(1, min(number, len(lines)))
    start = sum(len(line) + 1 for line in lines[: number - 1])
    line = lines[number - 1]
    first = start + len(line) - len(line.lstrip())
    return Span(source, first, max(first + 1, start + len(line.rstrip())))
