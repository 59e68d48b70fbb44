"""What a design says and Yosys does not hand on: covers, liveness, claims of modules that nobody instantiates, `bind`.

Yosys dumps the cells of all claims twice: as they were read, and in the modules that the design consists of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from coarsest.errors import Unsupported
from coarsest.formats.yosys.call import Remark
from coarsest.formats.yosys.names import label_of
from coarsest.text import Diagnostic, Source, Span

READ, DESIGN, MODULES = "read.il", "design.il", "modules.txt"
_CELLS = " ".join(f"t:${kind}" for kind in ("check", "assert", "assume", "live", "fair", "cover"))
DUMP_READ = f"dump -m -o {READ} {_CELLS}"
DUMP_DESIGN = f"tee -q -o {MODULES} ls; dump -m -o {DESIGN} {_CELLS}"
REMOVE = "chformal -live -fair -cover -remove"
"""Yosys has no words for these in BTOR2."""

_NOTHING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_PATH = r"[\w$.\[\]]+"
_TARGET = rf"{_PATH}(?:\s*:\s*{_PATH}(?:\s*,\s*{_PATH})*)?"
_BIND = re.compile(rf"(?<![\w.$\\`])bind\s+(?P<target>{_TARGET})\s+(?P<checker>[A-Za-z_]\w*)\s*(?:#|[A-Za-z_])[^;]*\([^;]*;")
_CELL = re.compile(r"cell \$(?P<kind>\w+) (?:\\(?P<label>\S+)|(?P<made_up>\S+))")
_PARAMETRISED = re.compile(r"\$paramod(?:\$[0-9a-f]+)?\\([^\\]+)")
_KINDS = {"assert": "assertion", "assume": "assumption", "cover": "cover", "live": "liveness assertion", "fair": "assumption"}

PlaceOf = Callable[[str], Span | None]
"""The place that an attribute `src` of Yosys tells."""


class Claim(NamedTuple):
    module: str
    kind: str
    name: str
    place: str


class Bind(NamedTuple):
    """A directive that puts an instance of a checker into a module."""

    target: str
    checker: str
    span: Span


def binds_of(source: Source) -> list[Bind]:
    """The directives of a text, in their order.

    >>> [bind[:2] for bind in binds_of(Source("m.sv", "bind fifo: a, b rules #(2) r(.*); // bind fifo rules s(.*);"))]
    [('fifo: a, b', 'rules')]
    """
    text = _NOTHING.sub(lambda match: _blank(match[0]), source.text)
    return [Bind(match["target"], match["checker"], Span(source, *match.span())) for match in _BIND.finditer(text)]


def without(binds: list[Bind], text: str) -> str:
    """The text with blanks in place of directives, which Yosys overlooks or does not read."""
    for bind in binds:
        text = text[: bind.span.start] + _blank(bind.span.text) + text[bind.span.end :]
    return text


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def delete_checkers(binds: list[Bind], top: str) -> list[str]:
    """Commands that take checkers away which nothing but `bind` would put into the design: the top module is none of them."""
    checkers = dict.fromkeys(bind.checker for bind in binds if bind.checker != top)
    return [f"delete {checker} t:{checker} %M %d" for checker in checkers]


def is_about_checkers(remark: Remark, binds: list[Bind]) -> bool:
    """Does Yosys only say that there is no such checker to be taken away?"""
    return any(remark.text == f'Selection "{bind.checker}" did not match any module.' for bind in binds)


def warnings_about(folder: Path, binds: list[Bind], place_of: PlaceOf) -> list[Diagnostic]:
    """One warning for each claim that nobody checks, and for each `bind`."""
    modules = {_base(line.strip()) for line in _lines(folder / MODULES)}
    claims = [claim for claim in _claims(folder / READ) if claim.module not in modules]
    claims += [claim for claim in _claims(folder / DESIGN) if claim.kind in ("live", "fair", "cover")]
    warnings: dict[str, Diagnostic] = {}
    for claim in claims:
        span = place_of(claim.place)
        if claim.module not in modules:
            hint = f"--format yosys:{claim.module} reads that module"
            told = f"the {_KINDS[claim.kind]} `{claim.name}` is left out: its module `{claim.module}` is no part of the design"
        elif claim.kind == "fair":
            hint = "leave it out, and write it into a formula: (G F …) -> …"
            raise Unsupported("`assume (s_eventually …)` is not handled", span, hint=hint)
        elif claim.kind == "live":
            hint = "as a formula on the command line it is checked: G F …"
            told = f"`{claim.name}` is left out: `s_eventually` is not read"
        else:
            hint = "as a formula on the command line it is checked: EF …"
            told = f"`{claim.name}` is left out: `cover` is not read"
        warnings.setdefault(claim.place or told, Diagnostic(told, span, hint, level="warning"))
    for bind in binds:
        told = f"`bind` is not read: what `{bind.checker}` says about `{bind.target}` is left out"
        hint = f"write the instance of `{bind.checker}` into the module"
        warnings[told + str(bind.span.start)] = Diagnostic(told, bind.span, hint, level="warning")
    return list(warnings.values())


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []


def _claims(path: Path) -> Iterator[Claim]:
    """The claims in a dump."""
    module = kind = name = place = ""
    for line in map(str.strip, _lines(path)):
        if line.startswith("module "):
            module = _base(line.removeprefix("module ").removeprefix("\\"))
        elif line.startswith("attribute \\src "):
            place = line.removeprefix("attribute \\src ").strip('"')
        elif (cell := _CELL.fullmatch(line)) is not None:
            kind, name = cell["kind"], cell["label"] or cell["made_up"]
        elif line.startswith("parameter \\FLAVOR "):
            kind = line.split('"')[1]
        elif line == "end" and kind:
            yield Claim(module, kind, label_of(name, {"live": "assert", "fair": "assume"}.get(kind, kind)), place)
            kind = ""


def _base(module: str) -> str:
    """The name of a module without the values of its parameters.

    >>> _base("$paramod$a712a4\\\\leaf"), _base("$paramod\\\\leaf\\\\W=s32'100"), _base("leaf")
    ('leaf', 'leaf', 'leaf')
    """
    match = _PARAMETRISED.match(module)
    return match[1] if match is not None else module
