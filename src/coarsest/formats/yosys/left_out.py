"""The claims of a design in dumps of Yosys, and the claims that are left out: those of unused modules, and of `bind`.

Yosys dumps the cells of all claims twice: as they were read, and in the modules of the design. Covers and liveness have no lines
in BTOR2: they are dumped a third time, with their names in BTOR2, and written as assertions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from coarsest.formats.yosys.call import Remark
from coarsest.formats.yosys.names import WORDS, label_of
from coarsest.text import Diagnostic, Source, Span

READ, DESIGN, MODULES, ROLES = "read.il", "design.il", "modules.txt", "roles.il"
_CELLS = " ".join(f"t:${kind}" for kind in ("check", "assert", "assume", "live", "fair", "cover"))
DUMP_READ = f"dump -m -o {READ} {_CELLS}"
DUMP_DESIGN = f"tee -q -o {MODULES} ls; dump -m -o {DESIGN} {_CELLS}"
_IN_DISGUISE = "t:$live t:$fair t:$cover"
WRITE_AS_ASSERTIONS = f"dump -m -o {ROLES} {_IN_DISGUISE}; chtype -set $assert {_IN_DISGUISE}"

_NOTHING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_PATH = r"[\w$.\[\]]+"
_TARGET = rf"{_PATH}(?:\s*:\s*{_PATH}(?:\s*,\s*{_PATH})*)?"
_BIND = re.compile(rf"(?<![\w.$\\`])bind\s+(?P<target>{_TARGET})\s+(?P<checker>[A-Za-z_]\w*)\s*(?:#|[A-Za-z_])[^;]*\([^;]*;")
_CELL = re.compile(r"cell \$(?P<kind>\w+) (?:\\(?P<label>\S+)|(?P<made_up>\S+))")
_PARAMETRISED = re.compile(r"\$paramod(?:\$[0-9a-f]+)?\\([^\\]+)")
_KINDS = {"assert": "assertion", "assume": "assumption", "cover": "cover", "live": "liveness assertion", "fair": "assumption"}

PlaceOf = Callable[[str], Span | None]
"""The position that an attribute `src` of Yosys means."""


class Claim(NamedTuple):
    module: str
    cell: str
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
    """The text with blanks in place of directives, which Yosys ignores or cannot read."""
    for bind in binds:
        text = text[: bind.span.start] + _blank(bind.span.text) + text[bind.span.end :]
    return text


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def delete_checkers(binds: list[Bind], top: str) -> list[str]:
    """Commands that delete checkers that only `bind` would instantiate, unless a checker is the top module."""
    checkers = dict.fromkeys(bind.checker for bind in binds if bind.checker != top)
    return [f"delete {checker} t:{checker} %M %d" for checker in checkers]


def is_about_checkers(remark: Remark, binds: list[Bind]) -> bool:
    """Does Yosys only say that there is no such checker to delete?"""
    return any(remark.text == f'Selection "{bind.checker}" did not match any module.' for bind in binds)


def warnings_about(folder: Path, binds: list[Bind], place_of: PlaceOf) -> list[Diagnostic]:
    """One warning for each claim that nobody checks, and for each `bind`."""
    modules = {_base(line.strip()) for line in _lines(folder / MODULES)}
    warnings: dict[str, Diagnostic] = {}
    for claim in (claim for claim in _claims(folder / READ) if claim.module not in modules):
        hint = f"--format yosys:{claim.module} reads that module"
        message = f"the {_KINDS[claim.kind]} `{claim.name}` is left out: its module `{claim.module}` is not part of the design"
        warnings.setdefault(claim.place or message, Diagnostic(message, place_of(claim.place), hint, level="warning"))
    for bind in binds:
        message = f"`bind` is not read: the claims of `{bind.checker}` about `{bind.target}` are left out"
        hint = f"write the instance of `{bind.checker}` into the module"
        warnings[message + str(bind.span.start)] = Diagnostic(message, bind.span, hint, level="warning")
    return list(warnings.values())


def roles_of(folder: Path) -> dict[str, str]:
    """The roles of cells that only look like assertions in BTOR2: `live`, `fair` or `cover`."""
    return {claim.cell: claim.kind for claim in _claims(folder / ROLES)}


def counted(folder: Path) -> str:
    """A sentence about the number of claims in the source, by kind, and the number of claims in unused modules.

    A claim is counted once, even if its module has several instances.
    """
    modules = {_base(line.strip()) for line in _lines(folder / MODULES)}
    claims = {(claim.place, claim.name): claim for claim in _claims(folder / READ)}
    claims |= {(claim.place, claim.name): claim for claim in _claims(folder / DESIGN)}
    kinds = Counter(_KINDS[claim.kind] for claim in claims.values())
    counts = ", ".join(f"{count} {kind}{'s' * (count != 1)}" for kind, count in sorted(kinds.items())) or "no claims"
    missing = sum(claim.module not in modules for claim in claims.values())
    return f"the source has {counts}{f'; {missing} in modules that are not part of the design' if missing else ''}"


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []


def _claims(path: Path) -> Iterator[Claim]:
    """The claims in a dump."""
    module = kind = cell = place = ""
    for line in map(str.strip, _lines(path)):
        if line.startswith("module "):
            module = _base(line.removeprefix("module ").removeprefix("\\"))
        elif line.startswith("attribute \\src "):
            place = line.removeprefix("attribute \\src ").strip('"')
        elif (match := _CELL.fullmatch(line)) is not None:
            kind, cell = match["kind"], match["label"] or match["made_up"]
        elif line.startswith("parameter \\FLAVOR "):
            kind = line.split('"')[1]
        elif line == "end" and kind:
            yield Claim(module, cell, kind, label_of(cell, WORDS.get(kind, kind)), place)
            kind = ""


def _base(module: str) -> str:
    """The name of a module without the values of its parameters.

    >>> _base("$paramod$a712a4\\\\leaf"), _base("$paramod\\\\leaf\\\\W=s32'100"), _base("leaf")
    ('leaf', 'leaf', 'leaf')
    """
    match = _PARAMETRISED.match(module)
    return match[1] if match is not None else module
