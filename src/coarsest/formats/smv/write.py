"""A machine as one flat SMV module that NuSMV 2.6 reads.

Full names such as `p1.status` and `forks[0]` are legal in declarations and stay. A name that SMV cannot spell (from another
language, or a reserved word) is replaced by a legal, unused name, and a comment gives the original. Parts that expressions share
are written out, unless the text would explode: then they get definitions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from coarsest.formats.smv.psl_text import psl_text
from coarsest.formats.smv.share import with_shared_parts_defined
from coarsest.logic.expr import Constant, Expr, Name, replace
from coarsest.logic.show import show
from coarsest.logic.tokens import IDENTIFIER, KEYWORDS
from coarsest.model.machine import Kind, Machine, Property
from coarsest.model.query.machine_names import listed_symbols, unlisted_symbols
from coarsest.model.types import Enumeration, Type

_LEGAL = re.compile(rf'{IDENTIFIER}(?:\.(?:{IDENTIFIER}|[0-9]+)|\[-?[0-9]+\])*|"[^"\n]*"')
_ILLEGAL = re.compile(r"[^A-Za-z0-9_#]")
_SECTION = {Kind.STATE: "VAR", Kind.FROZEN: "FROZENVAR", Kind.INPUT: "IVAR"}


def write(machine: Machine) -> str:
    """The machine as SMV text. Reading it gives an equal machine, except for names that had to be changed.

    >>> from coarsest.formats.smv.read import read
    >>> from coarsest.text import Source
    >>> print(write(read(Source("m.smv", "MODULE main VAR x : 0..3; ASSIGN next(x) := {0, x};"))), end="")
    -- m, flattened
    MODULE main
    VAR
      x : 0..3;
    ASSIGN
      next(x) := {0, x};
    """
    machine = with_shared_parts_defined(machine)
    names = _Names(machine)
    lines = [f"-- {machine.name}, flattened", "MODULE main"]
    lines += names.comments()
    lines += _declarations(machine, names)
    constants = unlisted_symbols(machine)
    if constants:
        lines.append(f"CONSTANTS {', '.join(map(names.of, constants))};")
    if machine.definitions:
        lines.append("DEFINE")
        lines += [f"  {names.of(name)} := {names.show(body)};" for name, body in machine.definitions.items()]
    lines += _assignments(machine, names)
    for keyword, exprs in (
        ("INIT", machine.initial_constraints),
        ("INVAR", machine.invariant_constraints),
        ("TRANS", machine.transition_constraints),
        ("JUSTICE", machine.justice),
    ):
        lines += [f"{keyword} {names.show(expr)};" for expr in exprs]
    lines += [f"COMPASSION ({names.show(often)}, {names.show(then_often)});" for often, then_often in machine.compassion]
    lines += [_specification(prop, names) for prop in machine.properties]
    return "\n".join(lines) + "\n"


def _declarations(machine: Machine, names: _Names) -> Iterator[str]:
    section = None
    for variable in machine.variables.values():
        if variable.kind is not section:
            section = variable.kind
            yield _SECTION[section]
        yield f"  {names.of(variable.name)} : {names.type(variable.type)};"


def _assignments(machine: Machine, names: _Names) -> list[str]:
    assigned = (("init({})", machine.initial_values), ("{}", machine.current_values), ("next({})", machine.next_values))
    lines = [
        f"  {left.format(names.of(name))} := {names.show(value)};" for left, values in assigned for name, value in values.items()
    ]
    return ["ASSIGN", *lines] if lines else []


def _specification(prop: Property, names: _Names) -> str:
    if not prop.kind.section:
        return f"-- {f'{prop.name}: ' if prop.name else ''}reached: {names.show(prop.formula, show)}"
    name = f"NAME {names.property(prop.name)} := " if prop.name else ""
    printed = psl_text if prop.kind.is_psl else show
    return f"{prop.kind.section} {name}{names.show(prop.formula, printed)};"


class _Names:
    """Legal names for all names of a machine, all different."""

    def __init__(self, machine: Machine) -> None:
        originals = [*machine.variables, *machine.definitions, *listed_symbols(machine), *unlisted_symbols(machine)]
        taken = {name for name in originals if _is_legal(name)}
        self._changed: dict[str, str] = {}
        for name in originals:
            if not _is_legal(name) and name not in self._changed:
                changed = _spelled(name)
                while changed in taken or changed in KEYWORDS:
                    changed += "$"
                taken.add(changed)
                self._changed[name] = changed

    def comments(self) -> Iterable[str]:
        return (f"-- {new} is {old!r}" for old, new in self._changed.items())

    def of(self, name: str) -> str:
        return self._changed.get(name, name)

    def property(self, name: str) -> str:
        return name if _is_legal(name) else _spelled(name)

    def type(self, kind: Type) -> str:
        if isinstance(kind, Enumeration) and self._changed:
            return str(Enumeration(tuple(self.of(m) if isinstance(m, str) else m for m in kind.members)))
        return str(kind)

    def show(self, expr: Expr, printed: Callable[[Expr], str] = show) -> str:
        return printed(replace(expr, self._renamed) if self._changed else expr)

    def _renamed(self, expr: Expr) -> Expr | None:
        if isinstance(expr, Name) and expr.name in self._changed:
            return Name(self._changed[expr.name])
        if isinstance(expr, Constant) and isinstance(expr.value, str) and expr.value in self._changed:
            return Constant(self._changed[expr.value])
        return None


def _is_legal(name: str) -> bool:
    return _LEGAL.fullmatch(name) is not None and not any(part in KEYWORDS for part in re.split(r"[.\[\]]", name))


def _spelled(name: str) -> str:
    """The name with `$`, the code and `$` in place of each character that SMV does not allow."""
    spelled = _ILLEGAL.sub(lambda match: f"${ord(match.group()):x}$", name)
    return spelled if spelled[:1].isalpha() or spelled[:1] == "_" else f"_{spelled}"
