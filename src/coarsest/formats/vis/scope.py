"""Instances of modules: their signals, constants and routines."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from coarsest.errors import NameProblem
from coarsest.formats.vis.bits import Shape
from coarsest.formats.vis.parsing.syntax import Routine, VerilogModule
from coarsest.logic.expr import Constant
from coarsest.text import Span
from coarsest.text.near import nearest


class Piece(Struct, frozen=True):
    """Bits of a wire that have a separate source; bits are counted from 0 at the end of the wire."""

    high: int
    low: int
    name: str


class VerilogSignal(Struct):
    """A wire, a register or an array; `left` and `right` are the bounds of its bits, `first` and `last` those of an array."""

    name: str
    shape: Shape
    words: frozenset[str]
    span: Span
    left: int = 0
    right: int = 0
    first: int = 0
    last: int = 0
    is_array: bool = False
    implicit: bool = False
    local: bool = False
    pieces: list[Piece] = field(default_factory=list)

    @property
    def width(self) -> int:
        return self.shape if isinstance(self.shape, int) else 0

    def element(self, index: int) -> str:
        """The name of an element of an array."""
        return f"{self.name}[{index}]"

    @property
    def length(self) -> int:
        """The number of elements of an array."""
        return abs(self.first - self.last) + 1

    @property
    def indices(self) -> range:
        return range(min(self.first, self.last), max(self.first, self.last) + 1)

    @property
    def elements(self) -> Iterator[str]:
        """The names of its elements in the machine."""
        return map(self.element, self.indices) if self.is_array else iter((self.name,))

    def bit(self, index: int) -> int:
        """The bit at an index, counted from 0 at the end; it may be outside the signal."""
        return index - self.right if self.left >= self.right else self.right - index


class VerilogScope(Struct):
    """One instance, or a block or routine in it. The names of its signals begin with `prefix`."""

    module: VerilogModule
    prefix: str
    constants: dict[str, Constant] = field(default_factory=dict)
    signals: dict[str, VerilogSignal] = field(default_factory=dict)
    children: dict[str, VerilogScope] = field(default_factory=dict)
    outer: VerilogScope | None = None
    """The scope around that of a block or routine."""

    def signal(self, name: str) -> VerilogSignal | None:
        scope: VerilogScope | None = self
        while scope is not None:
            if name in scope.signals:
                return scope.signals[name]
            if "." in name and (child := scope.children.get(name.partition(".")[0])) is not None:
                return child.signal(name.partition(".")[2])
            scope = scope.outer
        return None

    def constant(self, name: str) -> Constant | None:
        scope: VerilogScope | None = self
        while scope is not None:
            if name in scope.constants:
                return scope.constants[name]
            scope = scope.outer
        return None

    def routine(self, name: str, span: Span | None, what: str) -> Routine:
        routine = self.module.routines.get(name)
        if routine is None or (routine.result is None) != (what == "task"):
            close = nearest(name, self.module.routines)
            hint = f"did you mean `{close[0]}`?" if close else ""
            raise NameProblem(f"there is no {what} `{name}` in module `{self.module.name}`", span, hint=hint)
        return routine

    def names(self) -> list[str]:
        scope: VerilogScope | None = self
        names: list[str] = []
        while scope is not None:
            names += [*scope.signals, *scope.constants]
            scope = scope.outer
        return names
