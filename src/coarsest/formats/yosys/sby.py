"""Projects of SymbiYosys (`.sby`): options, a script of Yosys, files, and tasks. Each task is a design and a question.

A line may begin with the tasks that it is for (`bmc cover: …`, `~bmc: …`). Such a head alone begins a block, which ends at `--`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from coarsest.errors import FileProblem, InputError, NameProblem, SyntaxProblem, Unsupported
from coarsest.formats.yosys.design import Design
from coarsest.formats.yosys.read import read_design
from coarsest.model.machine import Machine, Property
from coarsest.text import Source, Span
from coarsest.text.near import nearest

USUAL_DEPTH: Final = 20
"""The depth of a task whose project does not give one, as in SymbiYosys."""
MODES: Mapping[str, str] = MappingProxyType({"bmc": "invariant", "prove": "invariant", "cover": "cover", "live": "ltl"})
"""The kind of properties that each mode is about."""
_OPTIONS = (
    "mode", "depth", "expect", "multiclock", "timeout", "wait", "append", "skip", "aigsmt", "smtc", "tbtop", "vcd", "fst",
    "make_model",
    "vcd_sim", "aigfolds", "aigvmap", "aigsyms", "assume_early", "cover_assert", "skip_prep", "diff",
    "presat", "btor_aig",
)  # fmt: skip
_NO_MATTER = ("engines", "autotune", "setup", "cutpoint")
_SECTIONS = ("options", "engines", "script", "files", "tasks", "file", *_NO_MATTER)
_FORBIDDEN = ("!", "exec", "shell", "tcl", "script", "plugin", "write_file")
_HEADER = re.compile(r"\[\s*(\w+)(?:\s+([^\]]+?))?\s*\]")
_HEAD = re.compile(r"(~?[\w*?]+(?:\s+~?[\w*?]+)*)\s*:(?!:)(.*)")


class Line(NamedTuple):
    text: str
    span: Span


class Task(NamedTuple):
    """One task of a project: a design, the mode, and the expected answer."""

    name: str
    mode: str
    depth: int
    expect: tuple[str, ...]
    design: Design
    notes: tuple[str, ...]

    @property
    def bound(self) -> int | None:
        """The depth of a task that has one."""
        return self.depth if self.mode in ("bmc", "cover") else None

    @property
    def title(self) -> str:
        return f"mode {self.mode}{'' if self.bound is None else f', depth {self.depth}'}"

    def asks(self, claim: Property) -> bool:
        return str(claim.kind) == MODES[self.mode]


def read(source: Source) -> Machine:
    """The machine of a project with one task."""
    tasks = tasks_of(source)
    if len(tasks) > 1:
        names = ", ".join(task.name for task in tasks)
        raise InputError(f"the project has the tasks {names}", Span(source, 0, 0), hint=f"--format sby:{tasks[0].name}")
    return machine_of(tasks[0])


def read_with(source: Source, details: str) -> Machine:
    """The machine of this task."""
    return machine_of(task_named(source, details))


def machine_of(task: Task) -> Machine:
    """The machine of a task, with the properties that it is about."""
    machine = read_design(task.design)
    claims = tuple(filter(task.asks, machine.properties))
    left = len(machine.properties) - len(claims)
    about_others = (f"mode {task.mode} leaves {left} of the {len(machine.properties)} properties to other modes",) if left else ()
    return replace(machine, properties=claims, notes=(*machine.notes, *task.notes, *about_others))


def task_named(source: Source, name: str) -> Task:
    tasks = tasks_of(source)
    for task in tasks:
        if task.name == name:
            return task
    close = nearest(name, [task.name for task in tasks])
    names = ", ".join(task.name for task in tasks if task.name) or "none"
    raise NameProblem(f"there is no task `{name}`", hint=f"did you mean `{close[0]}`?" if close else f"its tasks are {names}")


def tasks_of(source: Source) -> list[Task]:
    """All tasks of a project; a project without a section of tasks has one task without a name.

    >>> text = "[tasks]\\nfind\\nshow\\n[options]\\nmode bmc\\nshow: mode cover\\n[script]\\nread -formal a.sv\\nprep -top a\\n"
    >>> [(task.name, task.mode, task.design.top) for task in tasks_of(Source("a.sby", text))]
    [('find', 'bmc', 'a'), ('show', 'cover', 'a')]
    """
    sections = _sections(source)
    groups = _groups(sections.get("tasks", []))
    return [_task(source, sections, name, groups) for name in groups or {"": ()}]


def _sections(source: Source) -> dict[str, list[Line]]:
    """The lines of each section, without comments; `[file NAME]` is a section, too, and keeps all its lines."""
    sections: dict[str, list[Line]] = {}
    lines: list[Line] | None = None
    start, is_file = 0, False
    for raw in source.text.splitlines(keepends=True):
        text, span = raw.rstrip("\r\n"), Span(source, start, start + len(raw.rstrip()))
        start += len(raw)
        if text.startswith("--pycode"):
            raise Unsupported("Python inside a project is not run", span, hint="write the lines that it would print")
        header = _HEADER.fullmatch(text.split("#")[0].strip())
        if header is not None:
            name, about = header[1], header[2] or ""
            if name not in _SECTIONS:
                close = nearest(name, _SECTIONS)
                hint = f"did you mean [{close[0]}]?" if close else f"sections are {', '.join(_SECTIONS)}"
                raise NameProblem(f"there is no section [{name}]", span, hint=hint)
            is_file = name == "file"
            lines = sections.setdefault(f"file {about}" if is_file else name, [])
            continue
        code = text if is_file else text.split("#")[0].rstrip()
        if lines is not None and (code.strip() or is_file):
            lines.append(Line(code, span))
        elif code.strip():
            raise SyntaxProblem("a line before the first section", span, hint="projects begin with [options]")
    if "script" not in sections:
        raise SyntaxProblem("the project has no [script]", Span(source, 0, 0), hint="its commands read the design")
    return sections


def _groups(lines: Sequence[Line]) -> dict[str, tuple[str, ...]]:
    """The groups of each task."""
    groups: dict[str, tuple[str, ...]] = {}
    for words in (line.text.split(":")[0].split() for line in lines):
        for name in _alternatives(words[0]) if words else ():
            groups[name] = (*groups.get(name, ()), *words[1:])
    return groups


def _alternatives(word: str) -> list[str]:
    """The names that a word means: `a_{b,c}` is `a_b` and `a_c`."""
    match = re.fullmatch(r"(.*?)\{([^}]*)\}(.*)", word)
    if match is None:
        return [word]
    return [name for part in match[2].split(",") for name in _alternatives(f"{match[1]}{part}{match[3]}")]


def _for_task(lines: Sequence[Line], name: str, groups: Mapping[str, tuple[str, ...]]) -> Iterator[Line]:
    """The lines that are for a task, without their heads."""
    mine = {name, *groups.get(name, ())}
    every = {*groups, *(group for of_task in groups.values() for group in of_task)}
    in_block, skipping = False, False
    for line in lines:
        text = line.text.strip()
        if text == "--":
            in_block = skipping = False
            continue
        head = _HEAD.fullmatch(text)
        if not in_block and head is not None and all(_is_tag(word, every) for word in head[1].split()):
            applies = all(word[1:] not in mine for word in head[1].split() if word[0] == "~") and (
                all(word[0] == "~" for word in head[1].split()) or any(_means(word, mine) for word in head[1].split())
            )
            if head[2].strip():
                if applies:
                    yield Line(head[2].strip(), line.span)
            else:
                in_block, skipping = True, not applies
            continue
        if not skipping:
            yield Line(text, line.span)


def _is_tag(word: str, every: set[str]) -> bool:
    return word.removeprefix("~") in every or ("*" in word and any(_means(word, {tag}) for tag in every))


def _means(word: str, tags: set[str]) -> bool:
    return any(re.fullmatch(word.replace("*", ".*").replace("?", "."), tag) for tag in tags) if word[0] != "~" else False


def _task(
    source: Source, sections: Mapping[str, list[Line]], name: str, groups: Mapping[str, tuple[str, ...]]
) -> Task:
    options = _options(_for_task(sections.get("options", []), name, groups))
    span = next((line.span for line in sections.get("options", [])), Span(source, 0, 0))
    if "mode" not in options:
        raise SyntaxProblem("the project has no mode", span, hint=f"[options] has a line such as `mode {[*MODES][1]}`")
    mode = options["mode"].text
    if mode not in MODES:
        close = nearest(mode, MODES)
        raise SyntaxProblem(f"there is no mode `{mode}`", options["mode"].span,
                            hint=f"did you mean {close[0]}?" if close else f"modes are {', '.join(MODES)}")  # fmt: skip
    script = list(_for_task(sections["script"], name, groups))
    design = Design(
        top=_top(script),
        script=tuple(_command(line) for line in script),
        copies=tuple(_copies(source, sections, name, groups)),
        several_clocks=options["multiclock"].text in ("on", "yes", "1") if "multiclock" in options else False,
    )
    expect = tuple(options["expect"].text.lower().replace(",", " ").split()) if "expect" in options else ("pass",)
    engines = [line.text for line in _for_task(sections.get("engines", []), name, groups)]
    notes = (f"the engines of the project ({', '.join(engines)}) are not used: --engine chooses an engine",) if engines else ()
    return Task(name, mode, _depth(options), expect, design, notes)


def _options(lines: Iterable[Line]) -> dict[str, Line]:
    """The options and their values; if an option has several values, the last one counts."""
    options: dict[str, Line] = {}
    for line in lines:
        word, _, value = line.text.partition(" ")
        if word not in _OPTIONS:
            close = nearest(word, _OPTIONS)
            raise NameProblem(f"there is no option `{word}`", line.span, hint=f"did you mean `{close[0]}`?" if close else "")
        options[word] = Line(value.strip(), line.span)
    return options


def _depth(options: Mapping[str, Line]) -> int:
    line = options.get("depth")
    if line is None:
        return USUAL_DEPTH
    if not line.text.isdecimal() or not 0 < int(line.text) < 1_000_000:
        raise SyntaxProblem("expected a number of steps above 0", line.span, hint="depth 20")
    return int(line.text)


def _command(line: Line) -> str:
    if line.text.split()[0] in _FORBIDDEN or line.text.startswith("!"):
        raise Unsupported("commands that do not work on the design are not run", line.span, hint="leave the line out")
    if "verific" in line.text.split()[0]:
        raise Unsupported("Verific is not part of the free version of Yosys", line.span, hint="read -formal FILE")
    return line.text.rstrip(";")


def _top(script: Sequence[Line]) -> str:
    """The top module that the script names."""
    for line in script:
        words = line.text.split()
        if words and words[0] in ("prep", "hierarchy", "synth") and "-top" in words[:-1]:
            return words[words.index("-top") + 1].removeprefix("\\")
    return ""


def _copies(
    source: Source, sections: Mapping[str, list[Line]], name: str, groups: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str | bytes]]:
    """The files in the folder of the script: `PATH`, `NAME PATH`, files in folders, and files inside the project."""
    beside = os.path.dirname(source.name)
    for line in _for_task(sections.get("files", []), name, groups):
        words = line.text.split()
        target, path = words if len(words) == 2 else (PurePosixPath(words[0]).name, words[0])
        origin = os.path.join(beside, os.path.expandvars(os.path.expanduser(path)))
        if os.path.isdir(origin):
            for folder, _, names in os.walk(origin):
                for file_name in sorted(names):
                    full = os.path.join(folder, file_name)
                    yield os.path.join(target, os.path.relpath(full, origin)), full
        elif os.path.isfile(origin):
            yield target, origin
        else:
            raise FileProblem(f"there is no file '{path}'", line.span, hint="paths are looked for beside the project")
    for title, lines in sections.items():
        if title.startswith("file "):
            yield title.removeprefix("file "), "\n".join(line.text for line in lines).encode() + b"\n"
