"""The machine of a design during its construction: variables, definitions, and the drivers of signals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Final

from msgspec import Struct, field

from coarsest.errors import NameProblem, Unsupported
from coarsest.formats.vis.bits import BitRow, Shape, bit, constant, first_of, joined, type_of_shape
from coarsest.formats.vis.scope import Piece, VerilogSignal
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.machine import Kind, Variable
from coarsest.model.parts.watch import OURS
from coarsest.model.types import Enumeration, Range, Type
from coarsest.text import Diagnostic, Span

SMALLEST_NAMED: Final = 30
"""A value with at least this many operations gets a name where two branches meet, since it may be used more than once."""

MOST_ELEMENTS: Final = 100_000


class Driver(Struct):
    """A driver of bits of a wire; `value` is called when all signals have been declared."""

    high: int
    low: int
    value: Callable[[], Expr]
    span: Span
    reads_itself: bool = False
    """Does the value depend on the wire that is driven? Then each bit gets a value of its own, as the bits of a carry need."""


class ElaboratedDesign(Struct):
    """All names are full. Blocks wait for the `clocks`; the values of `passing` signals need not be remembered."""

    variables: dict[str, Variable] = field(default_factory=dict)
    definitions: dict[str, Expr] = field(default_factory=dict)
    next_values: dict[str, Expr] = field(default_factory=dict)
    initial: dict[str, Expr] = field(default_factory=dict)
    clocks: set[str] = field(default_factory=set)
    passing: set[str] = field(default_factory=set)
    signals: dict[str, VerilogSignal] = field(default_factory=dict)
    drivers: dict[str, list[Driver]] = field(default_factory=dict)
    warnings: list[Diagnostic] = field(default_factory=list)
    _sizes: dict[int, tuple[Expr, int]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)

    def declare(self, signal: VerilogSignal) -> None:
        """Register the elements of a signal."""
        for element in signal.elements:
            if element.startswith(OURS):
                raise Unsupported(f"names that begin with `{OURS[0]}` are reserved", signal.span, hint="rename the signal")
            self.signals[element] = signal
            if len(self.signals) > MOST_ELEMENTS:
                raise Unsupported(f"the design has more than {MOST_ELEMENTS} signals", signal.span)

    def warn(self, message: str, span: Span | None, hint: str = "") -> None:
        self.warnings.append(Diagnostic(message, span, hint, level="warning"))

    def new_name(self, stem: str, sign: str = "#") -> str:
        number = self._numbers.get(stem, 0) + 1
        while (name := f"{stem}{sign}{number}") in self.signals or name in self.definitions or name in self.variables:
            number += 1
        self._numbers[stem] = number
        return name

    # -- values ------------------------------------------------------------------------------------------------------------

    def free(self, stem: str, values: list[Expr], shape: Shape, span: Span | None) -> Expr:
        """A value that is chosen anew in each step, among these values, or among all if there are none."""
        kind = choice_of(values, shape)
        name = self.new_name(stem, "_")
        self.variables[name] = Variable(name, kind, Kind.INPUT, span)
        if not isinstance(kind, Range):
            return Name(name)
        branches = [(Apply("=", (Name(name), Constant(n))), value) for n, value in enumerate(values[:-1])]
        return first_of(branches, values[-1])

    def compact(self, stem: str, expr: Expr) -> Expr:
        """The expression, or a name for it if it is large."""
        if self.size(expr) < SMALLEST_NAMED:
            return expr
        name = self.new_name(stem.partition("[")[0])
        self.definitions[name] = expr
        return Name(name)

    def size(self, expr: Expr) -> int:
        """The number of operations of an expression as a tree."""
        if not isinstance(expr, Apply):
            return 0
        entry = self._sizes.get(id(expr))
        if entry is None:
            entry = self._sizes[id(expr)] = (expr, 1 + sum(map(self.size, expr.args)))
        return entry[1]

    # -- wires -------------------------------------------------------------------------------------------------------------

    def drive(self, element: str, driver: Driver) -> None:
        self.drivers.setdefault(element, []).append(driver)

    def settle_pieces(self) -> None:
        """Divide wires with several drivers into pieces, each with a name."""
        for element, drivers in self.drivers.items():
            drivers[:] = [single for driver in drivers for single in _singles(driver)]
            drivers.sort(key=lambda driver: -driver.high)
            for driver, following in pairwise(drivers):
                if driver.low <= following.high:
                    hint = f"the other is in line {driver.span.line_number}"
                    raise NameProblem(f"`{element}` has two sources", following.span, hint=hint)
            signal = self.signals[element]
            if not signal.is_array and (len(drivers) > 1 or self._covers_less(drivers[0], signal)):
                step = 1 if signal.left >= signal.right else -1
                for driver in drivers:
                    high, low = signal.right + step * driver.high, signal.right + step * driver.low
                    name = f"{signal.name}[{high}]" if high == low else f"{signal.name}[{high}:{low}]"
                    signal.pieces.append(Piece(driver.high, driver.low, name))

    @staticmethod
    def _covers_less(driver: Driver, signal: VerilogSignal) -> bool:
        return isinstance(signal.shape, int) and driver.high - driver.low + 1 < signal.shape

    def define_wires(self) -> None:
        """Make definitions for all wires that have drivers."""
        for element, drivers in self.drivers.items():
            signal = self.signals[element]
            if len(drivers) == 1 and not self._covers_less(drivers[0], signal):
                self._define(element, drivers[0].value())
            else:
                self._define(element, joined(list(self._rows(element, signal, drivers))).expr)

    def _define(self, name: str, value: Expr) -> None:
        """Define a wire. If it is nothing but a free choice of its own scope, it becomes that choice."""
        prefix = f"{name.rpartition('.')[0]}{'.' * ('.' in name)}choice_"
        variable = self.variables.get(value.name) if isinstance(value, Name) else None
        if variable is not None and variable.kind is Kind.INPUT and variable.name.startswith(prefix):
            del self.variables[variable.name]
            self.variables[name] = Variable(name, variable.type, Kind.INPUT, self.signals[name].span)
        else:
            self.definitions[name] = value

    def _rows(self, element: str, signal: VerilogSignal, drivers: list[Driver]) -> Iterator[BitRow]:
        end = signal.width
        for driver in [*drivers, None]:
            high = -1 if driver is None else driver.high
            if high < end - 1:
                width = end - 1 - high
                self.warn(f"bits of `{element}` have no source: they may have any value", signal.span)
                yield BitRow(self.free(f"{element}.open", [], width, signal.span), width)
            if driver is not None:
                end, width = driver.low, driver.high - driver.low + 1
                name = next((p.name for p in signal.pieces if p.low == driver.low), "")
                value = driver.value()
                if name:
                    self.definitions[name] = value
                yield BitRow(Name(name) if name else value, width)


def _singles(driver: Driver) -> Iterator[Driver]:
    if not driver.reads_itself or driver.high == driver.low:
        yield driver
        return
    width, value = driver.high - driver.low + 1, cache(driver.value)
    for k in range(width):
        yield Driver(driver.low + k, driver.low + k, lambda k=k: bit(BitRow(value(), width), k), driver.span)  # type: ignore[misc]


def choice_of(values: list[Expr], shape: Shape) -> Type:
    """The type of a free choice: a type with exactly these values if there is one, or else a range of their positions."""
    if not values:
        return type_of_shape(shape)
    constants = [value.value for value in values if isinstance(value, Constant)]
    if isinstance(shape, tuple):
        symbols = list(dict.fromkeys(value for value in constants if isinstance(value, str)))
        return Enumeration(tuple(symbols)) if len(constants) == len(values) else Range(0, len(values) - 1)
    if shape <= 16 and set(values) >= {constant(n, shape) for n in range(1 << shape)}:
        return type_of_shape(shape)
    return Range(0, len(values) - 1)
